import { asksForNumber, asksForSome } from "./asked-rows.js";
import type { CheckInput, CheckOutcome } from "./check.js";
import { NOTHING_FOUND } from "./check.js";
import { isSqlNode, nodesOf, type SqlNode } from "./sql-tree.js";
import { answerQuery } from "./submission.js";

/** A LIMIT in the submitted SQL: how many rows it lets through (null where that is computed), and whether it is the outermost. */
interface Limit {
  readonly rows: number | null;
  readonly outermost: boolean;
}

/**
 * Rule 5, `unasked-limit`: the answer is cut by a LIMIT although the question asks for no top-n, superlative, ordinal or number of
 * rows. A warning: words can ask for an order in ways that code does not know. An outermost LIMIT that cut nothing off is none.
 */
export function unaskedLimit(input: CheckInput): CheckOutcome {
  const { started, candidate, facts } = input;
  const answer = answerQuery(input);
  if (answer === null) return NOTHING_FOUND;
  const parsed = facts.tree(answer);
  if (parsed === null) return { need: [{ sql: answer, answer: "tree" }] };
  if (!parsed.ok || asksForSome(started.question)) return NOTHING_FOUND;
  const cuts = limitsOf(parsed.tree).filter(
    ({ rows, outermost }) =>
      !(outermost && rows !== null && rows > candidate.candidate.rows) && !asksForNumber(started.question, rows),
  );
  return {
    findings: cuts.slice(0, 1).map(({ rows }) => ({
      rule: "unasked-limit",
      level: "warn",
      evidence: [],
      detail: input.say.unaskedLimit(rows),
    })),
  };
}

function limitsOf(tree: unknown): Limit[] {
  const outer = isSqlNode(tree) && Array.isArray(tree.modifiers) ? tree.modifiers : [];
  return [...nodesOf(tree)].filter(isLimit).map((node) => ({
    rows: node.type === "LIMIT_MODIFIER" ? constantOf(node.limit) : null,
    outermost: outer.includes(node),
  }));
}

/** An OFFSET alone is the same modifier without a limit. */
function isLimit(node: SqlNode): boolean {
  return (node.type === "LIMIT_MODIFIER" || node.type === "LIMIT_PERCENT_MODIFIER") && isSqlNode(node.limit);
}

function constantOf(expression: unknown): number | null {
  const value = isSqlNode(expression) && isSqlNode(expression.value) ? expression.value.value : null;
  return typeof value === "number" ? value : null;
}
