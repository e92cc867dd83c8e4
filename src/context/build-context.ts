import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type {
  Catalog,
  CatalogColumn,
  CatalogDocument,
  CatalogMedia,
  CatalogTable,
  Relationship,
  Uncertainty,
} from "../core/catalog.js";
import { assertNever } from "../core/errors.js";
import { KIND_MACROS } from "./column-kinds.js";
import type { ContextFile, ContextListing } from "./context-files.js";
import { type CompileDatabase, openCompileDatabase } from "./database.js";
import { writeDocument } from "./documents.js";
import { type FileKind, kindOfFile } from "./file-kind.js";
import { loadTable } from "./load-table.js";
import { type NamedColumn, nameColumns, tableNameOfFile, uniqueTableName } from "./names.js";
import { GROUPS, profileTable } from "./profile.js";
import { readCsv } from "./read/csv.js";
import { type CompiledDocument, readPdf, readTextDocument } from "./read/document.js";
import { type ReadTables, readJson } from "./read/json.js";
import { readParquet } from "./read/parquet.js";
import { readSqlite } from "./read/sqlite.js";
import type { DeclaredKey, StagedTable } from "./read/staged-table.js";
import { readWorkbook } from "./read/workbook.js";
import { findRelationships } from "./relationships.js";
import { VALUE_INDEX } from "./search-catalog.js";
import { quoteName } from "./sql-text.js";
import { createValueIndex, LONGEST_VALUE, type ValueIndexWriter, WHOLE_CAP } from "./value-index.js";

/** What a build has made so far. */
interface Build {
  readonly folder: string;
  readonly database: CompileDatabase;
  readonly values: ValueIndexWriter;
  readonly newScratchFile: () => string;
  readonly signal: AbortSignal | undefined;
  readonly tables: CatalogTable[];
  readonly documents: CatalogDocument[];
  readonly media: CatalogMedia[];
  readonly uncertainties: Uncertainty[];
  readonly keys: DeclaredKey[];
  readonly relationships: Relationship[];
  /** Table names in use, lower case. */
  readonly taken: Set<string>;
}

/**
 * Compiles the listed files into `folder`: `<digest>.duckdb` and the texts of documents. Files are taken in the order of their
 * paths, and one that cannot be read costs nothing but itself.
 */
export async function buildContext(
  listing: ContextListing,
  digest: string,
  folder: string,
  signal?: AbortSignal,
): Promise<Catalog> {
  const scratch = path.join(folder, "scratch");
  await mkdir(scratch);
  let scratchFiles = 0;
  const newScratchFile = () => path.join(scratch, String(scratchFiles++));
  const database = await openCompileDatabase(
    path.join(folder, `${digest}.duckdb`),
    newScratchFile(),
    path.join(scratch, "spill"),
    signal,
  );
  const build: Build = {
    folder,
    database,
    values: createValueIndex(path.join(folder, VALUE_INDEX)),
    newScratchFile,
    signal,
    tables: [],
    documents: [],
    media: [],
    uncertainties: [...listing.refused],
    keys: [],
    relationships: [],
    taken: new Set(),
  };
  try {
    for (const macro of KIND_MACROS) await database.run(macro);
    for (const file of withoutSideFiles(listing.files)) await addFile(build, file);
    const related = await findRelationships(database, build.tables, build.keys);
    build.relationships.push(...related.relationships);
    build.uncertainties.push(...related.uncertainties);
    await database.run("CHECKPOINT");
  } finally {
    build.values.close();
    database.close();
  }
  await rm(scratch, { recursive: true, force: true });
  const { tables, relationships, documents, media, uncertainties } = build;
  return { schema_version: 1, digest, tables, relationships, documents, media, uncertainties };
}

/** Adds what a file holds, or says why not. Only an abort and trouble of our own disk end the build. */
async function addFile(build: Build, file: ContextFile): Promise<void> {
  build.signal?.throwIfAborted();
  try {
    await addContent(build, file, await kindOfFile(file));
  } catch (error) {
    build.signal?.throwIfAborted();
    if (isTransient(error)) throw error;
    const detail = `The file could not be read: ${reasonOf(error, build, file)}`;
    build.uncertainties.push({ source: file.path, code: "unreadable", detail });
  }
}

/** The first line of what went wrong, without paths of this machine: the catalog is the same wherever it is made. */
function reasonOf(error: unknown, build: Build, file: ContextFile): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message.replaceAll(file.absolute, file.path).replaceAll(build.folder, "").split("\n");
  return line;
}

async function addContent(build: Build, file: ContextFile, kind: FileKind): Promise<void> {
  const say = (code: string, detail: string) => build.uncertainties.push({ source: file.path, code, detail });
  const name = tableNameOfFile(file.path);
  switch (kind.kind) {
    case "delimited":
      return addStaged(build, file, await readCsv(file, name, build.newScratchFile, build.signal));
    case "document":
      return addDocument(build, await readTextDocument(file, kind.format, build.newScratchFile()));
    case "pdf":
      return addDocument(build, await readPdf(file));
    case "media":
      build.media.push({ path: file.path, type: kind.type, bytes: file.bytes });
      return;
    case "empty":
      say("empty-file", "The file has no bytes; there is no table and no document for it.");
      return;
    case "json":
      return addTables(build, await readJson(file, name, build.newScratchFile, build.signal));
    case "workbook":
      return addTables(build, await readWorkbook(file, name, build.newScratchFile));
    case "parquet":
      return addTable(build, await readParquet(build.database, file, name));
    case "sqlite": {
      const read = await readSqlite(file, build.newScratchFile, build.signal);
      build.keys.push(...read.keys);
      return addTables(build, read);
    }
    case "unknown":
      say(
        "unknown-format",
        `The ${file.bytes} bytes are in no format that is read here; nothing of them is in the tables.`,
      );
      return;
    default:
      assertNever(kind);
  }
}

async function addDocument(build: Build, { document, lines, uncertainties }: CompiledDocument): Promise<void> {
  await writeDocument(build.folder, build.documents.length, lines);
  build.documents.push(document);
  build.uncertainties.push(...uncertainties);
}

async function addStaged(build: Build, file: ContextFile, staged: StagedTable | null): Promise<void> {
  if (staged === null) {
    const detail = "The file has no records; there is no table for it.";
    build.uncertainties.push({ source: file.path, code: "empty-file", detail });
    return;
  }
  await addTable(build, staged);
}

async function addTables(build: Build, { tables, uncertainties }: ReadTables): Promise<void> {
  build.uncertainties.push(...uncertainties);
  for (const staged of tables) await addTable(build, staged);
}

async function addTable(build: Build, staged: StagedTable): Promise<void> {
  const name = uniqueTableName(staged.name, staged.source, build.taken);
  const named = nameColumns(staged.columns);
  const { loaded, table } = await loadAndProfile(build, staged, name, named.columns);
  build.taken.add(name.toLowerCase());
  build.tables.push(table);
  const say = (code: string, detail: string) =>
    build.uncertainties.push({ source: staged.source, code, table: name, detail });
  if (name !== staged.name) {
    say("table-renamed", `Another file has a table ${staged.name} already; this one is named ${name}.`);
  }
  if (named.empty.length > 0) {
    say(
      "empty-header",
      `${named.empty.length} columns have no name; they are named by position (${named.empty.slice(0, 10).join(", ")}).`,
    );
  }
  if (named.duplicate.length > 0) {
    const renamed = named.duplicate.slice(0, 10).map((position) => named.columns[position - 1]?.name ?? "");
    say(
      "duplicate-header",
      `${named.duplicate.length} columns have a name that stands before (ignoring case); they are named ${renamed.join(", ")}.`,
    );
  }
  build.uncertainties.push(...staged.uncertainties.map((found) => ({ ...found, table: name })), ...loaded);
}

/** A table that fails on the way must not stay in the database without being in the catalog. */
async function loadAndProfile(build: Build, staged: StagedTable, name: string, columns: readonly NamedColumn[]) {
  try {
    const loaded = await loadTable(build.database, staged, name, columns);
    const table = await profileTable(build.database, name, staged.source, columns, (column) =>
      indexColumn(build, name, column),
    );
    return { loaded, table };
  } catch (error) {
    await build.database.run(`DROP TABLE IF EXISTS main.${quoteName(name)}`);
    throw error;
  }
}

/** Makes the texts of a column known to the search, while their counts are at hand. */
async function indexColumn({ database, values }: Build, table: string, column: CatalogColumn): Promise<void> {
  if (column.type !== "VARCHAR" || column.distinct === 0) return;
  values.startColumn(table, column.name, column.distinct);
  const indexed = `SELECT v, n FROM ${GROUPS} WHERE length(v) <= ${LONGEST_VALUE} ORDER BY n DESC, v LIMIT ${WHOLE_CAP}`;
  for await (const rows of database.chunks(indexed)) {
    for (const [value, count] of rows) values.add(value ?? "", Number(count));
  }
}

/** Trouble of this machine, now: it must not be remembered as a property of the file. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM"].includes(code) ||
    /^Out of Memory|No space left|Cannot allocate memory/i.test(error.message)
  );
}

/** SQLite's own files beside a database are read with it. */
function withoutSideFiles(files: readonly ContextFile[]): readonly ContextFile[] {
  const paths = new Set(files.map((file) => file.path));
  return files.filter((file) => {
    const main = /^(.+)-(?:wal|shm|journal)$/.exec(file.path)?.[1];
    return main === undefined || !paths.has(main);
  });
}
