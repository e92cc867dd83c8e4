import type { ArmSummary } from "./arm-summary.js";
import { percent, score3 } from "./numbers.js";

export interface PassGate {
  /** The least mean that was asked for, 0 … 1. */
  readonly min_pass: number;
  readonly failed: boolean;
  /** One line: which arm, what was asked, what was found. */
  readonly reason: string;
}

/** Whether every arm's mean is at least `least`. An arm with nothing scored fails: there is no rate to hold against it. */
export function passGate(arms: readonly ArmSummary[], least: number): PassGate {
  const failing = arms.filter((arm) => arm.mean === null || arm.mean < least);
  const [first] = failing.length > 0 ? failing : arms;
  if (first === undefined) return { min_pass: least, failed: true, reason: "the run has no arm" };
  const show = first.metric === "score" ? score3 : percent;
  const arm = arms.length > 1 ? ` of arm ${first.arm}` : "";
  const name = first.metric === "score" ? "mean score" : "pass rate";
  const found = first.mean === null ? `no ${name}${arm} (nothing is scored)` : `${name}${arm} ${show(first.mean)}`;
  return {
    min_pass: least,
    failed: failing.length > 0,
    reason: `${found} ${failing.length > 0 ? "is below" : "reaches"} the least of ${show(least)}`,
  };
}
