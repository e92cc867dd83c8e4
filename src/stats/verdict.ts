import { tCdf, tQuantile } from "./distributions.js";
import { mean, standardError } from "./intervals.js";
import { signFlip } from "./sign-flip.js";

/** From so many tasks on the mean of differences is near enough to normal for a t test. */
const T_TEST_TASKS = 30;
const HOLDS = 0.05;
const LIKELY = 0.2;

export interface OneSidedTest {
  /** `sign-flip` below 30 tasks, where more than half of the differences are 0, and where all are equal. */
  readonly method: "t" | "sign-flip";
  /** The chance of a difference at least this far on that side if there were none beyond the margin; null of no task. */
  readonly p: number | null;
  /** Whether p is small enough at 5 %. */
  readonly holds: boolean;
}

/**
 * Tests whether head is worse than base by more than `margin` (mean difference < −margin) or better by more (> margin).
 * `differences` are head − base of each task's mean. With t, `worse` holds exactly where `upperBound` is below −margin.
 */
export function oneSidedTest(differences: readonly number[], side: "worse" | "better", margin = 0): OneSidedTest {
  const towards = side === "worse" ? differences : differences.map((difference) => -difference);
  const shifted = towards.map((difference) => difference + margin);
  const delta = mean(shifted);
  const stderr = standardError(shifted);
  const zeros = differences.filter((difference) => difference === 0).length;
  if (differences.length < T_TEST_TASKS || zeros * 2 > differences.length || delta === null || !stderr) {
    const p = signFlip(shifted, "less")?.p ?? null;
    return { method: "sign-flip", p, holds: p !== null && p <= HOLDS };
  }
  const p = tCdf(delta / stderr, differences.length - 1);
  return { method: "t", p, holds: p < HOLDS };
}

/** The one-sided 95 % upper bound of the mean difference: Δ + t(.95, T − 1) · SE. Null below two tasks or without spread. */
export function upperBound(differences: readonly number[]): number | null {
  const delta = mean(differences);
  const stderr = standardError(differences);
  if (delta === null || !stderr) return null;
  return delta + tQuantile(0.95, differences.length - 1) * stderr;
}

export type Verdict = "better" | "likely better" | "within noise" | "likely worse" | "worse" | "no change";

/**
 * The word for a comparison: worse or better where the one-sided test holds at 5 %, likely at 20 %, else within noise; `no
 * change` where every task's mean is the same on both sides. Null of no task.
 */
export function verdictOf(differences: readonly number[]): Verdict | null {
  if (differences.length === 0) return null;
  if (differences.every((difference) => difference === 0)) return "no change";
  const worse = oneSidedTest(differences, "worse");
  const better = oneSidedTest(differences, "better");
  if (worse.holds) return "worse";
  if (better.holds) return "better";
  if (isLikely(worse)) return "likely worse";
  if (isLikely(better)) return "likely better";
  return "within noise";
}

function isLikely({ p }: OneSidedTest): boolean {
  return p !== null && p <= LIKELY;
}
