import { isRecord } from "../../core/json.js";
import { counted } from "../numbers.js";
import { isNames, isRows } from "../table-shape.js";
import { formatTable, type TableColumn } from "../text-table.js";
import { oneLine, plainLine, textWidth, wrapParts } from "../text-width.js";
import { hangingLines, sqlLines } from "./sql-lines.js";

/** How much of a value is shown. */
export interface ValueStyle {
  /** Cells of a line; null: any. */
  readonly width: number | null;
  /** Rows of a table; null: all. */
  readonly rows: number | null;
}

/** Cells down to which a column of a table is cut. */
const LEAST_CELLS = 8;
/** Cells between two columns. */
const GAP = 2;

/** What a tool returned: JSON as `valueLines` has it, anything else as text. */
export function contentLines(content: string, style: ValueStyle): string[] {
  const value = parsed(content);
  return value === undefined ? textLines(content, style.width) : valueLines(value, style);
}

function parsed(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Any JSON value: a table as one, also each in a list of `results`; a record's short fields in a line, its long ones and lists below. */
export function valueLines(value: unknown, style: ValueStyle): string[] {
  const table = tableOf(value);
  if (table !== null) return tableLines(table, style);
  if (Array.isArray(value)) return listLines(value, style);
  if (!isRecord(value)) return textLines(plainText(value), style.width);
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  const short = fields
    .filter(([, field]) => isShort(field))
    .map(([name, field]) => oneLine(`${name}: ${plainText(field)}`));
  return [
    ...(short.length === 0 ? [] : wrapParts(short, " · ", style.width)),
    ...fields.filter(([, field]) => !isShort(field)).flatMap(([name, field]) => fieldLines(name, field, style)),
  ];
}

/** A field that needs lines of its own, under its name. */
function fieldLines(name: string, field: unknown, style: ValueStyle): string[] {
  if (Array.isArray(field) && field.some((one) => tableOf(one) !== null)) return listLines(field, style);
  const inner = { ...style, width: style.width === null ? null : Math.max(LEAST_CELLS, style.width - GAP) };
  const lines = valueLines(field, inner);
  return lines.length === 0 ? [] : [`${oneLine(name)}:`, ...lines.map(indented)];
}

const indented = (line: string): string => (line === "" ? "" : " ".repeat(GAP) + line);

function listLines(list: readonly unknown[], style: ValueStyle): string[] {
  const records = list.filter(isRecord);
  if (records.length < list.length) return wrapParts(list.map(cellText), ", ", style.width);
  if (records.some((record) => tableOf(record) !== null)) return records.flatMap((record) => valueLines(record, style));
  const columns = [...new Set(records.flatMap(Object.keys))];
  const rows = records.map((record) => columns.map((name) => record[name] ?? null));
  return list.length === 0 ? [] : tableLines({ columns, rows, count: rows.length }, style);
}

/** Characters of a text that stands in a line with others. */
const SHORT = 60;

function isShort(field: unknown): boolean {
  if (typeof field === "string") return field.length <= SHORT && !field.includes("\n");
  return typeof field !== "object" || field === null;
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A text of several lines. */
export function textLines(text: string, width: number | null): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map(plainLine)
    .flatMap((line) => hangingLines(line, width, 0));
}

/** The arguments of a call: SQL and code in lines of their own, all else `name: value`. */
export function argumentLines(args: unknown, style: ValueStyle): string[] {
  if (!isRecord(args)) return valueLines(args, style);
  return Object.entries(args).flatMap(([name, value]) => {
    const texts = Array.isArray(value) ? value : [value];
    if (/^(sql|query|queries)$/.test(name) && texts.every((text) => typeof text === "string")) {
      return texts.flatMap((text) => sqlLines(String(text), style.width));
    }
    if (name === "code" && typeof value === "string") return textLines(value, style.width);
    const shown = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return hangingLines(oneLine(`${name}: ${shown}`), style.width, 2);
  });
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Rows that there are; the tool may have sent fewer. */
  readonly count: number;
}

function tableOf(value: unknown): Table | null {
  if (!isRecord(value)) return null;
  const { columns, rows, row_count } = value;
  if (!isNames(columns) || !isRows(rows)) return null;
  return { columns, rows, count: typeof row_count === "number" ? row_count : rows.length };
}

/** A table of named columns, and below it how many rows there are, and columns that had no room. */
export function tableLines({ columns, rows, count }: Table, { width, rows: most }: ValueStyle): string[] {
  const shown = most === null ? rows : rows.slice(0, most);
  const texts = shown.map((row) => columns.map((_, index) => cellText(row[index])));
  const wide = columns.map((name, index) =>
    texts.reduce((widest, row) => Math.max(widest, textWidth(row[index] ?? "")), textWidth(oneLine(name))),
  );
  const fitting = width === null ? columns.length : columnsThatFit(wide, width);
  const layout = columns.slice(0, fitting).map(
    (name, index): TableColumn => ({
      header: oneLine(name),
      align: shown.every((row) => isNumber(row[index])) ? "right" : "left",
      min: LEAST_CELLS,
    }),
  );
  const cells = texts.map((row) => row.slice(0, fitting).map((text) => ({ text })));
  const [left, hidden] = [count - shown.length, columns.length - fitting];
  return [
    ...formatTable(layout, cells, width),
    ...wrapParts(
      [
        left > 0 && shown.length > 0 ? `… ${counted(left, "more row")}` : counted(count, "row"),
        ...(hidden > 0 ? [`… ${counted(hidden, "more column")}`] : []),
      ],
      ", ",
      width,
    ),
  ];
}

/** How many of the first columns have room when each is cut as far as may be; at least one. */
function columnsThatFit(wide: readonly number[], width: number): number {
  let used = 0;
  const fitting = wide.findIndex((cells) => {
    used += Math.min(cells, LEAST_CELLS) + GAP;
    return used - GAP > width;
  });
  return Math.max(1, fitting === -1 ? wide.length : fitting);
}

/** A list of named things is shown by their names. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "NULL";
  if (Array.isArray(cell))
    return cell
      .map((one) => (isRecord(one) && typeof one.name === "string" ? one.name : plainText(one)))
      .map(oneLine)
      .join(", ");
  return oneLine(plainText(cell)) || "''";
}

function isNumber(cell: unknown): boolean {
  return cell === null || typeof cell === "number" || (typeof cell === "string" && /^[-+]?\d[\d.,]*$/.test(cell));
}
