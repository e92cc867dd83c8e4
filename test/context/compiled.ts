import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type CompiledContext, compileContext } from "../../src/context/compile.js";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A new empty folder below the system's temporary one; `remove` deletes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "daw-context-"));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Writes files (relative path → content) below a folder. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const full = path.join(folder, name);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, content);
  }
}

/** Compiles files that are written for it, and lets `use` look at the outcome before everything is removed. */
export async function withCompiled(files: Files, use: (context: CompiledContext) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  try {
    const dir = path.join(folder.path, "context");
    mkdirSync(dir);
    writeFiles(dir, files);
    await use(await compileContext(dir, { cache_dir: path.join(folder.path, "cache") }));
  } finally {
    folder.remove();
  }
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

/** Type and values of each column of a table, in the order of the file: `{ "id BIGINT": ["1", null] }`. */
export async function tableOf(context: CompiledContext, name: string): Promise<Record<string, (string | null)[]>> {
  const table = context.catalog.tables.find((found) => found.name === name);
  if (table === undefined) {
    throw new Error(`no table ${name}; there are: ${context.catalog.tables.map((found) => found.name).join(", ")}`);
  }
  const rows = await rowsOf(context, `SELECT * FROM "${name.replaceAll('"', '""')}"`);
  return Object.fromEntries(
    table.columns.map((column, i) => [`${column.name} ${column.type}`, rows.map((row) => row[i] ?? null)]),
  );
}

/** Codes of a context's uncertainties, sorted, each once. */
export function codesOf(context: CompiledContext): string[] {
  return [...new Set(context.catalog.uncertainties.map((uncertainty) => uncertainty.code))].sort();
}
