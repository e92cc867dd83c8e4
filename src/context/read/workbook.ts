import { open } from "node:fs/promises";
import type { Cell as SheetCell, Worksheet } from "exceljs";
import type { Uncertainty } from "../../core/catalog.js";
import type { ContextFile } from "../context-files.js";
import { openCellFile } from "./cell-file.js";
import { countTitles, headerOf } from "./csv-dialect.js";
import type { ReadTables } from "./json.js";
import type { Cell } from "./json-item.js";
import { CELL_TAGS, type StagedTable } from "./staged-table.js";

/** A workbook is read as a whole; unpacked it may be so many bytes. */
const LARGEST_UNPACKED = 300_000_000;

/** Cells of a sheet that say something else than their own value. */
interface Oddities {
  merged: number;
  unresolved: number;
}

/** Reads every sheet that has cells as a table. Rejects when the file is damaged or unpacks to more than 300 MB. */
export async function readWorkbook(file: ContextFile, name: string, newScratchFile: () => string): Promise<ReadTables> {
  const unpacked = await unpackedSize(file.absolute);
  if (unpacked > LARGEST_UNPACKED) {
    throw new Error(`the workbook unpacks to ${unpacked} bytes; at most ${LARGEST_UNPACKED} are read`);
  }
  const { default: ExcelJs } = await import("exceljs");
  const workbook = new ExcelJs.Workbook();
  await workbook.xlsx.readFile(file.absolute);
  const filled = workbook.worksheets.filter((sheet) => sheet.actualRowCount > 0);
  const tables: StagedTable[] = [];
  for (const sheet of filled) {
    const own = filled.length === 1 ? name : `${name}_${sheet.name.trim().replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, "_")}`;
    tables.push(await readSheet(sheet, own, `${file.path}#${sheet.name}`, newScratchFile()));
  }
  const nothing: Uncertainty = {
    source: file.path,
    code: "empty-table",
    detail: "No sheet of the workbook has a cell with a value; there is no table for it.",
  };
  return { tables, uncertainties: tables.length === 0 ? [nothing] : [] };
}

async function readSheet(sheet: Worksheet, name: string, source: string, path: string): Promise<StagedTable> {
  const odd: Oddities = { merged: 0, unresolved: 0 };
  const block = rowsOf(sheet, odd);
  const texts = (row: readonly Cell[]) => row.map((cell) => cell?.slice(1) ?? "");
  const start = block.slice(0, 50).map(texts);
  const titles = countTitles(start, widthOf(block));
  const rows = withoutEmptyLeft(block.slice(titles));
  const width = widthOf(rows);
  const header = headerOf(rows[0] === undefined ? undefined : texts(rows[0]));
  const names = header === "none" ? [] : texts(rows[0] ?? []);
  const cells = openCellFile(path, width, source);
  for (const row of header === "none" ? rows : rows.slice(1)) {
    cells.add(row);
    await cells.flush();
  }
  const staged = await cells.finish();
  const say = (code: string, detail: string): Uncertainty => ({ source, code, detail });
  const uncertainties = [...staged.uncertainties];
  for (const title of start.slice(0, titles)) {
    const text = JSON.stringify(title.filter((cell) => cell !== "").join(" "));
    uncertainties.push(say("title-row", `A row above the header was left out of the table; it says: ${text}.`));
  }
  if (header === "none") uncertainties.push(say("no-header", "The first row holds only numbers; it was read as data."));
  if (header === "doubtful") {
    uncertainties.push(
      say("doubtful-header", "Some cells of the first row are numbers; it was still read as the header."),
    );
  }
  if (odd.merged > 0) {
    const detail = `${odd.merged} cells are covered by a merged cell; only the first cell of each has its value, the others are NULL.`;
    uncertainties.push(say("merged-cells", detail));
  }
  if (odd.unresolved > 0) {
    uncertainties.push(say("formula", `${odd.unresolved} formulas have no stored result; they are NULL.`));
  }
  return { ...staged, name, source, columns: Array.from({ length: width }, (_, i) => names[i] ?? ""), uncertainties };
}

/** The cells that have values, as one block: rows without any are left out, and so are empty columns around it. */
function rowsOf(sheet: Worksheet, odd: Oddities): Cell[][] {
  const found: { readonly column: number; readonly value: unknown }[][] = [];
  sheet.eachRow((row) => {
    const cells: { column: number; value: unknown }[] = [];
    row.eachCell((cell, column) => {
      const value = contentOf(cell, odd);
      if (value !== null) cells.push({ column, value });
    });
    if (cells.length > 0) found.push(cells);
  });
  const columns = found.flatMap((cells) => cells.map(({ column }) => column));
  const first = columns.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const timed = new Set(
    found.flatMap((cells) => cells.filter(({ value }) => hasTime(value)).map(({ column }) => column)),
  );
  return found.map((cells) => {
    const row: Cell[] = [];
    for (const { column, value } of cells) row[column - first] = tagged(value, timed.has(column));
    return Array.from(row, (cell) => cell ?? null);
  });
}

function widthOf(rows: readonly (readonly Cell[])[]): number {
  return rows.reduce((widest, row) => Math.max(widest, row.length), 1);
}

/** A title may stand further left than the table below it. */
function withoutEmptyLeft(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const left = (row: readonly Cell[]) => row.findIndex((cell) => cell !== null);
  const first = rows.reduce((least, row) => Math.min(least, left(row)), Number.POSITIVE_INFINITY);
  return rows.map((row) => row.slice(first));
}

/** A number, text, boolean or Date; null for nothing. */
function contentOf(cell: SheetCell, odd: Oddities): unknown {
  if (cell.isMerged && cell.master !== cell) {
    odd.merged += 1;
    return null;
  }
  const { value } = cell;
  if (value === null || value === undefined) return null;
  if (typeof value !== "object" || value instanceof Date) return value;
  if ("richText" in value || "error" in value || "hyperlink" in value) return plainOf(value);
  if (cell.result === undefined || cell.result === null) {
    odd.unresolved += 1;
    return null;
  }
  return typeof cell.result === "object" && !(cell.result instanceof Date) ? plainOf(cell.result) : cell.result;
}

/** The text of rich text, of a link or of an error. */
function plainOf(value: object): unknown {
  if ("error" in value) return String(value.error);
  if ("richText" in value && Array.isArray(value.richText)) {
    return value.richText.map((part: unknown) => (isObject(part) && "text" in part ? String(part.text) : "")).join("");
  }
  if (!("text" in value)) return null;
  return isObject(value.text) ? plainOf(value.text) : String(value.text);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function hasTime(value: unknown): boolean {
  return value instanceof Date && value.getUTCFullYear() >= 1900 && value.getTime() % 86_400_000 !== 0;
}

/** `withTime`: some date of the column has a time of day, so all are written with one. */
function tagged(value: unknown, withTime: boolean): Cell {
  if (typeof value === "number") {
    return `${Number.isSafeInteger(value) ? CELL_TAGS.integer : CELL_TAGS.number}${value}`;
  }
  if (typeof value === "boolean") return `${CELL_TAGS.boolean}${value}`;
  if (!(value instanceof Date)) return `${CELL_TAGS.text}${value}`;
  if (Number.isNaN(value.getTime())) return null;
  const [day = "", time = ""] = value
    .toISOString()
    .replace("Z", "")
    .replace(/\.000$/, "")
    .split("T");
  // Excel's day zero: a time of day without a date.
  if (value.getUTCFullYear() < 1900) return `${CELL_TAGS.text}${time}`;
  return `${CELL_TAGS.text}${withTime ? `${day} ${time}` : day}`;
}

/** Bytes of all members of a ZIP file, from its central directory. */
async function unpackedSize(path: string): Promise<number> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, 66_000));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf("PK\x05\x06", undefined, "latin1");
    if (end < 0) throw new Error("the workbook is no whole ZIP file");
    const directory = Buffer.alloc(tail.readUInt32LE(end + 12));
    await handle.read(directory, 0, directory.length, tail.readUInt32LE(end + 16));
    let unpacked = 0;
    for (let at = 0; at + 46 <= directory.length; ) {
      unpacked += directory.readUInt32LE(at + 24);
      at += 46 + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    }
    return unpacked;
  } finally {
    await handle.close();
  }
}
