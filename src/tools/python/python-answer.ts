import type { Table } from "../../core/ports/query-worker.js";
import { isList, isObject, type LooseJson, looseText, readLooseObject } from "../loose-json.js";

/** The table that code printed, or in words why there is none. */
export type PrintedAnswer = { readonly ok: true; readonly table: Table } | { readonly ok: false; readonly why: string };

/** Text may have many braces that open nothing: so many times its length is read at most. */
const MOST_READINGS = 10;

const HOW = 'print the answer last: print(json.dumps({"columns": [...], "rows": [[...], ...]}, default=str))';

/**
 * The last JSON object in a text that has `columns` and `rows`: names, and a list of values or an object by name for each row. Python's NaN is a
 * missing cell; numbers keep the digits that were printed; lists and objects are cells of JSON text.
 */
export function printedAnswer(text: string): PrintedAnswer {
  let budget = MOST_READINGS * text.length;
  for (
    let start = text.lastIndexOf("{");
    start >= 0 && budget > 0;
    start = start === 0 ? -1 : text.lastIndexOf("{", start - 1)
  ) {
    const { object, end } = readLooseObject(text, start);
    budget -= end - start + 1;
    const [columns, rows] = [object?.get("columns"), object?.get("rows")];
    if (columns !== undefined && rows !== undefined) return tableOf(columns, rows);
  }
  return { ok: false, why: `stdout has no JSON object with columns and rows; ${HOW}` };
}

function tableOf(given: LooseJson, rows: LooseJson): PrintedAnswer {
  const columns = namesOf(given);
  if (columns === null) return { ok: false, why: `columns must be a list of at least one name; ${HOW}` };
  if (!isList(rows)) return { ok: false, why: `rows must be a list; ${HOW}` };
  const read: (readonly LooseJson[])[] = [];
  for (const [index, row] of rows.entries()) {
    const values = valuesOf(row, columns);
    if (typeof values === "string") return { ok: false, why: `row ${index + 1} ${values}` };
    read.push(values);
  }
  const types = columns.map((_, column) => typeOf(read.map((row) => row[column] ?? null)));
  return { ok: true, table: { columns, types, rows: read.map((row) => row.map(cellOf)) } };
}

/** Also numbers are names: pandas numbers columns that have none. */
function namesOf(value: LooseJson): string[] | null {
  if (!isList(value) || value.length === 0) return null;
  const names = value.map((name) => (typeof name === "string" || typeof name === "number" ? String(name) : null));
  return names.every((name) => name !== null) ? names : null;
}

function valuesOf(row: LooseJson, columns: readonly string[]): readonly LooseJson[] | string {
  if (isObject(row)) {
    const missing = columns.find((column) => !row.has(column));
    return missing === undefined ? columns.map((column) => row.get(column) ?? null) : `has no value for "${missing}"`;
  }
  if (!isList(row)) return "is neither a list nor an object";
  return row.length === columns.length ? row : `has ${row.length} values for ${columns.length} columns`;
}

function cellOf(value: LooseJson): string | null {
  if (value === null || typeof value === "string") return value;
  return looseText(value);
}

/** DuckDB's name of the narrowest type that holds all values. */
function typeOf(values: readonly LooseJson[]): string {
  const kinds = new Set(values.flatMap((value) => (value === null ? [] : kindOf(value))));
  if (kinds.size === 0) return "VARCHAR";
  if ([...kinds].every((kind) => kind === "BIGINT" || kind === "DOUBLE"))
    return kinds.has("DOUBLE") ? "DOUBLE" : "BIGINT";
  return kinds.size === 1 && kinds.has("BOOLEAN") ? "BOOLEAN" : "VARCHAR";
}

function kindOf(value: Exclude<LooseJson, null>): string {
  if (typeof value === "boolean") return "BOOLEAN";
  const number = typeof value === "number" || (typeof value === "object" && "number" in value);
  if (!number) return "VARCHAR";
  return /^-?\d+$/.test(looseText(value)) ? "BIGINT" : "DOUBLE";
}
