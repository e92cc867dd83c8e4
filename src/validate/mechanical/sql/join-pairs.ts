import { partOf, type SqlNode } from "../sql-tree.js";
import { ownNodes } from "./conditions.js";
import type { ColumnSource, SelectBlock } from "./reading.js";
import { baseExpression } from "./rewrite.js";
import { sharedColumns } from "./shared-columns.js";

/** Two columns that a query takes for the same thing. */
export type JoinPair = readonly [ColumnSource, ColumnSource];

/**
 * The pairs of catalog columns that a SELECT makes equal: by USING, NATURAL or ON, in WHERE, with a query around it, or by IN with a
 * subquery. Only equalities of one column with one column, functions and casts around them allowed.
 */
export function joinPairs(block: SelectBlock): readonly JoinPair[] {
  const { node, joins } = block;
  const conditions = [node.where_clause, node.having, node.qualify, ...joins.map((join) => join.node.condition)];
  const equalities = [...ownNodes(conditions)].flatMap((condition) => pairOf(condition, block) ?? []);
  return [...joins.flatMap(sharedColumns), ...equalities].filter(([one, other]) => one.base !== other.base);
}

function pairOf(condition: SqlNode, block: SelectBlock): readonly JoinPair[] | null {
  if (condition.type === "COMPARE_EQUAL") {
    const [left, right] = [partOf(condition, "left"), partOf(condition, "right")];
    return pair(columnOf(left, block), columnOf(right, block));
  }
  if (condition.class !== "SUBQUERY" || condition.comparison_type !== "COMPARE_EQUAL") return null;
  const inner = block.subqueries.get(condition)?.columns?.[0]?.source ?? null;
  return pair(columnOf(partOf(condition, "child"), block), inner);
}

function pair(one: ColumnSource | null, other: ColumnSource | null): readonly JoinPair[] | null {
  return one === null || other === null ? null : [[one, other]];
}

function columnOf(expression: SqlNode | null, block: SelectBlock): ColumnSource | null {
  const found = expression === null ? null : baseExpression(expression, block.scope);
  const [column, ...more] = found?.columns ?? [];
  return found === null || column === undefined || more.length > 0 ? null : { base: found.base, column };
}
