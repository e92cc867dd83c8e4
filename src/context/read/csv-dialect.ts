import { type CsvRecord, scanCsv } from "./csv-scan.js";

/** How a delimited file is written, as far as its first part shows. */
export interface CsvDialect {
  /** One byte. */
  readonly delimiter: number;
  /** Records before the header: a title, or Excel's `sep=;`. */
  readonly titleRecords: number;
  readonly header: "first-record" | "none" | "doubtful";
  /** The usual number of fields. */
  readonly width: number;
}

const COMMA = 0x2c;
const TAB = 0x09;
const CANDIDATES = [COMMA, TAB, 0x3b, 0x7c] as const;
/** Stands in for a delimiter in a file that has one column: a control character that text does not hold. */
const NO_DELIMITER = 0x1f;
const LOOKED_AT = 500;
const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/;
const YEAR = /^\s*(?:19|20)\d\d\s*$/;

/**
 * Finds delimiter, title rows and header. `head` is the start of the file as UTF-8, without a byte order mark; `complete` says that
 * it is all of it. The delimiter is the one by which most records have as many fields as the first.
 */
export function detectDialect(head: Uint8Array, complete: boolean, path: string): CsvDialect {
  const declared = /^sep=(.)\r?\n/.exec(Buffer.from(head.subarray(0, 8)).toString("latin1"))?.[1];
  if (declared !== undefined) {
    const delimiter = declared.charCodeAt(0);
    const records = firstRecords(head, complete, delimiter).slice(1);
    return { delimiter, titleRecords: 1, header: headerOf(records[0]), width: usualWidth(records) };
  }
  const preferred = /\.(?:tsv|tab)$/i.test(path) ? TAB : COMMA;
  const ranked = CANDIDATES.map((delimiter) => {
    const records = firstRecords(head, complete, delimiter);
    return { delimiter, records, score: scoreOf(records), width: usualWidth(records) };
  }).sort(
    (a, b) =>
      b.score - a.score || Number(b.delimiter === preferred) - Number(a.delimiter === preferred) || b.width - a.width,
  );
  const [best] = ranked;
  if (best === undefined || best.score === 0) {
    const records = firstRecords(head, complete, NO_DELIMITER);
    return { delimiter: NO_DELIMITER, titleRecords: 0, header: headerOf(records[0]), width: 1 };
  }
  const titleRecords = countTitles(best.records, best.width);
  return { delimiter: best.delimiter, titleRecords, header: headerOf(best.records[titleRecords]), width: best.width };
}

/** The first records as text, at most 500; the last one is left out where it may go on after `head`. */
export function firstRecords(head: Uint8Array, complete: boolean, delimiter: number): readonly (readonly string[])[] {
  const records: string[][] = [];
  const scan = scanCsv(delimiter, (record) => {
    if (records.length < LOOKED_AT) records.push(textsOf(record));
  });
  scan.push(head);
  if (complete || records.length === 0) scan.end();
  return records;
}

/** The fields of a record as text: outer quotes gone, pairs of quotes made one. */
export function textsOf(record: CsvRecord): string[] {
  const texts: string[] = [];
  for (let i = 0; i < record.count; i++) {
    const { buffer, byteOffset } = record.buffer;
    const start = record.starts[i] ?? 0;
    const raw = Buffer.from(buffer, byteOffset + start, (record.ends[i] ?? 0) - start).toString("utf8");
    texts.push((record.pairs[i] ?? 0) > 0 ? raw.replaceAll('""', '"') : raw);
  }
  return texts;
}

/** 0 … 1: the share of records as wide as the first. Half as much where the first is of another width than most (a title, a short header). */
function scoreOf(records: readonly (readonly string[])[]): number {
  const first = records[0]?.length ?? 0;
  const share = (width: number) => records.filter((record) => record.length === width).length / records.length;
  const usual = usualWidth(records);
  if (first > 1 && share(first) >= share(usual) / 2) return share(first);
  return usual >= 3 || first > 1 ? share(usual) / 2 : 0;
}

/** The most frequent width; of two, the larger. */
function usualWidth(records: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const record of records) counts.set(record.length, (counts.get(record.length) ?? 0) + 1);
  let usual = 0;
  for (const [width, count] of counts) {
    const best = counts.get(usual) ?? 0;
    if (count > best || (count === best && width > usual)) usual = width;
  }
  return usual;
}

/** Records before the header that hold one filled cell, when a row of names follows and the table has at least three columns. */
export function countTitles(records: readonly (readonly string[])[], width: number): number {
  const filled = (record: readonly string[] | undefined) => (record ?? []).filter((cell) => cell.trim() !== "");
  let titles = 0;
  while (titles < 5 && filled(records[titles]).length === 1) titles += 1;
  const names = filled(records[titles]);
  const followed = names.length >= Math.max(3, width / 2) && !names.some((cell) => NUMBER.test(cell));
  return followed ? titles : 0;
}

/** Whether a first row holds names: numbers alone are data, years among or instead of names are names. */
export function headerOf(record: readonly string[] | undefined): CsvDialect["header"] {
  const cells = (record ?? []).filter((cell) => cell.trim() !== "");
  const numbers = cells.filter((cell) => NUMBER.test(cell));
  const onlyYears = numbers.length === new Set(numbers).size && numbers.every((cell) => YEAR.test(cell));
  if (numbers.length === 0 || (onlyYears && cells.length > 1)) return "first-record";
  return numbers.length === cells.length ? "none" : "doubtful";
}

/**
 * Whether a text that is not called CSV is a table all the same: at least three records, all equally wide, with short names in the
 * first, and at least three columns where the delimiter is a comma, which prose has too.
 */
export function isClearlyDelimited(head: Uint8Array, complete: boolean): boolean {
  return CANDIDATES.some((delimiter) => {
    const records = firstRecords(head, complete, delimiter);
    const [header = []] = records;
    return (
      records.length >= 3 &&
      header.length >= (delimiter === COMMA ? 3 : 2) &&
      header.every((name) => name.trim() !== "" && name.length <= 60) &&
      new Set(header).size === header.length &&
      records.every((record) => record.length === header.length && !record.every((cell) => /^[\s:-]*$/.test(cell)))
    );
  });
}
