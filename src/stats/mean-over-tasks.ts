import { clip, type Interval, mean, standardError, tInterval, variance, wilson } from "./intervals.js";

export interface MeanOverTasks {
  /** How many tasks have a value. */
  readonly tasks: number;
  readonly mean: number | null;
  /** sd of the task means (ddof 1) / √T: a task's repeats are one cluster. Null below two tasks. */
  readonly stderr: number | null;
  readonly stderr_method: "task-cluster";
  /** Clipped to [0, 1]; null below two tasks. */
  readonly ci95: Interval | null;
  /** `wilson` (one unit a task) where all task means are equal, because a t interval would then claim certainty. */
  readonly ci95_method: "t" | "wilson" | null;
}

/** Mean, standard error and interval from each task's mean pass rate or score, 0 … 1. */
export function meanOverTasks(taskMeans: readonly number[]): MeanOverTasks {
  const centre = mean(taskMeans);
  const stderr = standardError(taskMeans);
  const tasks = taskMeans.length;
  const estimate = { tasks, mean: centre, stderr, stderr_method: "task-cluster" } as const;
  if (centre === null || stderr === null) return { ...estimate, ci95: null, ci95_method: null };
  if (stderr === 0) return { ...estimate, ci95: wilson(centre * tasks, tasks), ci95_method: "wilson" };
  return { ...estimate, ci95: clip(tInterval(centre, stderr, tasks - 1), 0, 1), ci95_method: "t" };
}

/** Mean over tasks of the variance (ddof 1) among a task's repeats; tasks with fewer than two are left out. Null without any. */
export function withinTaskVariance(tasks: readonly (readonly number[])[]): number | null {
  return mean(tasks.flatMap((repeats) => variance(repeats) ?? []));
}

export interface Brackets {
  /** Mean of task means over valid trials; tasks without one are left out. */
  readonly valid_only: number | null;
  /** The same with every planned trial that is not valid as a miss: the pessimistic end. */
  readonly errors_as_misses: number | null;
}

/** The two readings of infrastructure errors. `total` is the sum of a task's scores or its number of passes. */
export function brackets(
  tasks: readonly { readonly total: number; readonly valid: number; readonly planned: number }[],
): Brackets {
  return {
    valid_only: mean(tasks.flatMap(({ total, valid }) => (valid > 0 ? [total / valid] : []))),
    errors_as_misses: mean(tasks.flatMap(({ total, planned }) => (planned > 0 ? [total / planned] : []))),
  };
}
