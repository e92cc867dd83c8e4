import { isSqlNode, type SqlNode } from "../sql-tree.js";
import type { SelectBlock } from "./reading.js";

/** Parts of syntax trees that checks put together. */

const ONE: SqlNode = {
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  alias: "",
  value: { type: { id: "INTEGER" }, is_null: false, value: 1 },
};

/** One row where there is any: `… LIMIT 1`. */
const FIRST_ONLY: SqlNode = { type: "LIMIT_MODIFIER", limit: ONE };

export function named(expression: SqlNode, alias: string): SqlNode {
  return { ...expression, alias };
}

export function functionCall(
  name: string,
  children: readonly SqlNode[],
  more: Readonly<Record<string, unknown>> = {},
): SqlNode {
  return { class: "FUNCTION", type: "FUNCTION", alias: "", function_name: name, schema: "", children, ...more };
}

export function allOf(conditions: readonly SqlNode[]): SqlNode | null {
  const [first, ...others] = conditions;
  if (first === undefined || others.length === 0) return first ?? null;
  return { class: "CONJUNCTION", type: "CONJUNCTION_AND", alias: "", children: conditions };
}

/** A SELECT that stands alone: with all CTEs that it sees, without order and limit, and with what `change` puts in the place of its parts. */
export function standalone(block: SelectBlock, change: Readonly<Record<string, unknown>>): SqlNode {
  return { ...block.node, cte_map: { map: block.ctes }, modifiers: [], qualify: null, sample: null, ...change };
}

/** Whether a SELECT groups or aggregates has no say here: one row if a block's FROM, under a condition, has any. */
export function anyRow(block: SelectBlock, condition: SqlNode | null): SqlNode {
  return standalone(block, {
    select_list: [ONE],
    where_clause: condition,
    group_expressions: [],
    group_sets: [],
    having: null,
    aggregate_handling: "STANDARD_HANDLING",
    modifiers: [FIRST_ONLY],
  });
}

/** One row if a catalog table has any under a condition on its columns. */
export function anyRowOf(table: string, condition: SqlNode): SqlNode {
  return {
    type: "SELECT_NODE",
    select_list: [ONE],
    from_table: { type: "BASE_TABLE", table_name: table },
    where_clause: condition,
    modifiers: [FIRST_ONLY],
  };
}

/** One row if any group of a block meets a condition on groups. */
export function anyGroup(block: SelectBlock, condition: SqlNode): SqlNode {
  return standalone(block, { select_list: [ONE], having: condition, modifiers: [FIRST_ONLY] });
}

/** A tree with further columns in the lists of some of its SELECTs. */
export function withColumns(tree: SqlNode, extra: ReadonlyMap<SqlNode, readonly SqlNode[]>): SqlNode {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    return isSqlNode(value) ? node(value) : value;
  };
  const node = (original: SqlNode): SqlNode => {
    const copy: SqlNode = Object.fromEntries(Object.entries(original).map(([key, member]) => [key, visit(member)]));
    const more = extra.get(original);
    return more === undefined || !Array.isArray(copy.select_list)
      ? copy
      : { ...copy, select_list: [...copy.select_list, ...more] };
  };
  return node(tree);
}
