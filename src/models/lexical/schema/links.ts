import type { ObservedRelationship } from "../observations.js";
import {
  type ColumnName,
  type Edge,
  isIdentifier,
  isUnique,
  keyOf,
  type SchemaColumn,
  type SchemaTable,
} from "./schema.js";

/** Links between tables: those that the tools state, and those that names and value ranges speak for. */
export function linkTables(tables: readonly SchemaTable[], stated: readonly ObservedRelationship[]): readonly Edge[] {
  const links: (readonly [SchemaColumn, SchemaColumn])[] = [];
  const find = (name: ColumnName) =>
    tables.find((table) => table.name === name.table)?.columns.find((column) => column.name === name.column);
  for (const { from_table, from_column, to_table, to_column } of stated) {
    const from = find({ table: from_table, column: from_column });
    const to = find({ table: to_table, column: to_column });
    const link = from === undefined || to === undefined ? null : manyToOne(from, to);
    if (link !== null) links.push(link);
  }
  for (const table of tables) {
    for (const column of table.columns) {
      const target = targetByName(column, table, tables);
      if (target !== null && !links.some(([from, to]) => joins(from, to, column, target))) links.push([column, target]);
    }
  }
  return links.map(([from, to]) => edge(from, to, tables));
}

/** The end that is unique is the one that is pointed at; a link between two that are not is none. */
function manyToOne(from: SchemaColumn, to: SchemaColumn): readonly [SchemaColumn, SchemaColumn] | null {
  if (isUnique(to) || to.distinct === null) return [from, to];
  return isUnique(from) ? [to, from] : null;
}

function joins(from: SchemaColumn, to: SchemaColumn, left: SchemaColumn, right: SchemaColumn): boolean {
  const same = (a: SchemaColumn, b: SchemaColumn) => a.table === b.table && a.name === b.name;
  return (same(from, left) && to.table === right.table) || (same(from, right) && same(to, left));
}

function edge(from: SchemaColumn, to: SchemaColumn, tables: readonly SchemaTable[]): Edge {
  const target = tables.find((table) => table.name === to.table);
  const spoken = new Set([
    "id",
    "link",
    "to",
    "fk",
    "ref",
    "cod",
    "code",
    "api",
    ...to.words,
    ...(target?.words ?? []),
  ]);
  return {
    from: { table: from.table, column: from.name },
    to: { table: to.table, column: to.name },
    role: from.words.filter((word) => !spoken.has(word)),
  };
}

/** The unique column of another table that a column's name speaks for and whose values cover its range. */
function targetByName(column: SchemaColumn, table: SchemaTable, tables: readonly SchemaTable[]): SchemaColumn | null {
  const targets = tables
    .filter((other) => other !== table)
    .flatMap((other) => other.columns.filter((key) => isKeyLike(key, other)).map((key) => ({ other, key })))
    .filter(({ key }) => comparable(column, key) && insideRange(column, key))
    .map(({ other, key }) => ({ key, score: nameEvidence(column, key, other) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
  return targets[0]?.key ?? null;
}

/** `origin_airport` holds what the key of airports holds: text that is a code there. */
function isNamedAfter(column: SchemaColumn, key: SchemaColumn, table: SchemaTable): boolean {
  const head = table.words.at(-1);
  const isCode = key.kind === "text" && (isIdentifier(key) || key === table.columns[0]);
  return (
    isCode &&
    column.kind === "text" &&
    column.words.at(-1) === head &&
    column.top.length > 0 &&
    key.rows >= (column.distinct ?? 0)
  );
}

function isKeyLike(column: SchemaColumn, table: SchemaTable): boolean {
  return (
    (isUnique(column) && column === keyOf(table)) ||
    (isUnique(column) && (isIdentifier(column) || column.kind === "text"))
  );
}

function comparable(left: SchemaColumn, right: SchemaColumn): boolean {
  return (left.kind === "number") === (right.kind === "number");
}

function insideRange(column: SchemaColumn, key: SchemaColumn): boolean {
  if (column.min === null || key.min === null || column.max === null || key.max === null) return true;
  if (column.kind === "number") {
    return Number(column.min) >= Number(key.min) && Number(column.max) <= Number(key.max);
  }
  return column.min >= key.min && column.max <= key.max;
}

/** 0: the names say nothing; else how much `column` looks like a pointer to `key` of `table`. */
function nameEvidence(column: SchemaColumn, key: SchemaColumn, table: SchemaTable): number {
  const named = column.words.join(" ");
  const keyName = key.words.join(" ");
  if (named === keyName && named !== "id")
    return isIdentifier(key) || key.kind === "text" || key === table.columns[0] ? 3 : 0;
  if (key.words.length > 1 && column.words.slice(-key.words.length).join(" ") === keyName) return 2.8;
  const pointer = column.words.filter((word) => word !== "id" && word !== "link" && word !== "to");
  if (isNamedAfter(column, key, table)) return 1.8;
  if (pointer.length === 0 || !(isIdentifier(column) || column.words.includes("link") || column.words.length === 1))
    return 0;
  const last = pointer.at(-1) ?? "";
  const owner = table.words.at(-1) ?? "";
  const ending = (column.words.at(-1) === "id" || column.words.includes("link")) && owner !== "";
  if (ending && pointer.slice(-table.words.length).join(" ") === table.words.join(" ")) return 2.5;
  if (ending && (last === owner || (last.length > 3 && owner.endsWith(last)))) return 2;
  if (isIdentifier(key) && column.kind === "text" && last.length > 2 && keyName.replaceAll(" ", "").startsWith(last))
    return 1;
  return pointer.length === 1 && key.words.length > 1 && key.words[0] === last && table.words.includes(last) ? 1.5 : 0;
}
