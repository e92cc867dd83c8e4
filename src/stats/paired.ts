import { fairCoinCdf, tCdf } from "./distributions.js";
import { clip, type Interval, mean, standardError, tInterval } from "./intervals.js";

/** (z(.975) + z(.8)): an effect this many standard errors large is found four times in five. */
const VISIBLE_STANDARD_ERRORS = 2.8016;

export interface PairedDelta {
  /** Tasks that both sides have. */
  readonly tasks: number;
  /** Mean of head − base; null of no task. */
  readonly delta: number | null;
  readonly stderr: number | null;
  readonly stderr_method: "task-cluster";
  /** The rest is null below two tasks and where all differences are equal: there is no spread to measure against. */
  readonly t: number | null;
  /** Two-sided. */
  readonly p: number | null;
  /** Clipped to [−1, 1]. */
  readonly ci95: Interval | null;
  readonly min_visible_effect: number | null;
}

/** The paired comparison over common tasks: `differences` are head − base of each task's mean, −1 … 1. */
export function pairedDelta(differences: readonly number[]): PairedDelta {
  const delta = mean(differences);
  const stderr = standardError(differences);
  const df = differences.length - 1;
  const estimate = { tasks: differences.length, delta, stderr, stderr_method: "task-cluster" } as const;
  if (delta === null || stderr === null || stderr === 0) {
    return { ...estimate, t: null, p: null, ci95: null, min_visible_effect: null };
  }
  return {
    ...estimate,
    t: delta / stderr,
    p: 2 * tCdf(-Math.abs(delta / stderr), df),
    ci95: clip(tInterval(delta, stderr, df), -1, 1),
    min_visible_effect: VISIBLE_STANDARD_ERRORS * stderr,
  };
}

/**
 * McNemar's exact two-sided p for tasks that ran once on each side: `baseOnly` passed only in base, `headOnly` only in head.
 * 1 without such tasks.
 */
export function mcnemar(baseOnly: number, headOnly: number): number {
  return Math.min(1, 2 * fairCoinCdf(Math.min(baseOnly, headOnly), baseOnly + headOnly));
}
