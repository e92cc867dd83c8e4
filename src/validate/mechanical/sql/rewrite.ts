import { isSqlNode, type SqlNode } from "../sql-tree.js";
import { isOfOneRow } from "./aggregates.js";
import type { BaseTable, Scope } from "./reading.js";
import { resolveColumn } from "./resolve.js";

/** A tree in which `change` has put something else in the place of some nodes; it returns null for a node to look into. */
export function rewrite(node: SqlNode, change: (node: SqlNode) => SqlNode | null): SqlNode {
  const changed = change(node);
  if (changed !== null) return changed;
  const value = (member: unknown): unknown =>
    isSqlNode(member) ? rewrite(member, change) : Array.isArray(member) ? member.map(value) : member;
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, value(member)]));
}

/** A reference to a column, without a relation's name. */
export function columnRef(...names: readonly string[]): SqlNode {
  return { class: "COLUMN_REF", type: "COLUMN_REF", alias: "", column_names: names };
}

/** An expression over the columns of one catalog table. */
export interface BaseExpression {
  readonly base: BaseTable;
  /** Its columns are written without a relation's name. */
  readonly expression: SqlNode;
  readonly columns: readonly string[];
}

/** Deeper nesting of computed columns is not followed. */
const MOST_LEVELS = 8;

/**
 * An expression in terms of the catalog table under it: columns of subqueries and CTEs are put in as what they are made of. Null where
 * it has no column, columns of several tables, or one that code cannot follow (an aggregate, a window, a subquery).
 */
export function baseExpression(expression: SqlNode, scope: Scope): BaseExpression | null {
  const sources: { base: BaseTable; column: string }[] = [];
  const inlined = inline(expression, scope, sources, MOST_LEVELS);
  const [first] = sources;
  if (inlined === null || first === undefined || sources.some(({ base }) => base !== first.base)) return null;
  return { base: first.base, expression: inlined, columns: [...new Set(sources.map(({ column }) => column))] };
}

function inline(
  expression: SqlNode,
  scope: Scope,
  sources: { base: BaseTable; column: string }[],
  levels: number,
): SqlNode | null {
  if (levels === 0 || !isOfOneRow(expression)) return null;
  let isKnown = true;
  const inlined = rewrite(expression, (node) => {
    if (node.class === "STAR" || node.class === "LAMBDA" || node.class === "POSITIONAL_REFERENCE") isKnown = false;
    if (node.class !== "COLUMN_REF") return null;
    const found = resolveColumn(node, scope);
    if (found?.source !== null && found?.source !== undefined) {
      sources.push(found.source);
      return columnRef(found.source.column);
    }
    const computed = found?.column.computed;
    const inner = computed === undefined ? null : inline(computed.expression, computed.scope, sources, levels - 1);
    if (inner === null) isKnown = false;
    return inner === null ? node : { ...inner, alias: "" };
  });
  return isKnown ? inlined : null;
}
