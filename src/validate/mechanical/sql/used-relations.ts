import { partOf, type SqlNode } from "../sql-tree.js";
import { conjuncts, ownNodes } from "./conditions.js";
import type { Relation, Scope, SelectBlock } from "./reading.js";
import { resolveColumn } from "./resolve.js";

/** The relations that a SELECT reads for something else than to join them. */
export function usedRelations(block: SelectBlock): ReadonlySet<Relation> {
  const { node, joins, scope } = block;
  const conditions = [partOf(node, "where_clause"), ...joins.map((join) => partOf(join.node, "condition"))];
  const filters = conditions.flatMap(conjuncts).filter((part) => !isJoin(part, scope));
  const rest = [node.select_list, node.group_expressions, node.having, node.qualify, node.modifiers];
  const below = [...block.subqueries.values()].flatMap(({ blocks }) => blocks);
  const fromBelow = below.flatMap((inner) =>
    relationsIn([inner.node.select_list, inner.node.where_clause, inner.node.having], inner.scope),
  );
  return new Set([...relationsIn([filters, rest], scope), ...fromBelow]);
}

function isJoin(condition: SqlNode, scope: Scope): boolean {
  return condition.type === "COMPARE_EQUAL" && new Set(relationsIn(condition, scope)).size > 1;
}

function relationsIn(expression: unknown, scope: Scope): readonly Relation[] {
  return [...ownNodes(expression)].flatMap((part) =>
    part.class === "COLUMN_REF" ? (resolveColumn(part, scope)?.relation ?? []) : [],
  );
}
