/** A row may have so many characters before its end is found: an unclosed quote in a large file must not eat the memory. */
const MAX_ROW_CHARACTERS = 16 * 1024 * 1024;
/** As many as the widest spreadsheet has. */
const MAX_COLUMNS = 16_384;

/** A CSV that cannot be read as it stands: what is wrong and in which line. */
export class CsvError extends Error {
  readonly code = "csv";

  constructor(message: string) {
    super(message);
    this.name = "CsvError";
  }
}

export interface CsvReader {
  /** Takes the next bytes of the file. */
  push(bytes: Uint8Array): void;
  /** Says that there are no more bytes. */
  end(): void;
}

export interface CsvRows {
  /** Called once, before any row. */
  header(columns: readonly string[]): void;
  /** Called for each row; it has as many cells as the header. */
  row(cells: readonly string[]): void;
}

/**
 * Reads a CSV strictly, in one pass and bounded memory, wherever its bytes are cut: UTF-8 (a byte-order mark is dropped), first
 * line that is not blank = header, rows end in LF, CRLF or CR, blank lines are skipped, quotes as in RFC 4180 (a quote inside an
 * unquoted cell is a character). `push` and `end` throw `CsvError` for invalid UTF-8, a row of another length than the header,
 * text after a closing quote, an unclosed quote, a row or header beyond the limits, and a file without a header.
 */
export function csvReader(rows: CsvRows): CsvReader {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const records = new RecordSplitter(checkedRows(rows));
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new CsvError("not valid UTF-8");
    }
  };
  return {
    push: (bytes) => records.push(decode(bytes)),
    end: () => {
      records.push(decode(undefined));
      records.end();
    },
  };
}

interface Records {
  record(cells: readonly string[], line: number): void;
  end(): void;
}

/** Tells the header from rows and holds rows to its length. */
function checkedRows(rows: CsvRows): Records {
  let width: number | null = null;
  return {
    record(cells, line) {
      if (width === null) {
        if (cells.length > MAX_COLUMNS)
          throw new CsvError(`the header has ${cells.length} columns, more than ${MAX_COLUMNS}`);
        width = cells.length;
        rows.header(cells);
      } else if (cells.length === width) {
        rows.row(cells);
      } else {
        throw new CsvError(`line ${line} has ${count(cells.length, "cell")}, the header has ${count(width, "column")}`);
      }
    },
    end() {
      if (width === null) throw new CsvError("no header: the file is empty");
    },
  };
}

/** Where the reader stands: before a cell, in an unquoted one, inside quotes, or after a quote that closes or escapes. */
type Place = "start" | "plain" | "quoted" | "quote";

const COMMA = 44;
const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Splits text into records; tells nobody of blank lines. Each method that reads returns where to go on in `text`. */
class RecordSplitter {
  readonly #records: Records;
  #place: Place = "start";
  #cells: string[] = [];
  /** What is read so far of the cell in hand, from earlier chunks or between quotes. */
  #cell = "";
  #line = 1;
  /** Line in which the record in hand starts. */
  #startLine = 1;
  #afterCarriageReturn = false;

  constructor(records: Records) {
    this.#records = records;
  }

  push(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#afterCarriageReturn) {
        this.#afterCarriageReturn = false;
        if (text.charCodeAt(at) === LINE_FEED) at++;
      } else if (this.#place === "quoted") {
        at = this.#readQuoted(text, at);
      } else if (this.#place === "quote") {
        at = this.#readAfterQuote(text, at);
      } else {
        at = this.#readPlain(text, at);
      }
    }
    this.#checkLength();
  }

  end(): void {
    if (this.#place === "quoted") {
      throw new CsvError(`a quote in the row that starts in line ${this.#startLine} is never closed`);
    }
    this.#endRecord("");
    this.#records.end();
  }

  #readPlain(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === COMMA) {
        this.#endCell(text.slice(from, at));
        return at + 1;
      }
      if (code === LINE_FEED || code === CARRIAGE_RETURN) return this.#endLine(text.slice(from, at), code, at);
      if (code === QUOTE && this.#place === "start") {
        this.#place = "quoted";
        return at + 1;
      }
      this.#place = "plain";
    }
    this.#cell += text.slice(from);
    return text.length;
  }

  #readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from);
    const part = text.slice(from, quote === -1 ? text.length : quote);
    for (let at = part.indexOf("\n"); at !== -1; at = part.indexOf("\n", at + 1)) this.#line++;
    this.#cell += part;
    if (quote === -1) return text.length;
    this.#place = "quote";
    return quote + 1;
  }

  #readAfterQuote(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      this.#cell += '"';
      this.#place = "quoted";
      return at + 1;
    }
    if (code === COMMA) {
      this.#endCell("");
      return at + 1;
    }
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return this.#endLine("", code, at);
    throw new CsvError(`line ${this.#line} has text after a closing quote`);
  }

  /** `rest` is what the current chunk holds of the cell. */
  #endCell(rest: string): void {
    this.#cells.push(this.#cell === "" ? rest : this.#cell + rest);
    this.#cell = "";
    this.#place = "start";
  }

  #endRecord(rest: string): void {
    const blank = this.#place === "start" && this.#cells.length === 0;
    this.#endCell(rest);
    const cells = this.#cells;
    this.#cells = [];
    if (!blank) this.#records.record(cells, this.#startLine);
  }

  #endLine(rest: string, code: number, at: number): number {
    this.#endRecord(rest);
    this.#line++;
    this.#startLine = this.#line;
    this.#afterCarriageReturn = code === CARRIAGE_RETURN;
    return at + 1;
  }

  #checkLength(): void {
    const characters = this.#cells.reduce((sum, cell) => sum + cell.length, this.#cell.length);
    if (characters <= MAX_ROW_CHARACTERS) return;
    const quote = this.#place === "quoted" ? " (is a quote never closed?)" : "";
    throw new CsvError(`the row in line ${this.#startLine} has more than ${MAX_ROW_CHARACTERS} characters${quote}`);
  }
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
