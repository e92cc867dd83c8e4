import { appendFile } from "node:fs/promises";
import type { Uncertainty } from "../../core/catalog.js";
import type { ContextFile } from "../context-files.js";
import { type CsvDialect, detectDialect, textsOf } from "./csv-dialect.js";
import { type CsvRecord, QUOTE_INSIDE, STRAY, scanCsv } from "./csv-scan.js";
import { type CsvSurvey, surveyCsv } from "./csv-survey.js";
import { readCsvCall, type StagedTable } from "./staged-table.js";
import { readChunks, readHead, toUtf8File, type Utf8File } from "./utf8-file.js";

const HEAD_BYTES = 1 << 20;

/**
 * Reads a delimited file. Our own scanner goes over all of it first; where DuckDB's reader would see the same cells it reads the
 * file as it stands, else a clean copy that the scanner writes. An empty cell is NULL, written `""` or not. Null when the file holds no record.
 */
export async function readCsv(
  file: ContextFile,
  name: string,
  newScratchFile: () => string,
  signal?: AbortSignal,
): Promise<StagedTable | null> {
  const utf8 = await toUtf8File(file, newScratchFile());
  const head = await readHead(utf8.absolute, HEAD_BYTES);
  const dialect = detectDialect(head.subarray(utf8.skip), head.length < HEAD_BYTES, file.path);
  const survey = await surveyCsv(utf8, dialect, signal);
  if (survey.header === null && survey.rows === 0) return null;
  const common = {
    name,
    source: file.path,
    columns: Array.from({ length: survey.width }, (_, i) => survey.header?.[i] ?? ""),
    cells: "plain" as const,
    expected: { rows: survey.rows, filled: survey.filled, bytes: survey.bytes },
    uncertainties: [...utf8.uncertainties, ...uncertaintiesOf(file.path, dialect, survey)],
  };
  const names = common.columns.map((_, i) => `c${i}`);
  if (survey.regular) {
    const from = readCsvCall({
      path: utf8.absolute,
      columns: names,
      delimiter: String.fromCharCode(dialect.delimiter),
      lineEnd: survey.lineEnds.crlf > 0 ? "crlf" : "lf",
      skip: survey.titles.length + (survey.header === null ? 0 : 1),
      quotedEmptyIsText: false,
      newlinesInCells: survey.newlinesInCells,
      longestRecord: survey.longestRecord,
    });
    return { ...common, select: `SELECT * FROM ${from}` };
  }
  const copy = newScratchFile();
  const longestRecord = await writeCleanCopy(utf8, dialect.delimiter, survey, copy, signal);
  const from = readCsvCall({
    path: copy,
    columns: ["row", ...names],
    delimiter: ",",
    lineEnd: "lf",
    skip: 0,
    quotedEmptyIsText: true,
    newlinesInCells: survey.newlinesInCells,
    longestRecord,
  });
  return { ...common, select: `SELECT * EXCLUDE (row) FROM ${from}` };
}

/** Writes every cell quoted, rows filled up to the full width, LF line ends. Returns an upper bound of the bytes of a record. */
async function writeCleanCopy(
  file: Utf8File,
  delimiter: number,
  survey: CsvSurvey,
  copy: string,
  signal?: AbortSignal,
): Promise<number> {
  let toSkip = survey.titles.length + (survey.header === null ? 0 : 1);
  let row = 0;
  let longest = 0;
  let pending: string[] = [];
  const scanner = scanCsv(delimiter, (record) => {
    if (toSkip > 0) {
      toSkip -= 1;
      return;
    }
    const written = cleanRecord(record, row++, survey.width);
    // A UTF-16 unit is at most 3 bytes of UTF-8.
    longest = Math.max(longest, written.length * 3);
    pending.push(written);
  });
  const flush = async () => {
    await appendFile(copy, pending.join(""));
    pending = [];
  };
  for await (const chunk of readChunks(file.absolute, file.skip)) {
    signal?.throwIfAborted();
    scanner.push(chunk);
    await flush();
  }
  scanner.end();
  await flush();
  return longest;
}

function cleanRecord(record: CsvRecord, row: number, width: number): string {
  const odd = (flags: number) => (flags & QUOTE_INSIDE) !== 0 || (flags & STRAY) !== 0;
  const texts = record.flags.slice(0, record.count).some(odd) ? textsOf(record) : null;
  const parts: string[] = [String(row)];
  for (let i = 0; i < width; i++) {
    const start = record.starts[i] ?? 0;
    const end = record.ends[i] ?? 0;
    if (i >= record.count || start === end) parts.push("");
    else if (texts !== null) parts.push(`"${(texts[i] ?? "").replaceAll('"', '""')}"`);
    else {
      // Pairs of quotes inside a quoted field stand as they are; an unquoted field without quotes needs none.
      const { buffer, byteOffset } = record.buffer;
      parts.push(`"${Buffer.from(buffer, byteOffset + start, end - start).toString("utf8")}"`);
    }
  }
  return `${parts.join(",")}\n`;
}

function uncertaintiesOf(source: string, dialect: CsvDialect, survey: CsvSurvey): Uncertainty[] {
  const found: Uncertainty[] = [];
  const add = (code: string, detail: string) => found.push({ source, code, detail });
  const { shortRows, longRows, strayQuotes, unterminated, lineEnds } = survey;
  const named = survey.header?.length ?? dialect.width;
  for (const title of survey.titles) {
    const text = title.filter((cell) => cell.trim() !== "").join(" ");
    add(
      "title-row",
      `A line before the header was left out of the table; it says: ${JSON.stringify(text.slice(0, 500))}.`,
    );
  }
  if (dialect.header === "none") {
    add("no-header", "The first row holds only numbers; it was read as data and the columns were named by position.");
  }
  if (dialect.header === "doubtful") {
    add("doubtful-header", "Some cells of the first row are numbers; it was still read as the header.");
  }
  if (longRows.count > 0 && longRows.count === survey.rows) {
    const detail = `Every row has more than the ${named} cells that the header names; names were given from the left and may belong to other columns.`;
    add("header-too-short", detail);
  } else if (longRows.count > 0) {
    const detail = `${longRows.count} of ${survey.rows} rows have values beyond the ${named} named columns (first on line ${longRows.firstLine}); they are in columns of their own.`;
    add("ragged-rows", detail);
  }
  if (shortRows.count > 0) {
    const detail = `${shortRows.count} of ${survey.rows} rows have fewer than ${named} cells (first on line ${shortRows.firstLine}); the missing ones are NULL.`;
    add("ragged-rows", detail);
  }
  if (unterminated.count > 0) {
    const detail = `${unterminated.count} opening quotes never close (first on line ${unterminated.firstLine}); they were read as text.`;
    add("unterminated-quote", detail);
  }
  if (strayQuotes.count > 0) {
    const detail = `${strayQuotes.count} quoted cells hold quotes that are not doubled (first on line ${strayQuotes.firstLine}); they were read as text, and a cell may have ended elsewhere than meant.`;
    add("stray-quote", detail);
  }
  if (lineEnds.cr > 0 && lineEnds.lf + lineEnds.crlf > 0) {
    const detail = `${lineEnds.cr} lines end in a bare carriage return and ${lineEnds.lf + lineEnds.crlf} in a line feed; all were read as line ends.`;
    add("mixed-line-ends", detail);
  }
  if (survey.width === 1 && survey.blankLines > 0) {
    add("blank-lines", `${survey.blankLines} blank lines between the values of a one-column file were left out.`);
  }
  survey.quotedEmpty.forEach((quoted, i) => {
    const bare = survey.bareEmpty[i] ?? 0;
    if (quoted === 0 || bare === 0) return;
    const column = survey.header?.[i] ?? `column ${i + 1}`;
    add(
      "quoted-empty",
      `In ${JSON.stringify(column)} ${quoted} cells are written "" and ${bare} are left empty; all are NULL.`,
    );
  });
  return found;
}
