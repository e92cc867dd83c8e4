import Database from "better-sqlite3";
import type { DomainReply } from "../../core/ports/domain-query.js";
import { collectValues, columnTrouble } from "./collect-values.js";

/**
 * Runs one SELECT on a SQLite file; throws SQLite's own error. `readonly` alone is not enough: on a read-only database VACUUM
 * INTO still writes another file and ATTACH opens one.
 */
export function querySqlite(path: string, sql: string): DomainReply {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  const statement = database.prepare(sql);
  if (!statement.reader || !statement.readonly) return { ok: false, message: "only one SELECT may run here" };
  const trouble = columnTrouble(statement.columns().map(({ name }) => name));
  if (trouble !== null) return { ok: false, message: trouble };
  const values = collectValues();
  for (const cell of statement.safeIntegers().pluck().iterate()) {
    if (!values.add(textOf(cell))) break;
  }
  return values.reply();
}

function textOf(cell: unknown): string | null {
  if (cell === null || typeof cell === "string") return cell;
  return cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : String(cell);
}
