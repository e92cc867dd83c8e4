import type { QueryEffect } from "../../core/effect.js";
import type { QueryAnswer } from "../../core/event.js";
import type { Validator } from "../../core/event-validation.js";
import type { Finding } from "../../core/finding.js";
import type { CheckInput, CheckQuery, MechanicalCheck } from "./check.js";

/** Trees first: what rows a check needs mostly follows from them. */
const ORDER: readonly QueryAnswer[] = ["tree", "signature", "rows"];

export type ChecksOutcome =
  | { readonly done: false; readonly effect: QueryEffect }
  | { readonly done: true; readonly findings: readonly Finding[] };

/** All findings of a list of checks in its order, or the queries that the checks need next. One round asks for all checks at once. */
export function runChecks(checks: readonly MechanicalCheck[], input: CheckInput, validator: Validator): ChecksOutcome {
  const outcomes = checks.map((check) => check(input));
  const needs = outcomes.flatMap((outcome) => {
    if (!("need" in outcome)) return [];
    const open = outcome.need.filter(({ sql, answer }) => !input.facts.has(sql, answer));
    if (open.length === 0) throw new Error("a check needs nothing but what it has been told");
    return open;
  });
  const answer = ORDER.find((kind) => needs.some((need) => need.answer === kind));
  if (answer === undefined) {
    return { done: true, findings: outcomes.flatMap((outcome) => ("findings" in outcome ? outcome.findings : [])) };
  }
  const queries = [...new Set(needs.filter((need) => need.answer === answer).map((need: CheckQuery) => need.sql))];
  return {
    done: false,
    effect: { kind: "query", validator, why: `${answer} for the checks by code`, answer, queries },
  };
}
