import type { DomainReply } from "../../core/ports/domain-query.js";
import { openLocked } from "../query-database.js";
import { openEngine } from "../query-engine.js";
import type { GateTable } from "../sql-gate.js";
import { collectValues, columnTrouble } from "./collect-values.js";

/** Runs one SELECT on the tables and views of a DuckDB file's main schema, behind the gate that a task's context has. */
export async function queryDuckdb(path: string, sql: string): Promise<DomainReply> {
  const engine = await openEngine(path, await tablesOf(path));
  const values = collectValues();
  const end = await engine.query(sql, { max_rows: Number.MAX_SAFE_INTEGER, overlay: [] }, (piece) => {
    if (piece.kind === "rows") for (const [cell = null] of piece.rows) values.add(cell);
  });
  if (end.kind === "failed") return { ok: false, message: end.message };
  const trouble = columnTrouble(end.kind === "done" ? end.columns : []);
  return trouble === null ? values.reply() : { ok: false, message: trouble };
}

async function tablesOf(path: string): Promise<GateTable[]> {
  const database = await openLocked(path);
  const connection = await database.connect();
  const reader = await connection.runAndReadAll(
    "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal",
  );
  const columns = new Map<string, string[]>();
  for (const [table, column] of reader.getRows()) {
    const name = String(table);
    columns.set(name, [...(columns.get(name) ?? []), String(column)]);
  }
  connection.closeSync();
  database.closeSync();
  return [...columns].map(([name, names]) => ({ name, columns: names }));
}
