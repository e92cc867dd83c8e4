import type { CheckResult } from "../answer/claims/check.js";
import { isEmptyConclusion, nothingToReconcile, reconcileConclusion } from "../answer/claims/reconcile.js";
import type { ClaimCheck } from "../core/claim-check.js";
import type { CandidateSubmitted } from "../core/event.js";
import type { Finding } from "../core/finding.js";
import type { DomainReply } from "../core/ports/domain-query.js";
import type { QueryResult } from "../core/ports/query-worker.js";
import type { CheckInput, CheckOutcome, MechanicalCheck } from "./mechanical/check.js";

/** The claim checks of a trial as one check by code: their domains are queries on the task's own data. */
export function claimsCheck(checks: readonly ClaimCheck[]): MechanicalCheck {
  return ({ candidate, facts, say }: CheckInput): CheckOutcome => {
    const need = isEmptyConclusion(candidate.conclusion)
      ? []
      : checks.filter(({ domain_sql }) => facts.rows(domain_sql) === null);
    if (need.length > 0) return { need: need.map(({ domain_sql }) => ({ sql: domain_sql, answer: "rows" })) };
    const results = reconcile(checks, candidate, (sql) => domainOf(facts.rows(sql)));
    return { findings: results.flatMap((result) => findingsOf(result, say)) };
  };
}

function reconcile(
  checks: readonly ClaimCheck[],
  { conclusion }: CandidateSubmitted,
  domain: (sql: string) => DomainReply,
): readonly CheckResult[] {
  if (isEmptyConclusion(conclusion)) return nothingToReconcile(checks);
  return checks.map((check) => reconcileConclusion(check, conclusion, domain(check.domain_sql)));
}

function domainOf(result: QueryResult | null): DomainReply {
  if (result === null) return { ok: false, message: "it was not asked" };
  if (!result.ok) return { ok: false, message: result.error.message };
  const { columns, rows } = result.table;
  if (columns.length !== 1) return { ok: false, message: `it selects ${columns.length} columns, not one` };
  if (result.truncated) return { ok: false, message: `it has more than ${rows.length} rows` };
  return { ok: true, values: rows.flatMap(([cell]) => cell ?? []) };
}

/** What the agent reads: the entity, the values most like it, and the sentence. A domain that could not be had is for reports only. */
function findingsOf({ findings }: CheckResult, say: CheckInput["say"]): Finding[] {
  return findings.map(({ check, level, entity, nearest, sentence, detail }) => {
    const isDenied = level === "warn" && entity !== null;
    return {
      rule: "claim-outside-domain",
      level: level === "error" ? "note" : level,
      evidence: [],
      detail: say.claim({ check, entity, isDenied, nearest, sentence, detail }),
    };
  });
}
