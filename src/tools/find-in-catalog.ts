import type { Catalog, CatalogColumn, CatalogDocument, CatalogTable, Relationship } from "../core/catalog.js";
import { nearest } from "../core/nearest.js";
import { failure, type ToolOutcome } from "./tool.js";

type Found<Key extends string, Value> =
  | ({ readonly ok: true } & { readonly [K in Key]: Value })
  | (ToolOutcome & { ok: false });

const SHOWN_NAMES = 20;

/** The table of a name, quoted or not, in any case; else a failure that names the nearest. */
export function findTable(catalog: Catalog, name: string): Found<"table", CatalogTable> {
  const table = byName(catalog.tables, name);
  if (table !== undefined) return { ok: true, table };
  return failure("unknown-table", `there is no table "${name}"${instead(name, catalog.tables)}`);
}

/** The column of a name in a table, quoted or not, in any case, in SQL's or in the file's spelling; else a failure that names the nearest. */
export function findColumn(table: CatalogTable, name: string): Found<"column", CatalogColumn> {
  const column = byName(table.columns, name) ?? table.columns.find(({ source_name }) => source_name === name);
  if (column !== undefined) return { ok: true, column };
  return failure("unknown-column", `table "${table.name}" has no column "${name}"${instead(name, table.columns)}`);
}

/** The document of a path, in any case and with or without its folder; else a failure that names the nearest. */
export function findDocument(catalog: Catalog, path: string): Found<"document", CatalogDocument> {
  const wanted = path.replace(/^(\.?\/)+/, "").toLowerCase();
  const { documents } = catalog;
  const exact = documents.find((document) => document.path.toLowerCase() === wanted);
  const ending = documents.filter((document) => document.path.toLowerCase().endsWith(`/${wanted}`));
  const document = exact ?? (ending.length === 1 ? ending[0] : undefined);
  if (document !== undefined) return { ok: true, document };
  const named = documents.map((candidate) => ({ name: candidate.path }));
  return failure("unknown-document", `there is no document "${path}"${instead(path, named)}`);
}

/** Relationships that touch a table. */
export function relationshipsOf(catalog: Catalog, table: string): readonly Relationship[] {
  return catalog.relationships.filter(({ from_table, to_table }) => from_table === table || to_table === table);
}

function byName<Named extends { readonly name: string }>(all: readonly Named[], name: string): Named | undefined {
  const bare = /^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name;
  return (
    all.find((one) => one.name === name) ?? all.find((one) => one.name.toLowerCase() === bare.trim().toLowerCase())
  );
}

function instead(name: string, all: readonly { readonly name: string }[]): string {
  const names = all.map((one) => one.name);
  const near = nearest(name, names, 3);
  if (near.length > 0) return `; did you mean ${near.map((one) => `"${one}"`).join(", ")}?`;
  const more = names.length > SHOWN_NAMES ? `, … ${names.length - SHOWN_NAMES} more` : "";
  return `; there ${names.length === 1 ? "is" : "are"}: ${
    names
      .slice(0, SHOWN_NAMES)
      .map((one) => `"${one}"`)
      .join(", ") || "none"
  }${more}`;
}
