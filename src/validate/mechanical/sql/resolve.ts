import type { LightCatalog } from "../../../core/catalog.js";
import { type SqlNode, textsUnder } from "../sql-tree.js";
import type { ColumnSource, LightTable, OutputColumn, Relation, Scope } from "./reading.js";

/** SQL compares names without case. */
export function sameName(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase();
}

export function tableNamed(catalog: LightCatalog, name: string): LightTable | null {
  return catalog.tables.find((table) => sameName(table.name, name)) ?? null;
}

/** What a column reference stands for: a column of a relation. */
export interface Resolved {
  readonly relation: Relation;
  /** False where the relation is one of a query around. */
  readonly isLocal: boolean;
  readonly column: OutputColumn;
  readonly source: ColumnSource | null;
}

/**
 * Looks a COLUMN_REF up: `column`, `relation.column`, with the fields of a struct behind it. Null where it is not found, where it is a
 * name given in the select list, or where a relation with unknown columns could have it.
 */
export function resolveColumn(ref: SqlNode, scope: Scope): Resolved | null {
  const names = textsUnder(ref, "column_names");
  for (let level: Scope | null = scope; level !== null; level = level.outer) {
    const found = qualified(names, level) ?? unqualified(names, level);
    if (found === "unknown") return null;
    if (found !== null) return { ...found, isLocal: level === scope };
  }
  return null;
}

type Found = Omit<Resolved, "isLocal">;

function qualified([first, second]: readonly string[], { relations }: Scope): Found | "unknown" | null {
  if (first === undefined || second === undefined) return null;
  const relation = relations.find(({ alias }) => sameName(alias, first));
  if (relation === undefined) return null;
  if (relation.columns === null) return "unknown";
  const column = columnNamed(relation.columns, second);
  return column === null ? null : { relation, column, source: column.source };
}

function unqualified([name]: readonly string[], { relations }: Scope): Found | "unknown" | null {
  if (name === undefined) return null;
  for (const relation of relations) {
    const column = relation.columns === null ? null : columnNamed(relation.columns, name);
    if (column !== null) return { relation, column, source: column.source };
  }
  return relations.some(({ columns }) => columns === null) ? "unknown" : null;
}

function columnNamed(columns: readonly OutputColumn[], name: string): OutputColumn | null {
  return columns.find((column) => sameName(column.name, name)) ?? null;
}
