import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type CompiledContext, compileContext } from "../../src/context/compile.js";
import { folderWith } from "../support/folder.js";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Writes files (relative path → content) into a new context and compiles it with a cache of its own. */
export async function compiledFrom(files: Files): Promise<CompiledContext> {
  return compileContext(folderWith(files), { cache_dir: path.join(folderWith(), "cache") });
}

/** Rows of a query on a compiled context, every cell as DuckDB's text of it. */
export async function rowsOf(context: CompiledContext, sql: string): Promise<(string | null)[][]> {
  const database = await DuckDBInstance.create(context.database, { access_mode: "READ_ONLY" });
  const connection = await database.connect();
  try {
    const reader = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql})`);
    return reader.getRows().map((row) => row.map((value) => (value === null ? null : String(value))));
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}

export type Columns = Readonly<Record<string, readonly (string | null)[]>>;

/** Name and type → values of each column of a table, in the order of the file: `{ "id BIGINT": ["1", null] }`. */
export async function tableOf(context: CompiledContext, name: string): Promise<Columns> {
  const table = context.catalog.tables.find((found) => found.name === name);
  if (table === undefined) {
    throw new Error(`no table ${name}; there are: ${context.catalog.tables.map((found) => found.name).join(", ")}`);
  }
  const rows = await rowsOf(context, `SELECT * FROM "${name.replaceAll('"', '""')}"`);
  return Object.fromEntries(
    table.columns.map((column, i) => [`${column.name} ${column.type}`, rows.map((row) => row[i] ?? null)]),
  );
}

/** All tables: name → columns. */
export async function tablesOf(context: CompiledContext): Promise<Record<string, Columns>> {
  const tables: Record<string, Columns> = {};
  for (const { name } of context.catalog.tables) tables[name] = await tableOf(context, name);
  return tables;
}

/** Codes of a context's uncertainties, sorted, each once. */
export function codesOf(context: CompiledContext): string[] {
  return [...new Set(context.catalog.uncertainties.map((uncertainty) => uncertainty.code))].sort();
}
