import { copyFile, stat } from "node:fs/promises";
import type Database from "better-sqlite3";
import { z } from "zod";
import type { Uncertainty } from "../../core/catalog.js";
import type { ContextFile } from "../context-files.js";
import { openSqlite, writeSqliteRows } from "./sqlite-rows.js";
import { readSqliteView } from "./sqlite-view.js";
import type { DeclaredKey, StagedTable } from "./staged-table.js";
import { readHead } from "./utf8-file.js";

/** Tables of a SQLite file, the foreign keys that its schema declares, and what could not be read. */
export interface SqliteTables {
  readonly tables: readonly StagedTable[];
  readonly keys: readonly DeclaredKey[];
  readonly uncertainties: readonly Uncertainty[];
}

const listSchema = z.array(z.object({ schema: z.string(), name: z.string(), type: z.string() }));
const columnSchema = z.array(z.object({ name: z.string(), type: z.string() }));
const keySchema = z.array(
  z.object({ id: z.int(), seq: z.int(), table: z.string(), from: z.string(), to: z.string().nullable() }),
);
const primarySchema = z.array(z.object({ name: z.string(), pk: z.int() }));

/**
 * Reads all tables and views. Tables are copied row by row; views, which are queries of whoever made the file, are read in a child
 * process with a time limit. One that cannot be read is an uncertainty; rejects when the file as a whole cannot be.
 */
export async function readSqlite(
  file: ContextFile,
  newScratchFile: () => string,
  signal?: AbortSignal,
): Promise<SqliteTables> {
  const path = await untouchable(file, newScratchFile());
  const database = openSqlite(path);
  const tables: StagedTable[] = [];
  const keys: DeclaredKey[] = [];
  const uncertainties: Uncertainty[] = [];
  try {
    for (const { name, type } of listed(database)) {
      const source = `${file.path}#${name}`;
      try {
        const cells =
          type === "view"
            ? await readSqliteView(path, name, newScratchFile(), source, signal)
            : await writeSqliteRows(database, name, newScratchFile(), source, Number.MAX_SAFE_INTEGER, signal);
        tables.push({ ...cells, name, source, declaredTypes: declaredTypes(database, name) });
        keys.push(...declaredKeys(database, name, source));
      } catch (error) {
        signal?.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        uncertainties.push({
          source,
          code: "unreadable",
          detail: `The ${type === "view" ? "view" : "table"} could not be read: ${reason}.`,
        });
      }
    }
  } finally {
    database.close();
  }
  return { tables, keys, uncertainties };
}

/**
 * SQLite writes beside a file in WAL mode even when it only reads it, and cannot read one that a crash left with a journal. Such
 * files are copied first: nothing is ever written into a context.
 */
async function untouchable(file: ContextFile, copy: string): Promise<string> {
  const head = await readHead(file.absolute, 32);
  const beside: string[] = [];
  for (const ending of ["-wal", "-journal"]) {
    if (await stat(file.absolute + ending).catch(() => null)) beside.push(ending);
  }
  if (head[18] !== 2 && beside.length === 0) return file.absolute;
  for (const ending of ["", ...beside]) await copyFile(file.absolute + ending, copy + ending);
  return copy;
}

/** Tables and views in the order of their names; not SQLite's own, and not the ones in which a virtual table keeps its data. */
function listed(database: Database.Database): readonly { readonly name: string; readonly type: string }[] {
  return listSchema
    .parse(database.pragma("table_list"))
    .filter(({ schema, name, type }) => schema === "main" && type !== "shadow" && !name.startsWith("sqlite_"))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** By the declaration, for columns that hold no value to go by. SQLite's own rule of affinity. */
function declaredTypes(database: Database.Database, name: string): readonly ("BIGINT" | "DOUBLE" | null)[] {
  return columnSchema.parse(database.pragma(`table_info(${quoted(name)})`)).map(({ type }) => {
    if (/INT/i.test(type)) return "BIGINT";
    return /REAL|FLOA|DOUB|NUM|DEC/i.test(type) ? "DOUBLE" : null;
  });
}

function declaredKeys(database: Database.Database, name: string, source: string): DeclaredKey[] {
  return keySchema.parse(database.pragma(`foreign_key_list(${quoted(name)})`)).map(({ table, from, to, seq }) => ({
    source,
    column: from,
    to_table: table,
    // Without a named column the key refers to the primary key of the other table.
    to_column: to ?? primaryKey(database, table)[seq] ?? null,
  }));
}

function primaryKey(database: Database.Database, table: string): readonly string[] {
  return primarySchema
    .parse(database.pragma(`table_info(${quoted(table)})`))
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
