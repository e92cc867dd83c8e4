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

/** What a pass has counted so far; the arrays have an entry a column. */
interface Counts {
  readonly dialect: CsvDialect;
  readonly titles: string[][];
  header: string[] | null;
  /** Records before the data that are still to come. */
  headToCome: number;
  /** Cells that a row should have: as many as the header names. */
  named: number;
  rows: number;
  readonly filled: number[];
  readonly bytes: number[];
  readonly quotedEmpty: number[];
  readonly bareEmpty: number[];
  readonly short: Tally;
  readonly long: Tally;
  readonly stray: Tally;
  longestRecord: number;
  newlinesInCells: boolean;
  newlinesInHead: boolean;
  oddQuotes: boolean;
  ragged: boolean;
}

/** Reads the whole file once. */
export async function surveyCsv(file: Utf8File, dialect: CsvDialect, signal?: AbortSignal): Promise<CsvSurvey> {
  const counts: Counts = {
    dialect,
    titles: [],
    header: null,
    headToCome: dialect.titleRecords + (dialect.header === "none" ? 0 : 1),
    named: 0,
    rows: 0,
    filled: [],
    bytes: [],
    quotedEmpty: [],
    bareEmpty: [],
    short: { count: 0, firstLine: 0 },
    long: { count: 0, firstLine: 0 },
    stray: { count: 0, firstLine: 0 },
    longestRecord: 0,
    newlinesInCells: false,
    newlinesInHead: false,
    oddQuotes: false,
    ragged: false,
  };
  const scan = scanCsv(dialect.delimiter, (record) =>
    counts.headToCome > 0 ? addHead(counts, record) : addRow(counts, record),
  );
  for await (const chunk of readChunks(file.absolute, file.skip)) {
    signal?.throwIfAborted();
    scan.push(chunk);
  }
  return surveyOf(counts, scan.end());
}

function addHead(counts: Counts, record: CsvRecord): void {
  counts.headToCome -= 1;
  for (let i = 0; i < record.count; i++) noteFlags(counts, record, i);
  if (counts.newlinesInCells) counts.newlinesInHead = true;
  counts.newlinesInCells = false;
  if (counts.headToCome === 0 && counts.dialect.header !== "none") {
    counts.header = textsOf(record);
    counts.named = counts.header.length;
  } else counts.titles.push(textsOf(record));
}

function addRow(counts: Counts, record: CsvRecord): void {
  const last = record.count - 1;
  counts.longestRecord = Math.max(counts.longestRecord, (record.ends[last] ?? 0) - (record.starts[0] ?? 0));
  if (counts.named === 0) counts.named = Math.max(counts.dialect.width, record.count);
  counts.rows += 1;
  let beyond = false;
  for (let i = 0; i <= last; i++) if (addField(counts, record, i) && i >= counts.named) beyond = true;
  if (record.count !== counts.named) counts.ragged = true;
  if (record.count < counts.named) addTo(counts.short, record.line);
  if (beyond) addTo(counts.long, record.line);
}

/** Returns whether the field has a value. */
function addField(counts: Counts, record: CsvRecord, i: number): boolean {
  const flags = noteFlags(counts, record, i);
  const length = (record.ends[i] ?? 0) - (record.starts[i] ?? 0) - (record.pairs[i] ?? 0);
  if (length === 0) {
    const empties = (flags & QUOTED) !== 0 ? counts.quotedEmpty : counts.bareEmpty;
    empties[i] = (empties[i] ?? 0) + 1;
    return false;
  }
  counts.filled[i] = (counts.filled[i] ?? 0) + 1;
  counts.bytes[i] = (counts.bytes[i] ?? 0) + length;
  return true;
}

function noteFlags(counts: Counts, record: CsvRecord, i: number): number {
  const flags = record.flags[i] ?? 0;
  if ((flags & (STRAY | QUOTE_INSIDE)) !== 0) counts.oddQuotes = true;
  if ((flags & STRAY) !== 0) addTo(counts.stray, record.line);
  if ((flags & NEWLINE) !== 0) counts.newlinesInCells = true;
  return flags;
}

function surveyOf(counts: Counts, { lineEnds, blankLines, unterminated }: CsvScanEnd): CsvSurvey {
  const { header, filled, named } = counts;
  let width = Math.max(named, filled.length);
  // A delimiter at the end of every row makes no column.
  while (width > 1 && (filled[width - 1] ?? 0) === 0 && (header?.[width - 1] ?? "").trim() === "") width -= 1;
  const upTo = (list: readonly number[]) => Array.from({ length: width }, (_, i) => list[i] ?? 0);
  const oneLineEnd = lineEnds.cr === 0 && (lineEnds.lf === 0 || lineEnds.crlf === 0);
  const odd = counts.oddQuotes || counts.ragged || counts.newlinesInHead || unterminated.count > 0;
  return {
    titles: counts.titles,
    header,
    rows: counts.rows,
    width,
    filled: upTo(filled),
    bytes: upTo(counts.bytes),
    quotedEmpty: upTo(counts.quotedEmpty),
    bareEmpty: upTo(counts.bareEmpty),
    shortRows: counts.short,
    longRows: counts.long,
    strayQuotes: counts.stray,
    unterminated,
    lineEnds,
    blankLines,
    newlinesInCells: counts.newlinesInCells,
    longestRecord: counts.longestRecord,
    regular: oneLineEnd && !odd && blankLines === 0 && width === named && width > 1,
  };
}
