import type { CsvDialect } from "./csv-dialect.js";
import { textsOf } from "./csv-dialect.js";
import {
  addTo,
  type CsvRecord,
  type CsvScanEnd,
  NEWLINE,
  QUOTE_INSIDE,
  QUOTED,
  STRAY,
  scanCsv,
  type Tally,
} from "./csv-scan.js";
import { readChunks, type Utf8File } from "./utf8-file.js";

/** All that one pass over a delimited file tells, before any cell is kept. */
export interface CsvSurvey {
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
  readonly shortRows: Readonly<Tally>;
  /** Rows with a value beyond the last named column. */
  readonly longRows: Readonly<Tally>;
  readonly strayQuotes: Readonly<Tally>;
  readonly unterminated: Readonly<Tally>;
  readonly lineEnds: { readonly lf: number; readonly crlf: number; readonly cr: number };
  readonly blankLines: number;
  readonly newlinesInCells: boolean;
  readonly longestRecord: number;
  /** DuckDB's own reader sees the same cells in the file as it stands. */
  readonly regular: boolean;
}

/** Reads the whole file once. */
export async function surveyCsv(file: Utf8File, dialect: CsvDialect, signal?: AbortSignal): Promise<CsvSurvey> {
  const pass = startPass(dialect);
  const scan = scanCsv(dialect.delimiter, (record) => pass.add(record));
  for await (const chunk of readChunks(file.absolute, file.skip)) {
    signal?.throwIfAborted();
    scan.push(chunk);
  }
  return pass.finish(scan.end());
}

interface SurveyPass {
  add(record: CsvRecord): void;
  finish(end: CsvScanEnd): CsvSurvey;
}

function startPass(dialect: CsvDialect): SurveyPass {
  const titles: string[][] = [];
  let header: string[] | null = null;
  let toCome = dialect.titleRecords + (dialect.header === "none" ? 0 : 1);
  const filled: number[] = [];
  const bytes: number[] = [];
  const quotedEmpty: number[] = [];
  const bareEmpty: number[] = [];
  const short: Tally = { count: 0, firstLine: 0 };
  const long: Tally = { count: 0, firstLine: 0 };
  const stray: Tally = { count: 0, firstLine: 0 };
  let rows = 0;
  let expected = 0;
  let oddQuotes = false;
  let ragged = false;
  let newlinesInCells = false;
  let newlineInHeader = false;
  let longestRecord = 0;

  function addHead(record: CsvRecord): void {
    toCome -= 1;
    for (let i = 0; i < record.count; i++) {
      const flags = record.flags[i] ?? 0;
      if ((flags & NEWLINE) !== 0) newlineInHeader = true;
      if ((flags & (STRAY | QUOTE_INSIDE)) !== 0) oddQuotes = true;
      if ((flags & STRAY) !== 0) addTo(stray, record.line);
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
      if ((flags & STRAY) !== 0) addTo(stray, record.line);
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
      if (record.count < expected) addTo(short, record.line);
      if (beyond) addTo(long, record.line);
    },
    finish({ lineEnds, blankLines, unterminated }) {
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
