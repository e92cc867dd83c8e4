import type { LightCatalog } from "../../../core/catalog.js";
import { ctesOf, innerQuery, isSqlNode, partOf, partsUnder, type SqlNode, textsUnder, textUnder } from "../sql-tree.js";
import { outputColumns, tableColumns, withNames } from "./output-columns.js";
import type { BaseTable, ColumnSource, Join, QueryReading, Relation, Scope, SelectBlock } from "./reading.js";
import { resolveColumn, sameName, tableNamed } from "./resolve.js";
import { sharedColumns } from "./shared-columns.js";

/** What a query node is read under. */
interface Surroundings {
  readonly catalog: LightCatalog;
  readonly ctes: readonly VisibleCte[];
  readonly outer: Scope | null;
  readonly leavesOut: boolean;
}

interface VisibleCte {
  readonly name: string;
  readonly entry: SqlNode;
  readonly query: QueryReading;
}

/** Lists that grow while a query is read. */
interface Found {
  readonly blocks: SelectBlock[];
  readonly bases: BaseTable[];
  readonly uses: ColumnSource[];
}

/** Reads a syntax tree (the root query node) against the tables of a context. */
export function readQuery(tree: unknown, catalog: LightCatalog): QueryReading | null {
  return isSqlNode(tree) ? readNode(tree, { catalog, ctes: [], outer: null, leavesOut: false }) : null;
}

function readNode(node: SqlNode, around: Surroundings): QueryReading {
  const found: Found = { blocks: [], bases: [], uses: [] };
  const inside = { ...around, ctes: readCtes(node, around, found) };
  const parts = readBody(node, inside, found);
  return { node, ...parts, ...found };
}

/** The CTEs that a node sees: those around it, then its own, each after those that it sees itself. */
function readCtes(node: SqlNode, around: Surroundings, found: Found): readonly VisibleCte[] {
  return ctesOf(node).reduce<readonly VisibleCte[]>((ctes, { name, entry, value }) => {
    const query = innerQuery(value, "query");
    if (query === null) return ctes;
    const reading = take(readNode(query, { ...around, ctes }), found);
    const named = { ...reading, columns: withNames(reading.columns, textsUnder(value, "aliases")) };
    return [...ctes.filter((other) => !sameName(other.name, name)), { name, entry, query: named }];
  }, around.ctes);
}

/** Adds what an inner query holds to the query around it. */
function take(inner: QueryReading, found: Found): QueryReading {
  found.blocks.push(...inner.blocks);
  found.bases.push(...inner.bases);
  found.uses.push(...inner.uses);
  return inner;
}

function readBody(node: SqlNode, around: Surroundings, found: Found): Pick<QueryReading, "columns" | "branches"> {
  switch (node.type) {
    case "SELECT_NODE": {
      const block = readSelect(node, around, found);
      return { columns: outputColumns(block), branches: [block] };
    }
    case "SET_OPERATION_NODE":
      return readSides(node, around, found);
    case "RECURSIVE_CTE_NODE":
      return readRecursion(node, around, found);
    default:
      return { columns: null, branches: [] };
  }
}

function readSides(node: SqlNode, around: Surroundings, found: Found): Pick<QueryReading, "columns" | "branches"> {
  const left = readSide(node, "left", around, found);
  const right = readSide(
    node,
    "right",
    { ...around, leavesOut: around.leavesOut || node.setop_type === "EXCEPT" },
    found,
  );
  const columns = left.columns?.map((column, index) => {
    const other = right.columns?.[index]?.source ?? null;
    const isSame = column.source?.base.table === other?.base.table && column.source?.column === other?.column;
    return node.setop_type === "EXCEPT" || isSame ? column : { name: column.name, source: null };
  });
  return { columns: columns ?? null, branches: [...left.branches, ...right.branches] };
}

function readSide(node: SqlNode, side: "left" | "right", around: Surroundings, found: Found) {
  const query = partOf(node, side);
  if (query === null) return { columns: null, branches: [] };
  return take(readNode(query, around), found);
}

/** The second part of a recursive CTE reads the CTE itself, whose columns are those of the first part. */
function readRecursion(node: SqlNode, around: Surroundings, found: Found): Pick<QueryReading, "columns" | "branches"> {
  const left = readSide(node, "left", around, found);
  const columns = left.columns?.map(({ name }) => ({ name, source: null })) ?? null;
  const itself: VisibleCte = {
    name: textUnder(node, "cte_name"),
    entry: node,
    query: {
      node,
      columns: withNames(columns, textsUnder(node, "aliases")),
      branches: [],
      blocks: [],
      bases: [],
      uses: [],
    },
  };
  const right = readSide(node, "right", { ...around, ctes: [...around.ctes, itself] }, found);
  return { columns, branches: [...left.branches, ...right.branches] };
}

function readSelect(node: SqlNode, around: Surroundings, found: Found): SelectBlock {
  const joins: Join[] = [];
  const from = partOf(node, "from_table");
  const relations = from === null ? [] : readFrom(from, [], around, joins, found);
  const scope: Scope = { relations, outer: around.outer };
  const subqueries = new Map<SqlNode, QueryReading>();
  const block: SelectBlock = {
    node,
    scope,
    joins,
    ctes: around.ctes.filter(({ entry }) => entry.type !== "RECURSIVE_CTE_NODE").map(({ entry }) => entry),
    subqueries,
    leavesOut: around.leavesOut,
  };
  const inner = { ...around, outer: scope };
  for (const expression of expressionsOf(node, joins)) readExpression(expression, inner, subqueries, found);
  for (const join of joins) found.uses.push(...sharedColumns(join).flat());
  found.blocks.push(block);
  return block;
}

/** All expressions of a SELECT: its list, conditions, keys, orders and limits. */
function expressionsOf(node: SqlNode, joins: readonly Join[]): SqlNode[] {
  const clauses = ["where_clause", "having", "qualify"].map((key) => partOf(node, key));
  const conditions = joins.map(({ node: join }) => partOf(join, "condition"));
  const modifiers = partsUnder(node, "modifiers");
  return [
    ...partsUnder(node, "select_list"),
    ...[...clauses, ...conditions].filter((part) => part !== null),
    ...partsUnder(node, "group_expressions"),
    ...modifiers,
  ];
}

/** The relations of a FROM, from left to right; those before may be seen by a derived table. */
function readFrom(
  table: SqlNode,
  before: readonly Relation[],
  around: Surroundings,
  joins: Join[],
  found: Found,
): readonly Relation[] {
  switch (table.type) {
    case "JOIN": {
      const [left, right] = [partOf(table, "left"), partOf(table, "right")];
      const first = left === null ? [] : readFrom(left, before, around, joins, found);
      const leavesOut = around.leavesOut || table.join_type === "ANTI";
      const second =
        right === null ? [] : readFrom(right, [...before, ...first], { ...around, leavesOut }, joins, found);
      joins.push({ node: table, left: first, right: second });
      return [...first, ...second];
    }
    case "BASE_TABLE":
      return [readTable(table, around, found)];
    case "SUBQUERY": {
      const query = innerQuery(table, "subquery");
      const outer: Scope = { relations: before, outer: around.outer };
      const reading = query === null ? null : take(readNode(query, { ...around, outer }), found);
      return [derived(table, textUnder(table, "alias"), reading)];
    }
    case "EMPTY":
      return [];
    default:
      return [{ alias: textUnder(table, "alias"), columns: null, base: null, query: null }];
  }
}

function derived(table: SqlNode, alias: string, query: QueryReading | null): Relation {
  const columns = withNames(query?.columns ?? null, textsUnder(table, "column_name_alias"));
  return { alias, columns, base: null, query };
}

/** A name in a FROM is a CTE where one is in sight, else a catalog table. */
function readTable(node: SqlNode, around: Surroundings, found: Found): Relation {
  const name = textUnder(node, "table_name");
  const alias = textUnder(node, "alias") || name;
  const cte = around.ctes.findLast((visible) => sameName(visible.name, name));
  if (cte !== undefined) return derived(node, alias, cte.query);
  const table = tableNamed(around.catalog, name);
  if (table === null) return { alias, columns: null, base: null, query: null };
  const base: BaseTable = { table };
  found.bases.push(base);
  return { alias, base, query: null, columns: withNames(tableColumns(base), textsUnder(node, "column_name_alias")) };
}

/** Looks up the columns of an expression and reads the subqueries in it. */
function readExpression(
  expression: SqlNode,
  around: Surroundings & { readonly outer: Scope },
  subqueries: Map<SqlNode, QueryReading>,
  found: Found,
): void {
  const open: { readonly value: unknown; readonly negated: boolean }[] = [{ value: expression, negated: false }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, negated } = visit;
    if (Array.isArray(value)) for (const member of value) open.push({ value: member, negated });
    if (!isSqlNode(value)) continue;
    if (value.class === "COLUMN_REF") {
      const source = resolveColumn(value, around.outer)?.source;
      if (source !== undefined && source !== null) found.uses.push(source);
    } else if (value.class === "SUBQUERY") {
      const query = innerQuery(value, "subquery");
      const leavesOut = around.leavesOut || negated;
      if (query !== null) subqueries.set(value, take(readNode(query, { ...around, leavesOut }), found));
      open.push({ value: value.child, negated });
    } else {
      const isNot = value.type === "OPERATOR_NOT";
      for (const member of Object.values(value)) open.push({ value: member, negated: isNot ? !negated : negated });
    }
  }
}
