import type { FindingLevel } from "../answer/claims/check.js";
import { readConclusion } from "./read-conclusion.js";
import { reconcileAnswer } from "./reconcile-answer.js";
import type { Scorer } from "./scorer.js";
import { scored, unscored } from "./table-scorer.js";

/**
 * Reconciles what an answer claims with the values that the database really holds (seed 2). The value is the share of checks
 * without a red among those that could be made; red lights are in the details and fail no trial, unless their check is a
 * gate: then `gate_failed` is true and the value is 0. What could not be checked is not passed: without a single check that
 * could be made the answer is unscored.
 */
export const claims: Scorer = {
  name: "claims",
  version: "1",
  options: [],
  async score({ prediction, conclusion }, { checks }, _options, domains) {
    if (checks.verify.length === 0) return unscored("the task has no claim checks");
    const answer = { prediction, conclusion: await readConclusion(conclusion) };
    const results = await reconcileAnswer(checks.verify, answer, domains(checks.connections));
    const findings = results.flatMap((result) => result.findings);
    const count = (level: FindingLevel) => findings.filter((finding) => finding.level === level).length;
    const gates = new Set(checks.verify.filter(({ gate }) => gate).map(({ name }) => name));
    const gateFailed = results.some(({ check, state }) => state === "red" && gates.has(check));
    const details = {
      checks: results.map(({ check, state }) => ({ check, state })),
      findings,
      red: count("red"),
      warn: count("warn"),
      error: count("error"),
      gate_failed: gateFailed,
    };
    const made = results.filter(({ state }) => state !== "unchecked");
    if (made.length === 0) return unscored(findings[0]?.detail ?? "no check could be made", details);
    const passed = made.filter(({ state }) => state === "passed").length;
    return scored(gateFailed ? 0 : passed / made.length, details);
  },
  async outside({ checks }, domains) {
    const domain = domains(checks.connections);
    return Promise.all(checks.verify.map(({ domain_sql }) => domain(domain_sql)));
  },
};
