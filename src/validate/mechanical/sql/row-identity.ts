import { nodesOf, partsUnder, type SqlNode } from "../sql-tree.js";
import { isAggregate } from "./aggregates.js";
import { named } from "./build.js";
import type { BaseTable, Relation, SelectBlock } from "./reading.js";
import { sameName } from "./resolve.js";
import { columnRef } from "./rewrite.js";

/** A catalog table whose single rows can be told apart in a SELECT, also through subqueries and CTEs that only join and filter. */
export interface VisibleRows {
  readonly base: BaseTable;
  /** The relation of the SELECT that shows them. */
  readonly relation: Relation;
  /** Equal for the same row of the table. */
  readonly identity: SqlNode;
}

export interface RowIdentities {
  /** From left to right. */
  readonly rows: readonly VisibleRows[];
  /** Some relation's rows cannot be told apart: it groups, is a set operation, or is unknown. */
  readonly hasOthers: boolean;
  /** Columns that SELECTs further down have to show for the identities to be there. */
  readonly extra: ReadonlyMap<SqlNode, readonly SqlNode[]>;
}

/** How the rows of the tables under a SELECT can be told apart. */
export function rowIdentities(block: SelectBlock): RowIdentities {
  const extra = new Map<SqlNode, readonly SqlNode[]>();
  const names = new Map<BaseTable, string>();
  const found = identities(block, extra, names);
  return { ...found, extra };
}

function identities(
  block: SelectBlock,
  extra: Map<SqlNode, readonly SqlNode[]>,
  names: Map<BaseTable, string>,
): Omit<RowIdentities, "extra"> {
  const parts = block.scope.relations.map((relation) => ofRelation(relation, extra, names));
  return { rows: parts.flatMap(({ rows }) => rows), hasOthers: parts.some(({ hasOthers }) => hasOthers) };
}

function ofRelation(
  relation: Relation,
  extra: Map<SqlNode, readonly SqlNode[]>,
  names: Map<BaseTable, string>,
): Omit<RowIdentities, "extra"> {
  const { base, query, alias } = relation;
  if (base !== null) {
    const isTaken = base.table.columns.some(({ name }) => sameName(name, "rowid"));
    return isTaken
      ? { rows: [], hasOthers: true }
      : { rows: [{ base, relation, identity: columnRef(alias, "rowid") }], hasOthers: false };
  }
  const [inner, ...more] = query?.branches ?? [];
  if (query === null || inner === undefined || more.length > 0 || inner.node !== query.node || !keepsRows(inner.node)) {
    return { rows: [], hasOthers: true };
  }
  const below = identities(inner, extra, names);
  const shown = below.rows.map((row) => ({ row, name: nameOf(row.base, names) }));
  extra.set(
    inner.node,
    shown.map(({ row, name }) => named(row.identity, name)),
  );
  const rows = shown.map(({ row, name }) => ({ base: row.base, relation, identity: columnRef(alias, name) }));
  return { rows, hasOthers: below.hasOthers };
}

function nameOf(base: BaseTable, names: Map<BaseTable, string>): string {
  const name = names.get(base) ?? `row identity ${names.size + 1}`;
  names.set(base, name);
  return name;
}

/** A SELECT that only joins, filters, computes and orders: each of its rows is one of its FROM. */
function keepsRows(node: SqlNode): boolean {
  const groups = partsUnder(node, "group_expressions").length > 0 || node.aggregate_handling === "FORCE_AGGREGATES";
  const isCut = partsUnder(node, "modifiers").some(({ type }) => type !== "ORDER_MODIFIER");
  return !groups && !isCut && !partsUnder(node, "select_list").some(hasAggregate);
}

/** Whether an expression aggregates rows of its own SELECT, not in a window or a subquery. */
export function hasAggregate(expression: SqlNode): boolean {
  return [...nodesOf(expression)].some(isAggregate);
}
