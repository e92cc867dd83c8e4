import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { QueryContext } from "../../src/context/query-pool.js";
import type { Catalog } from "../../src/core/catalog.js";

/** A compiled context from statements, in a folder of its own: `{folder}/data.duckdb`, with a catalog of its tables. */
export async function contextOf(
  digest: string,
  statements: readonly string[],
): Promise<QueryContext & { folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "daw-query-"));
  const database = path.join(folder, "data.duckdb");
  const db = await DuckDBInstance.create(database);
  const connection = await db.connect();
  for (const statement of statements) await connection.run(statement);
  const tables = await connection.runAndReadAll(
    "SELECT table_name, list(column_name ORDER BY column_index), list(data_type ORDER BY column_index) FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal GROUP BY table_name ORDER BY table_name",
  );
  const catalog: Catalog = {
    schema_version: 1,
    digest,
    tables: tables.getRowsJson().map(([name, columns, types]) => ({
      name: String(name),
      source: `${name}.csv`,
      rows: 0,
      columns: strings(columns).map((column, position) => ({
        name: column,
        source_name: column,
        type: strings(types)[position] ?? "",
        nulls: 0,
        distinct: 0,
        min: null,
        max: null,
        top_values: [],
      })),
    })),
    relationships: [],
    documents: [],
    media: [],
    uncertainties: [],
  };
  connection.closeSync();
  db.closeSync();
  return { digest, database, catalog, folder };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether processes can be looked at here. */
export const hasProc = process.platform === "linux";

/** Ids of the live query children below this process, wrappers not counted. */
export function queryChildren(): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => argvOf(pid)[1]?.endsWith("/dist/context/query-child.js") && isBelowUs(pid))
    .map(Number);
}

function argvOf(pid: string): string[] {
  return readProc(pid, "cmdline").split("\0");
}

function isBelowUs(pid: string): boolean {
  const parent = /^PPid:\s*(\d+)/m.exec(readProc(pid, "status"))?.[1];
  if (parent === undefined || parent === "0") return false;
  return parent === String(process.pid) || isBelowUs(parent);
}

/** Empty where the process has just ended. */
export function readProc(pid: string | number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
