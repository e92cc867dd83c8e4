import { isSqlNode, nodesOf, partsUnder, type SqlNode } from "../sql-tree.js";

/** The conditions that AND joins; one where there is no AND; none for null. */
export function conjuncts(condition: SqlNode | null): readonly SqlNode[] {
  if (condition === null) return [];
  return condition.type === "CONJUNCTION_AND" ? partsUnder(condition, "children").flatMap(conjuncts) : [condition];
}

/** The nodes of an expression without those of the subqueries in it; a subquery itself is one. */
export function* ownNodes(expression: unknown): Generator<SqlNode> {
  const open = [expression];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value.toReversed());
    if (!isSqlNode(value)) continue;
    yield value;
    open.push(...(value.class === "SUBQUERY" ? [value.child] : Object.values(value)).toReversed());
  }
}

/** Whether there is a subquery in an expression. */
export function hasSubquery(expression: SqlNode): boolean {
  return [...nodesOf(expression)].some((node) => node.class === "SUBQUERY");
}
