import { VALIDATORS, type Validator } from "../core/event-validation.js";
import type { Score } from "../core/score.js";
import type { UsageRow } from "../core/state.js";
import { validatorOf } from "../core/totals.js";
import type { EndedCheck } from "../core/validation-state.js";
import { type Confusion, confusions, silentRules } from "./confusion.js";
import { groupBy } from "./counting.js";
import type { TrialFacts } from "./run-facts.js";
import { type RoleSpending, roleSpending } from "./spending.js";

/** What the checks of one arm did. Null in a report where no trial was checked. */
export interface ValidationSummary {
  /** Checks that came to an end, by what they were and what came of them; a skipped one has its reason for a verdict. */
  readonly checks: readonly {
    readonly validator: Validator;
    readonly trigger: EndedCheck["trigger"];
    readonly mode: EndedCheck["mode"];
    readonly verdict: EndedCheck["verdict"];
    readonly count: number;
  }[];
  /** Verdicts of `valid` beside an unverified assumption, taken for rejections. */
  readonly inconsistent: number;
  /** Trials whose answer stands because a validator could not be heard. */
  readonly released_trials: number;
  readonly rejections: RejectionEffects;
  /** What checks by code found, by rule and level. */
  readonly findings: readonly { readonly rule: string; readonly level: string; readonly count: number }[];
  readonly spent: readonly (RoleSpending & { readonly validator: Validator })[];
  /** How often validators and rules were right, over candidates with a score. */
  readonly confusion: readonly Confusion[];
  /** Rules that looked at candidates and found nothing to reject: the table has no rows of them. */
  readonly silent_rules: readonly string[];
}

/** What came of candidates that a check rejected and took back (`enforce`): the trial's answer in place of them. */
export interface RejectionEffects {
  readonly candidates: number;
  /** The trial's answer is another one. */
  readonly changed: number;
  /** The same answer was handed in again. */
  readonly unchanged: number;
  /** The trial brought no answer after it. */
  readonly without_answer: number;
  /** Of those with two scores: the answer's against the rejected candidate's. */
  readonly better: number;
  readonly worse: number;
  readonly same_score: number;
}

/** All about the checks of one arm's trials; null where there were none. */
export function summariseValidation(
  trials: readonly TrialFacts[],
  byPurpose: readonly UsageRow[],
  scoring: { readonly primary: string; readonly pass_min_score: number | null },
): ValidationSummary | null {
  const checks = trials.flatMap((trial) => trial.checks);
  if (checks.length === 0) return null;
  return {
    checks: countChecks(checks),
    inconsistent: checks.filter((check) => check.inconsistent).length,
    released_trials: trials.filter(isReleased).length,
    rejections: rejectionEffects(trials, scoring.primary),
    findings: countFindings(checks),
    spent: VALIDATORS.flatMap((validator) => spentBy(validator, byPurpose)),
    confusion: confusions(trials, scoring.pass_min_score),
    silent_rules: silentRules(trials),
  };
}

function countChecks(checks: readonly EndedCheck[]): ValidationSummary["checks"] {
  const groups = groupBy(checks, ({ validator, trigger, mode, verdict }) =>
    JSON.stringify([validator, trigger, mode, verdict]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { validator, trigger, mode, verdict } = first;
    return [{ validator, trigger, mode, verdict, count: group.length }];
  });
}

function isReleased({ outcome }: TrialFacts): boolean {
  if (outcome.kind !== "answered") return false;
  return outcome.validation.process === "released" || outcome.validation.answer === "released";
}

function rejectionEffects(trials: readonly TrialFacts[], primary: string): RejectionEffects {
  const taken = trials.flatMap((trial) =>
    trial.checks
      .filter(({ mode, verdict, candidate }) => mode === "enforce" && verdict === "rejected" && candidate !== null)
      .map(({ candidate }) => ({ trial, candidate })),
  );
  const count = (holds: (one: (typeof taken)[number]) => boolean) => taken.filter(holds).length;
  const change = ({ trial, candidate }: (typeof taken)[number]): number | null => {
    const before = valueIn(trial.candidates.get(candidate?.file ?? ""));
    const after = valueIn(trial.scores.get(primary));
    return before === null || after === null || trial.signature === null ? null : after - before;
  };
  return {
    candidates: taken.length,
    changed: count(({ trial, candidate }) => trial.signature !== null && trial.signature !== candidate?.signature),
    unchanged: count(({ trial, candidate }) => trial.signature !== null && trial.signature === candidate?.signature),
    without_answer: count(({ trial }) => trial.signature === null),
    better: count((one) => (change(one) ?? 0) > 0),
    worse: count((one) => (change(one) ?? 0) < 0),
    same_score: count((one) => change(one) === 0),
  };
}

function valueIn(score: Pick<Score, "value"> | undefined): number | null {
  return score?.value ?? null;
}

function countFindings(checks: readonly EndedCheck[]): ValidationSummary["findings"] {
  const groups = groupBy(
    checks.flatMap(({ findings }) => findings),
    ({ rule, level }) => `${rule} ${level}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ rule: first.rule, level: first.level, count: group.length }];
  });
}

function spentBy(validator: Validator, byPurpose: readonly UsageRow[]): ValidationSummary["spent"] {
  const spent = roleSpending(byPurpose.filter(({ purpose }) => validatorOf(purpose) === validator));
  return spent === null ? [] : [{ validator, ...spent }];
}
