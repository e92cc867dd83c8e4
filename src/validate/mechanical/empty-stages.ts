import type { CheckQuery } from "./check.js";
import type { Facts } from "./facts.js";
import { isAggregate } from "./sql/aggregates.js";
import { anyGroup, anyRow, anyRowOf } from "./sql/build.js";
import { conjuncts, hasSubquery, ownNodes } from "./sql/conditions.js";
import { literalOf } from "./sql/literal.js";
import { printExpression } from "./sql/print-expression.js";
import { printQuery } from "./sql/print-query.js";
import type { SelectBlock } from "./sql/reading.js";
import { resolveColumn } from "./sql/resolve.js";
import { baseExpression } from "./sql/rewrite.js";
import { partOf, partsUnder, type SqlNode } from "./sql-tree.js";

/** A part of a SELECT that leaves nothing on its own. */
export interface Stage {
  readonly kind: "join" | "filter" | "group" | "count";
  readonly block: SelectBlock;
  /** The condition; of a join that has none in WHERE null. */
  readonly condition: SqlNode | null;
  /** As SQL. */
  readonly text: string;
}

/** True or false; null where it is not known yet or cannot be asked. */
type HasRows = (query: SqlNode) => boolean | null;

/**
 * The empty stages of some SELECTs. First it is asked which SELECTs have rows at all, and only for the others which part is to blame;
 * so a submission whose SELECTs have rows costs one query each. `need` while something is not known.
 */
export function stagesOf(
  blocks: readonly SelectBlock[],
  facts: Facts,
): { readonly need: readonly CheckQuery[] } | { readonly empty: readonly Stage[] } {
  const need: CheckQuery[] = [];
  const hasRows: HasRows = (query) => {
    const text = printQuery(query);
    if (text === null) return null;
    const sql = `SELECT count(*) FROM (${text})`;
    const answer = facts.rows(sql);
    if (answer === null) need.push({ sql, answer: "rows" });
    return answer?.ok === true ? answer.table.rows[0]?.[0] !== "0" : null;
  };
  const wholes = blocks.map((block) => hasRows(anyRow(block, partOf(block.node, "where_clause"))));
  const emptyBlocks = new Set(blocks.filter((_, index) => wholes[index] === false));
  const empty = blocks.flatMap((block, index) =>
    wholes[index] === false
      ? emptyParts(block, emptyBlocks, hasRows)
      : wholes[index] === true
        ? [...emptyGroups(block, hasRows), ...emptyCounts(block, hasRows)]
        : [],
  );
  return need.length > 0 ? { need } : { empty };
}

/** Which part of a SELECT without rows leaves nothing on its own. What reads another empty SELECT is empty because of that. */
function emptyParts(block: SelectBlock, emptyBlocks: ReadonlySet<SelectBlock>, hasRows: HasRows): readonly Stage[] {
  const inner = block.scope.relations.flatMap(({ query }) => query?.blocks ?? []);
  if (inner.some((below) => emptyBlocks.has(below))) return [];
  const filters = conjuncts(partOf(block.node, "where_clause"));
  const found = filters.flatMap((condition): Stage[] => {
    const below = [...ownNodes(condition)].flatMap((part) => block.subqueries.get(part)?.blocks ?? []);
    if (below.some((one) => emptyBlocks.has(one)) || hasRows(alone(condition, block)) !== false) return [];
    const kind = isJoin(condition, block) ? "join" : "filter";
    return [{ kind, block, condition, text: printExpression(condition) ?? "" }];
  });
  const isJoined = block.joins.some(({ node }) => node.ref_type !== "CROSS");
  if (!isJoined || hasRows(anyRow(block, null)) !== false) return found;
  const ons = block.joins.map(({ node }) => partOf(node, "condition")).filter((on) => on !== null);
  const text = ons.map((on) => printExpression(on) ?? "").join(" and ");
  return [{ kind: "join", block, condition: null, text }];
}

/** One row if a condition alone leaves any: of its table where it is about one, else of the whole FROM. */
function alone(condition: SqlNode, block: SelectBlock): SqlNode {
  const own = baseExpression(condition, block.scope);
  return own === null ? anyRow(block, condition) : anyRowOf(own.base.table.name, own.expression);
}

/** An equality of two relations: a comma join's condition. */
function isJoin(condition: SqlNode, { scope }: SelectBlock): boolean {
  if (condition.type !== "COMPARE_EQUAL" || hasSubquery(condition)) return false;
  const columns = [...ownNodes(condition)].filter((part) => part.class === "COLUMN_REF");
  return new Set(columns.map((column) => resolveColumn(column, scope)?.relation)).size > 1;
}

function emptyGroups(block: SelectBlock, hasRows: HasRows): readonly Stage[] {
  const having = partOf(block.node, "having");
  if (having === null || hasRows(anyGroup(block, having)) !== false) return [];
  return conjuncts(having).flatMap((condition): Stage[] =>
    hasRows(anyGroup(block, condition)) === false
      ? [{ kind: "group", block, condition, text: printExpression(condition) ?? "" }]
      : [],
  );
}

/** Conditions under which a SELECT counts or sums: FILTER, and CASE with one WHEN and nothing or 0 otherwise. */
function emptyCounts(block: SelectBlock, hasRows: HasRows): readonly Stage[] {
  const aggregates = [...ownNodes([block.node.select_list, block.node.having])].filter(isAggregate);
  const conditions = aggregates.flatMap((call) => [...conjuncts(partOf(call, "filter")), ...caseConditions(call)]);
  return conditions.flatMap((condition): Stage[] =>
    hasRows(alone(condition, block)) === false
      ? [{ kind: "count", block, condition, text: printExpression(condition) ?? "" }]
      : [],
  );
}

function caseConditions(call: SqlNode): readonly SqlNode[] {
  const [argument] = partsUnder(call, "children");
  const checks = argument?.class === "CASE" ? partsUnder(argument, "case_checks") : [];
  const [check, ...more] = checks;
  const otherwise = argument === undefined ? null : partOf(argument, "else_expr");
  const literal = otherwise === null ? null : literalOf(otherwise);
  const isNothing = literal?.kind === "null" || (literal?.kind === "number" && Number(literal.text) === 0);
  return check === undefined || more.length > 0 || !isNothing ? [] : conjuncts(partOf(check, "when_expr"));
}
