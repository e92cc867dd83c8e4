/**
 * Splits delimited text into records, a chunk at a time, without making strings. The rules are RFC 4180's, and where a file breaks
 * them, those that lose nothing: a quote opens a field only as its first byte; inside a quoted field a quote that is followed by neither a
 * quote, a delimiter nor a line end is text (`stray`); LF, CRLF and CR end a line; a line without a byte is no record.
 */
export interface CsvScan {
  /** Feeds the next bytes of the file. */
  push(chunk: Uint8Array): void;
  /** Feeds the end of the file. The record that an open quote leaves unfinished is not given out. */
  end(): CsvScanEnd;
}

export interface CsvScanOptions {
  /** One byte. */
  readonly delimiter: number;
  /** Places (bytes from the start of the scan) of quotes that would open a field but are text: they never close. */
  readonly literalQuotes: ReadonlySet<number>;
  /** From here on no quote opens a field. */
  readonly quotesOffFrom: number;
}

export interface CsvScanEnd {
  readonly lineEnds: { readonly lf: number; readonly crlf: number; readonly cr: number };
  /** Lines without a byte that have a record after them. */
  readonly blankLines: number;
  /** Where a quote opened a field that never closed: place in bytes and line from 1. */
  readonly unterminated: { readonly offset: number; readonly line: number } | null;
}

/** One record, valid only while it is given out: the arrays are used again. */
export interface CsvRecord {
  /** Holds the record's bytes. */
  buffer: Uint8Array;
  /** Number of fields; the arrays may be longer. */
  count: number;
  /** Content of field i is `buffer[starts[i] … ends[i])`, without its outer quotes but with inner quotes as they stand. */
  readonly starts: number[];
  readonly ends: number[];
  readonly flags: number[];
  /** Pairs of quotes in field i that stand for one. */
  readonly pairs: number[];
  /** Line on which the record starts, from 1. */
  line: number;
}

/** Flags of a field. */
export const QUOTED = 1;
/** A quote character stands in an unquoted field. */
export const QUOTE_INSIDE = 2;
/** A quote inside a quoted field that RFC 4180 does not allow. */
export const STRAY = 4;
/** A line end inside a quoted field. */
export const NEWLINE = 8;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

type State = "field-start" | "plain" | "quoted" | "quote-seen";

export function scanCsv(options: CsvScanOptions, onRecord: (record: CsvRecord) => void): CsvScan {
  const { delimiter, literalQuotes, quotesOffFrom } = options;
  const record: CsvRecord = {
    buffer: new Uint8Array(0),
    count: 0,
    starts: [],
    ends: [],
    flags: [],
    pairs: [],
    line: 1,
  };
  const lineEnds = { lf: 0, crlf: 0, cr: 0 };
  let buffer: Uint8Array = new Uint8Array(0);
  /** Place of buffer[0] in the file, and of the next byte to look at in the buffer. */
  let base = 0;
  let at = 0;
  let recordStart = 0;
  let state: State = "field-start";
  let start = 0;
  let flags = 0;
  let pairs = 0;
  let line = 1;
  let blank = 0;
  let blankLines = 0;
  /** The last byte was a CR that ended a record: an LF now belongs to it. */
  let afterReturn = false;

  function endField(end: number): void {
    const i = record.count++;
    record.starts[i] = start;
    record.ends[i] = end;
    record.flags[i] = flags;
    record.pairs[i] = pairs;
    flags = 0;
    pairs = 0;
    state = "field-start";
  }

  function endRecord(next: number): void {
    if (record.count === 1 && record.flags[0] === 0 && record.starts[0] === record.ends[0]) blank += 1;
    else {
      blankLines += blank;
      blank = 0;
      record.buffer = buffer;
      onRecord(record);
    }
    record.count = 0;
    record.line = line;
    recordStart = next;
  }

  function endLine(byte: number): void {
    line += 1;
    afterReturn = byte === CR;
    if (byte === CR) lineEnds.cr += 1;
    else lineEnds.lf += 1;
    endRecord(at + 1);
  }

  /** Ends the field before `at` and, at a line end, the record. `end` is where the field's content ends. */
  function separate(byte: number, end: number): void {
    endField(end);
    if (byte !== delimiter) endLine(byte);
  }

  function isSeparator(byte: number): boolean {
    return byte === delimiter || byte === LF || byte === CR;
  }

  function startField(byte: number): void {
    start = at;
    const place = base + at;
    if (byte === QUOTE && place < quotesOffFrom && !literalQuotes.has(place)) {
      start = at + 1;
      flags = QUOTED;
      state = "quoted";
    } else if (isSeparator(byte)) separate(byte, at);
    else {
      if (byte === QUOTE) flags = QUOTE_INSIDE;
      state = "plain";
    }
  }

  function inPlain(limit: number): void {
    for (; at < limit; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === delimiter || byte === LF || byte === CR) {
        separate(byte, at);
        return;
      }
      if (byte === QUOTE) flags |= QUOTE_INSIDE;
    }
  }

  function inQuoted(limit: number): void {
    for (; at < limit; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === QUOTE) {
        state = "quote-seen";
        return;
      }
      if (byte === CR || (byte === LF && buffer[at - 1] !== CR)) line += 1;
      if (byte === LF || byte === CR) flags |= NEWLINE;
    }
  }

  function afterQuote(byte: number): void {
    if (isSeparator(byte)) {
      separate(byte, at - 1);
      return;
    }
    if (byte === QUOTE) pairs += 1;
    else flags |= STRAY;
    state = "quoted";
  }

  function run(): void {
    const limit = buffer.length;
    for (; at < limit; at++) {
      const byte = buffer[at] ?? 0;
      if (afterReturn) {
        afterReturn = false;
        if (byte === LF) {
          lineEnds.cr -= 1;
          lineEnds.crlf += 1;
          recordStart = at + 1;
          continue;
        }
      }
      if (state === "field-start") startField(byte);
      else if (state === "plain") inPlain(limit);
      else if (state === "quoted") inQuoted(limit);
      else afterQuote(byte);
    }
    at = limit;
  }

  /** Drops what was given out and adds the new bytes. */
  function extend(chunk: Uint8Array): void {
    const rest = buffer.subarray(recordStart);
    const joined = new Uint8Array(rest.length + chunk.length);
    joined.set(rest);
    joined.set(chunk, rest.length);
    for (let i = 0; i < record.count; i++) {
      record.starts[i] = (record.starts[i] ?? 0) - recordStart;
      record.ends[i] = (record.ends[i] ?? 0) - recordStart;
    }
    buffer = joined;
    base += recordStart;
    at -= recordStart;
    start -= recordStart;
    recordStart = 0;
  }

  return {
    push(chunk) {
      extend(chunk);
      run();
    },
    end() {
      const open = state === "quoted";
      const unterminated = open ? { offset: base + start - 1, line: record.line } : null;
      const begun = record.count > 0 || state !== "field-start";
      if (!open && begun) {
        if (state === "field-start") start = at;
        endField(state === "quote-seen" ? at - 1 : at);
        endRecord(at);
      }
      return { lineEnds, blankLines, unterminated };
    },
  };
}
