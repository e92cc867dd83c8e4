import { mean } from "./intervals.js";

/** A task's valid repeats and how many of them passed. */
export interface Passes {
  readonly passes: number;
  readonly valid: number;
}

export interface PassK {
  /** Mean over the tasks with at least k valid repeats; null where there is none. */
  readonly value: number | null;
  /** Tasks that the value is of. */
  readonly tasks: number;
  /** Tasks with fewer than k valid repeats: they have no value, and k is not lowered for them. */
  readonly too_few: number;
}

/** pass@k: the chance that at least one of k repeats, drawn without replacement, passes: 1 − C(K−c, k) / C(K, k). */
export function passAtK(tasks: readonly Passes[], k: number): PassK {
  return overTasks(tasks, k, ({ passes, valid }) => 1 - shareOfDraws(valid - passes, valid, k));
}

/** pass^k: the chance that all of k repeats, drawn without replacement, pass: C(c, k) / C(K, k). */
export function passHatK(tasks: readonly Passes[], k: number): PassK {
  return overTasks(tasks, k, ({ passes, valid }) => shareOfDraws(passes, valid, k));
}

function overTasks(tasks: readonly Passes[], k: number, estimate: (task: Passes) => number): PassK {
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a whole number from 1, not ${k}`);
  const values = tasks.filter(({ valid }) => valid >= k).map(estimate);
  return { value: mean(values), tasks: values.length, too_few: tasks.length - values.length };
}

/** C(wanted, k) / C(all, k), as a product so that nothing overflows. */
function shareOfDraws(wanted: number, all: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(wanted - drawn, 0) / (all - drawn);
  return share;
}
