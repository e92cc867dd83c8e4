import { isAggregate, MEASURES } from "./sql/aggregates.js";
import { allOf, named } from "./sql/build.js";
import { ownNodes } from "./sql/conditions.js";
import { literalOf } from "./sql/literal.js";
import { printExpression } from "./sql/print-expression.js";
import type { QueryReading, SelectBlock } from "./sql/reading.js";
import { type RepetitionQuery, repetitionQuery, rowsOfColumn } from "./sql/repetition.js";
import { type RowIdentities, rowIdentities, type VisibleRows } from "./sql/row-identity.js";
import { partOf, partsUnder, type SqlNode, textUnder } from "./sql-tree.js";

/** One thing that a SELECT makes of joined rows. */
export interface FanOutCheck {
  /** A sum or average of columns, a count of rows, or the rows themselves. */
  readonly kind: "sum" | "average" | "count" | "list";
  /** As SQL writes it: `avg("weight")`; null for the answer's rows themselves. */
  readonly what: string | null;
  readonly query: RepetitionQuery;
}

/** The checks of one SELECT; none where it joins nothing or code cannot ask. */
export function fanOutChecks(block: SelectBlock, query: QueryReading): readonly FanOutCheck[] {
  const identities = rowIdentities(block);
  if (identities.rows.length + (identities.hasOthers ? 1 : 0) < 2 || identities.rows.length === 0) return [];
  const aggregates = [...ownNodes([block.node.select_list, block.node.having, block.node.modifiers])].filter(
    isAggregate,
  );
  const checks =
    aggregates.length > 0
      ? aggregates.map((call) => aggregateCheck(call, block, identities))
      : query.branches.includes(block)
        ? [listCheck(block, identities)]
        : [];
  return checks.filter((check) => check !== null);
}

const SUMS: readonly string[] = ["sum", "fsum", "kahan_sum", "product"];

function aggregateCheck(call: SqlNode, block: SelectBlock, identities: RowIdentities): FanOutCheck | null {
  const name = textUnder(call, "function_name").toLowerCase();
  const [argument] = partsUnder(call, "children");
  const isCount = name === "count" || name === "count_star";
  if (call.distinct === true || !(isCount || MEASURES.includes(name))) return null;
  const columns = argument === undefined ? [] : valueColumns(argument);
  const measured = measuredRows(columns, block, identities);
  if (measured === null) return null;
  const conditions = [partOf(call, "filter"), argument === undefined ? null : counted(argument, isCount)];
  const query = repetitionQuery(block, identities, measured, allOf(conditions.filter((part) => part !== null)));
  // A sum of ones and zeros is a count.
  const kind = isCount || columns.length === 0 ? "count" : SUMS.includes(name) ? "sum" : "average";
  return query === null ? null : { kind, what: printExpression(named(call, "")) ?? name, query };
}

/** The rows that an aggregate takes: where its argument is there and, for a sum, not zero (the ELSE 0 of a CASE). */
function counted(argument: SqlNode, isCount: boolean): SqlNode | null {
  if (literalOf(argument) !== null) return null;
  const value = named(argument, "");
  if (isCount) return { class: "OPERATOR", type: "OPERATOR_IS_NOT_NULL", alias: "", children: [value] };
  const zero = { class: "CONSTANT", type: "VALUE_CONSTANT", alias: "", value: { type: { id: "INTEGER" }, value: 0 } };
  return { class: "COMPARISON", type: "COMPARE_NOTEQUAL", alias: "", left: value, right: zero };
}

/** The columns that an expression's value comes from, those of conditions left out. */
function valueColumns(expression: SqlNode): readonly SqlNode[] {
  const open: SqlNode[] = [expression];
  const columns: SqlNode[] = [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.class === "COLUMN_REF") columns.push(node);
    const results = partsUnder(node, "case_checks").map((check) => partOf(check, "then_expr"));
    const parts = [...results, partOf(node, "else_expr"), partOf(node, "child")];
    if (node.class === "COMPARISON" || node.class === "CONJUNCTION") continue;
    open.push(...partsUnder(node, "children"), ...parts.filter((part) => part !== null));
  }
  return columns;
}

/** The rows whose columns these are; null where one of them cannot be followed to the rows of a table. */
function measuredRows(
  columns: readonly SqlNode[],
  block: SelectBlock,
  { rows }: RowIdentities,
): ReadonlySet<VisibleRows> | null {
  const found = columns.map((column) => rowsOfColumn(column, block, rows));
  const known = found.filter((row) => row !== undefined);
  return known.length === found.length ? new Set(known) : null;
}

/** A list without DISTINCT, GROUP BY or LIMIT shows each joined row. */
function listCheck(block: SelectBlock, identities: RowIdentities): FanOutCheck | null {
  const { node } = block;
  const isReduced =
    partsUnder(node, "modifiers").some(({ type }) => type !== "ORDER_MODIFIER") ||
    partsUnder(node, "group_expressions").length > 0 ||
    node.aggregate_handling === "FORCE_AGGREGATES";
  const parts = [...ownNodes(partsUnder(node, "select_list"))];
  if (isReduced || parts.some((part) => ["STAR", "SUBQUERY", "WINDOW"].includes(String(part.class)))) return null;
  const columns = parts.filter((part) => part.class === "COLUMN_REF");
  const shown = columns.length === 0 ? null : measuredRows(columns, block, identities);
  const query = shown === null ? null : repetitionQuery(block, identities, shown, null);
  return query === null ? null : { kind: "list", what: null, query };
}
