import { VALIDATORS } from "../core/event-validation.js";
import { FORM_RULES, MECHANICAL_RULES } from "../core/finding.js";
import type { Score } from "../core/score.js";
import type { EndedCheck } from "../core/validation-state.js";
import { type Interval, wilson } from "../stats/intervals.js";
import type { TrialFacts } from "./run-facts.js";
import { isPass } from "./task-summary.js";

/** How often one judge of candidates was right, counted in candidates. Right is what passes by the primary scorer. */
export interface Confusion {
  /** `process` or `answer`: the verdicts of that validator. Else a rule by code, which rejects what it has a red or a warn finding of. */
  readonly judge: string;
  readonly rejected_wrong: number;
  readonly rejected_right: number;
  readonly accepted_wrong: number;
  readonly accepted_right: number;
  /** Judged candidates without a score: in none of the four. */
  readonly unscored: number;
  /** Wrong candidates that it rejected. */
  readonly caught: Share;
  /** Right candidates that it rejected. */
  readonly false_alarms: Share;
}

export interface Share {
  /** 0 … 1; null of nothing. */
  readonly rate: number | null;
  /** Wilson's 95 % interval, as if candidates were independent; repeats of a task are not quite. */
  readonly ci95: Interval | null;
}

/** One candidate before one judge. */
interface Judgement {
  readonly rejected: boolean;
  /** Null without a score. */
  readonly right: boolean | null;
}

/**
 * The table of every validator that gave a verdict on a candidate and of every rule that found something, over all trials. Verdicts count
 * whether or not they were acted upon; a validator that failed or was skipped gave none.
 */
export function confusions(trials: readonly TrialFacts[], passMinScore: number | null): Confusion[] {
  const judged = judgedCandidates(trials, passMinScore);
  const validators = VALIDATORS.map((judge) =>
    table(
      judge,
      judged
        .filter(
          ({ check }) => check.validator === judge && (check.verdict === "passed" || check.verdict === "rejected"),
        )
        .map(({ check, right }) => ({ rejected: check.verdict === "rejected", right })),
    ),
  );
  const rules = RULES.flatMap(({ rule, validator }) => {
    const own = lookedAt(judged, validator);
    const judgements = own.map(({ check, right }) => ({ rejected: hasFinding(check, rule), right }));
    return judgements.some(({ rejected }) => rejected) ? [table(ruleName(rule, validator), judgements)] : [];
  });
  return [...validators.filter(isFilled), ...rules];
}

/** Never red or warn, or looked for only where a profile asks for it, which a trial's record does not say. */
const NOT_ALWAYS: readonly string[] = ["similar-columns", "image-without-receipt", "claim-outside-domain"];

/** Rules that looked at candidates and never had a red or a warn finding: their rows would have nothing rejected. */
export function silentRules(trials: readonly TrialFacts[]): readonly string[] {
  const judged = judgedCandidates(trials, null);
  return RULES.filter(({ rule, validator }) => {
    const own = lookedAt(judged, validator);
    return own.length > 0 && !NOT_ALWAYS.includes(rule) && !own.some(({ check }) => hasFinding(check, rule));
  }).map(({ rule, validator }) => ruleName(rule, validator));
}

const RULES = [
  ...MECHANICAL_RULES.map((rule) => ({ rule, validator: "process" as const })),
  ...FORM_RULES.map((rule) => ({ rule, validator: "answer" as const })),
];

interface JudgedCandidate {
  readonly check: EndedCheck;
  readonly right: boolean | null;
}

function judgedCandidates(trials: readonly TrialFacts[], passMinScore: number | null): JudgedCandidate[] {
  return trials.flatMap((trial) =>
    trial.checks.flatMap((check) => {
      if (check.candidate === null) return [];
      return [{ check, right: rightness(trial.candidates.get(check.candidate.file), passMinScore) }];
    }),
  );
}

function lookedAt(judged: readonly JudgedCandidate[], validator: "process" | "answer"): readonly JudgedCandidate[] {
  return judged.filter(({ check }) => check.validator === validator && wasLookedAt(check));
}

/** The rules of form are not looked at in a check that is skipped; those of evidence are, unless a limit ended the trial. */
function wasLookedAt({ validator, verdict, by }: EndedCheck): boolean {
  return validator === "answer" ? by !== null : verdict !== "limit-reached";
}

function hasFinding({ findings }: EndedCheck, rule: string): boolean {
  return findings.some((finding) => finding.rule === rule && finding.level !== "note");
}

/** `unasked-limit` is looked at by both. */
function ruleName(rule: string, validator: "process" | "answer"): string {
  const both = MECHANICAL_RULES.some((name) => name === rule) && FORM_RULES.some((name) => name === rule);
  return both ? `${rule} (${validator})` : rule;
}

function rightness(score: Pick<Score, "status" | "value"> | undefined, passMinScore: number | null): boolean | null {
  return score === undefined || score.value === null ? null : isPass(score, passMinScore);
}

function table(judge: string, judgements: readonly Judgement[]): Confusion {
  const count = (rejected: boolean, right: boolean | null) =>
    judgements.filter((one) => one.rejected === rejected && one.right === right).length;
  const [rejected_wrong, rejected_right] = [count(true, false), count(true, true)];
  const [accepted_wrong, accepted_right] = [count(false, false), count(false, true)];
  return {
    judge,
    rejected_wrong,
    rejected_right,
    accepted_wrong,
    accepted_right,
    unscored: judgements.filter(({ right }) => right === null).length,
    caught: share(rejected_wrong, rejected_wrong + accepted_wrong),
    false_alarms: share(rejected_right, rejected_right + accepted_right),
  };
}

function share(part: number, whole: number): Share {
  return { rate: whole === 0 ? null : part / whole, ci95: wilson(part, whole) };
}

function isFilled(one: Confusion): boolean {
  const counted = one.rejected_wrong + one.rejected_right + one.accepted_wrong + one.accepted_right;
  return counted + one.unscored > 0;
}
