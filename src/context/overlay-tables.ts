import type { DuckDBConnection } from "@duckdb/node-api";
import { OVERLAY_TYPES, type OverlayTable } from "../core/overlay.js";
import { quoteName } from "./sql-text.js";

/**
 * Makes a trial's own tables for one connection: they are temporary, in memory, seen by no other connection and gone with this one,
 * so that trials that share a child never see each other's. Rejects where a cell does not cast to its column's type.
 */
export async function createOverlay(connection: DuckDBConnection, overlay: readonly OverlayTable[]): Promise<void> {
  for (const { name, columns, rows } of overlay) {
    const cells = columns.map((column, i) => `CAST(cells[${i + 1}] AS ${column.type}) AS ${quoteName(column.name)}`);
    // Text stays a parameter: nothing that a document says becomes SQL.
    const given = `SELECT unnest(from_json($1::VARCHAR::JSON, '[["VARCHAR"]]')) AS cells`;
    const create = `CREATE TEMP TABLE ${quoteName(name)} AS SELECT ${cells.join(", ")} FROM (${given})`;
    await connection.run(create, [JSON.stringify(rows)]);
  }
}

/** An overlay as it comes out of JSON. Throws on anything else. */
export function readOverlay(value: unknown): OverlayTable[] {
  return list(value).map((table) => ({
    name: String(member(table, "name")),
    columns: list(member(table, "columns")).map((column) => ({
      name: String(member(column, "name")),
      type: typeOf(member(column, "type")),
    })),
    rows: list(member(table, "rows")).map((row) => list(row).map((cell) => (cell === null ? null : String(cell)))),
  }));
}

function typeOf(value: unknown): (typeof OVERLAY_TYPES)[number] {
  const type = OVERLAY_TYPES.find((known) => known === value);
  if (type === undefined) throw new Error("not a type of an overlay");
  return type;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) throw new Error("not an object");
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}
