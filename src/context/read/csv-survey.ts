import type { CsvDialect } from "./csv-dialect.js";
import { textsOf } from "./csv-dialect.js";
import { type CsvRecord, type CsvScanOptions, NEWLINE, QUOTE_INSIDE, QUOTED, STRAY, scanCsv } from "./csv-scan.js";
import { readChunks, type Utf8File } from "./utf8-file.js";

/** A count and where it begins, for the sentence that tells of it. */
export interface Tally {
  readonly count: number;
  /** Line from 1, 0 where there is none. */
  readonly firstLine: number;
}

/** All that one pass over a delimited file tells, before any cell is kept. */
export interface CsvSurvey {
  /** Quotes that have to be read as text for the file to have an end. */
  readonly scan: CsvScanOptions;
  /** First records that are not data: titles as text, and the header (null without one). */
  readonly titles: readonly (readonly string[])[];
  readonly header: readonly string[] | null;
  readonly rows: number;
  /** Columns that hold a value or have a name. */
  readonly width: number;
  readonly filled: readonly number[];
  readonly bytes: readonly number[];
  /** Cells written `""`, and cells with nothing at all, per column. */
  readonly quotedEmpty: readonly number[];
  readonly bareEmpty: readonly number[];
  readonly shortRows: Tally;
  /** Rows with a value beyond the last named column. */
  readonly longRows: Tally;
  readonly strayQuotes: Tally;
  readonly unterminated: Tally;
  readonly lineEnds: { readonly lf: number; readonly crlf: number; readonly cr: number };
  readonly blankLines: number;
  readonly newlinesInCells: boolean;
  readonly longestRecord: number;
  /** DuckDB's own reader sees the same cells in the file as it stands. */
  readonly regular: boolean;
}

/** After so many quotes that never close, the rest of the file is read without quoting. */
const MAX_LITERAL_QUOTES = 16;

/** Reads the whole file once; again from the start for every quote that never closes. */
export async function surveyCsv(file: Utf8File, dialect: CsvDialect, signal?: AbortSignal): Promise<CsvSurvey> {
  const literalQuotes = new Set<number>();
  let unterminated: Tally = { count: 0, firstLine: 0 };
  let quotesOffFrom = Number.POSITIVE_INFINITY;
  for (;;) {
    const scan = { delimiter: dialect.delimiter, literalQuotes: new Set(literalQuotes), quotesOffFrom };
    const pass = startPass(dialect);
    const scanner = scanCsv(scan, (record) => pass.add(record));
    for await (const chunk of readChunks(file.absolute, file.skip)) {
      signal?.throwIfAborted();
      scanner.push(chunk);
    }
    const end = scanner.end();
    if (end.unterminated === null) {
      return pass.finish(scan, unterminated, end.lineEnds, end.blankLines);
    }
    const { offset, line } = end.unterminated;
    unterminated = {
      count: unterminated.count + 1,
      firstLine: unterminated.count === 0 ? line : Math.min(line, unterminated.firstLine),
    };
    if (literalQuotes.size < MAX_LITERAL_QUOTES) literalQuotes.add(offset);
    else quotesOffFrom = offset;
  }
}

interface SurveyPass {
  add(record: CsvRecord): void;
  finish(scan: CsvScanOptions, unterminated: Tally, lineEnds: CsvSurvey["lineEnds"], blankLines: number): CsvSurvey;
}

function startPass(dialect: CsvDialect): SurveyPass {
  const titles: string[][] = [];
  let header: string[] | null = null;
  let toCome = dialect.titleRecords + (dialect.header === "none" ? 0 : 1);
  const filled: number[] = [];
  const bytes: number[] = [];
  const quotedEmpty: number[] = [];
  const bareEmpty: number[] = [];
  const short = { count: 0, firstLine: 0 };
  const long = { count: 0, firstLine: 0 };
  const stray = { count: 0, firstLine: 0 };
  let rows = 0;
  let expected = 0;
  let oddQuotes = false;
  let ragged = false;
  let newlinesInCells = false;
  let newlineInHeader = false;
  let longestRecord = 0;

  function tally(into: { count: number; firstLine: number }, line: number): void {
    if (into.count === 0) into.firstLine = line;
    into.count += 1;
  }

  function addHead(record: CsvRecord): void {
    toCome -= 1;
    for (let i = 0; i < record.count; i++) {
      const flags = record.flags[i] ?? 0;
      if ((flags & NEWLINE) !== 0) newlineInHeader = true;
      if ((flags & (STRAY | QUOTE_INSIDE)) !== 0) oddQuotes = true;
      if ((flags & STRAY) !== 0) tally(stray, record.line);
    }
    if (toCome === 0 && dialect.header !== "none") {
      header = textsOf(record);
      expected = header.length;
    } else titles.push(textsOf(record));
  }

  function addField(record: CsvRecord, i: number): boolean {
    const flags = record.flags[i] ?? 0;
    const length = (record.ends[i] ?? 0) - (record.starts[i] ?? 0) - (record.pairs[i] ?? 0);
    if ((flags & (STRAY | QUOTE_INSIDE)) !== 0) {
      oddQuotes = true;
      if ((flags & STRAY) !== 0) tally(stray, record.line);
    }
    if ((flags & NEWLINE) !== 0) newlinesInCells = true;
    if (length === 0) {
      const empties = (flags & QUOTED) !== 0 ? quotedEmpty : bareEmpty;
      empties[i] = (empties[i] ?? 0) + 1;
      return false;
    }
    filled[i] = (filled[i] ?? 0) + 1;
    bytes[i] = (bytes[i] ?? 0) + length;
    return true;
  }

  return {
    add(record) {
      const last = record.count - 1;
      longestRecord = Math.max(longestRecord, (record.ends[last] ?? 0) - (record.starts[0] ?? 0));
      if (toCome > 0) {
        addHead(record);
        return;
      }
      if (expected === 0) expected = Math.max(dialect.width, record.count);
      rows += 1;
      let beyond = false;
      for (let i = 0; i <= last; i++) if (addField(record, i) && i >= expected) beyond = true;
      if (record.count !== expected) ragged = true;
      if (record.count < expected) tally(short, record.line);
      if (beyond) tally(long, record.line);
    },
    finish(scan, unterminated, lineEnds, blankLines) {
      let width = Math.max(expected, filled.length);
      while (width > 1 && (filled[width - 1] ?? 0) === 0 && (header?.[width - 1] ?? "").trim() === "") width -= 1;
      const upTo = (counts: readonly number[]) => Array.from({ length: width }, (_, i) => counts[i] ?? 0);
      const oneLineEnd = [lineEnds.lf, lineEnds.crlf, lineEnds.cr].filter((count) => count > 0).length <= 1;
      const regular =
        oneLineEnd &&
        lineEnds.cr === 0 &&
        !oddQuotes &&
        !ragged &&
        !newlineInHeader &&
        width === expected &&
        width > 1 &&
        blankLines === 0 &&
        unterminated.count === 0;
      return {
        scan,
        titles,
        header,
        rows,
        width,
        filled: upTo(filled),
        bytes: upTo(bytes),
        quotedEmpty: upTo(quotedEmpty),
        bareEmpty: upTo(bareEmpty),
        shortRows: short,
        longRows: long,
        strayQuotes: stray,
        unterminated,
        lineEnds,
        blankLines,
        newlinesInCells,
        longestRecord,
        regular,
      };
    },
  };
}
