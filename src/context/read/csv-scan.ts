/**
 * Splits delimited text into records, a chunk at a time, without making strings. The rules are RFC 4180's, and where a file breaks
 * them, those that lose nothing:
 * - LF, CRLF and CR end a line; a line without a byte is no record.
 * - A quote opens a field only as its first byte.
 * - Inside a quoted field a quote that is followed by neither a quote, a delimiter nor a line end is text (`STRAY`).
 * - A quote is itself text when its field would never close: when the file ends first, when the field grows beyond 16 MB, or when after a
 *   line end in it a quote stands where a field would open.
 */
export interface CsvScan {
  /** Feeds the next bytes of the file. */
  push(chunk: Uint8Array): void;
  /** Feeds the end of the file. */
  end(): CsvScanEnd;
}

export interface CsvScanEnd {
  readonly lineEnds: { readonly lf: number; readonly crlf: number; readonly cr: number };
  /** Lines without a byte that have a record after them. */
  readonly blankLines: number;
  /** Quotes that opened a field that never closed, and were read as text. */
  readonly unterminated: Tally;
}

/** A count and where it begins, for the sentence that tells of it. */
export interface Tally {
  count: number;
  /** Line from 1, 0 where there is none. */
  firstLine: number;
}

export function addTo(tally: Tally, line: number): void {
  if (tally.count === 0) tally.firstLine = line;
  tally.count += 1;
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
const LONGEST_FIELD = 16_000_000;

type State = "field-start" | "plain" | "quoted" | "quote-seen";

/** Starts a scan. `delimiter` is one byte; `onRecord` is told of every record in the file's order. */
export function scanCsv(delimiter: number, onRecord: (record: CsvRecord) => void): CsvScan {
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
  const unterminated: Tally = { count: 0, firstLine: 0 };
  /** Bytes from the start of the record in hand; `filled` of them are the file's, `at` is the next to look at. */
  let buffer: Uint8Array = new Uint8Array(0);
  let filled = 0;
  let at = 0;
  let recordStart = 0;
  let state: State = "field-start";
  let start = 0;
  let flags = 0;
  let pairs = 0;
  let line = 1;
  /** Line on which the field in hand was opened by a quote. */
  let quoteLine = 1;
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
    if (byte === QUOTE) {
      start = at + 1;
      flags = QUOTED;
      quoteLine = line;
      state = "quoted";
    } else if (isSeparator(byte)) separate(byte, at);
    else state = "plain";
  }

  /** The field in hand was not opened by its quote after all: goes back there and reads the quote as text. */
  function reopenAsText(): void {
    addTo(unterminated, quoteLine);
    start -= 1;
    at = start;
    flags = QUOTE_INSIDE;
    pairs = 0;
    line = quoteLine;
    state = "plain";
  }

  function inPlain(): void {
    for (; at < filled; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === delimiter || byte === LF || byte === CR) {
        separate(byte, at);
        return;
      }
      if (byte === QUOTE) flags |= QUOTE_INSIDE;
    }
  }

  function inQuoted(): void {
    for (; at < filled; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === QUOTE) {
        state = "quote-seen";
        return;
      }
      if (byte === CR || (byte === LF && buffer[at - 1] !== CR)) line += 1;
      if (byte === LF || byte === CR) flags |= NEWLINE;
    }
    if (at - start > LONGEST_FIELD) reopenAsText();
  }

  function afterQuote(byte: number): void {
    if (isSeparator(byte)) {
      separate(byte, at - 1);
      return;
    }
    state = "quoted";
    if (byte === QUOTE) pairs += 1;
    else if ((flags & NEWLINE) !== 0 && isSeparator(buffer[at - 2] ?? 0)) reopenAsText();
    else flags |= STRAY;
  }

  function run(): void {
    for (; at < filled; at++) {
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
      else if (state === "plain") inPlain();
      else if (state === "quoted") inQuoted();
      else afterQuote(byte);
    }
    at = filled;
  }

  /** Drops the records that were given out and adds new bytes; room grows by doubling, so that a long record is not copied each time. */
  function extend(chunk: Uint8Array): void {
    const kept = filled - recordStart;
    const room = kept + chunk.length;
    const target = room <= buffer.length ? buffer : new Uint8Array(Math.max(room, 2 * kept));
    target.set(buffer.subarray(recordStart, filled));
    target.set(chunk, kept);
    for (let i = 0; i < record.count; i++) {
      record.starts[i] = (record.starts[i] ?? 0) - recordStart;
      record.ends[i] = (record.ends[i] ?? 0) - recordStart;
    }
    buffer = target;
    filled = room;
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
      while (state === "quoted") {
        reopenAsText();
        run();
      }
      if (record.count > 0 || state !== "field-start") {
        if (state === "field-start") start = at;
        endField(state === "quote-seen" ? at - 1 : at);
        endRecord(at);
      }
      return { lineEnds, blankLines, unterminated };
    },
  };
}
