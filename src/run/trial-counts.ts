import { isValid, type TrialOutcome } from "../core/outcome.js";
import type { RunEnd } from "../core/run-record.js";

/** Where a run's trials stand: four numbers, however many trials there are. */
export interface TrialCounts {
  /** An attempt after the first takes the place of an infra-error. */
  ended(attempt: number, outcome: TrialOutcome): void;
  suspended(attempt: number): void;
  /** Adds up to the plan. */
  counts(): RunEnd["counts"];
}

/** `before`: the newest outcomes of an earlier process. */
export function trialCounts(planned: number, before: Iterable<{ readonly outcome: TrialOutcome }>): TrialCounts {
  const count = { valid: 0, infra_error: 0, suspended: 0 };
  const add = (outcome: TrialOutcome) => {
    if (isValid(outcome)) count.valid++;
    else count.infra_error++;
  };
  const replaceEarlier = (attempt: number) => {
    if (attempt > 1) count.infra_error--;
  };
  for (const { outcome } of before) add(outcome);
  return {
    ended: (attempt, outcome) => {
      replaceEarlier(attempt);
      add(outcome);
    },
    suspended: (attempt) => {
      replaceEarlier(attempt);
      count.suspended++;
    },
    counts: () => ({ planned, ...count, not_run: planned - count.valid - count.infra_error - count.suspended }),
  };
}
