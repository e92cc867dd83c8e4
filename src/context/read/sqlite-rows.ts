import Database from "better-sqlite3";
import { type CellFile, openCellFile, type StagedCells } from "./cell-file.js";
import type { Cell } from "./json-item.js";
import { CELL_TAGS } from "./staged-table.js";

const YIELD_ROWS = 2_048;

/** Opens a SQLite file so that nothing can be written to it. Throws when it is none, or damaged at its start. */
export function openSqlite(file: string): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  database.pragma("trusted_schema = off");
  return database;
}

/**
 * Copies the rows of a table or view, in SQLite's own order, into a file of cells. Whole numbers keep 64 bits, binary values become
 * hexadecimal digits. Rejects when there are more than `maxRows` rows or a page is damaged.
 */
export async function writeSqliteRows(
  database: Database.Database,
  name: string,
  path: string,
  source: string,
  maxRows: number,
  signal?: AbortSignal,
): Promise<StagedCells & { readonly columns: readonly string[] }> {
  const statement = database
    .prepare<[], unknown[]>(`SELECT * FROM "${name.replaceAll('"', '""')}"`)
    .raw()
    .safeIntegers();
  const columns = statement.columns().map((column) => column.name);
  const cells = openCellFile(path, columns.length, source);
  const damaged = await addRows(statement.iterate(), cells, maxRows, signal);
  const staged = await cells.finish();
  const detail = `${damaged} texts are not valid UTF-8; their damaged places were read as U+FFFD.`;
  const uncertainties = damaged > 0 ? [{ source, code: "invalid-bytes", detail }] : [];
  return { ...staged, columns, uncertainties: [...staged.uncertainties, ...uncertainties] };
}

/** Returns how many texts hold a replacement character. */
async function addRows(
  rows: Iterable<readonly unknown[]>,
  cells: CellFile,
  maxRows: number,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  let damaged = 0;
  for (const row of rows) {
    count += 1;
    if (count > maxRows) throw new Error(`it has more than ${maxRows} rows`);
    cells.add(row.map(cellOf));
    for (const value of row) if (typeof value === "string" && value.includes("\ufffd")) damaged += 1;
    if (count % YIELD_ROWS === 0) {
      signal?.throwIfAborted();
      await cells.flush();
    }
  }
  return damaged;
}

function cellOf(value: unknown): Cell {
  if (value === null) return null;
  if (typeof value === "bigint") return `${CELL_TAGS.integer}${value}`;
  if (typeof value === "number") return `${CELL_TAGS.number}${value}`;
  if (typeof value === "string") return `${CELL_TAGS.text}${value}`;
  if (Buffer.isBuffer(value)) return `${CELL_TAGS.blob}${value.toString("hex")}`;
  throw new Error(`SQLite returned a value of type ${typeof value}`);
}
