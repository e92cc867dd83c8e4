import { type MeanOverTasks, meanOverTasks } from "../stats/mean-over-tasks.js";
import { passAtK, passHatK } from "../stats/pass-k.js";
import type { TaskSummary } from "./task-summary.js";

/** A mean over tasks with its error and interval (spec/statistics.md); each null where it is undefined, never 0. */
export interface Rate extends Omit<MeanOverTasks, "tasks"> {
  /** Tasks with at least one scored trial: the T of mean, error and interval. */
  readonly rated_tasks: number;
}

/** Mean of task means; tasks without one (null) are left out. */
export function rateOver(taskMeans: readonly (number | null)[]): Rate {
  const { tasks, ...estimate } = meanOverTasks(taskMeans.filter((mean) => mean !== null));
  return { rated_tasks: tasks, ...estimate };
}

export interface PassEstimates {
  /** k → probability that k tries all pass; null where no task has k scored trials. */
  readonly pass_hat_k: Readonly<Record<string, number | null>>;
  readonly pass_hat_k_method: "without-replacement";
  /** k → probability that at least one of k tries passes. */
  readonly pass_at_k: Readonly<Record<string, number | null>>;
  readonly pass_at_k_method: "without-replacement";
  /** k → tasks that both are of: those with at least k scored trials. k is never lowered for the others. */
  readonly pass_k_tasks: Readonly<Record<string, number>>;
}

/** pass^k and pass@k for k = 1 … `repeats`. */
export function passEstimates(tasks: readonly TaskSummary[], repeats: number): PassEstimates {
  const passes = tasks.map((task) => ({ passes: task.passes ?? 0, valid: task.scored }));
  const ks = Array.from({ length: repeats }, (_, index) => index + 1);
  const byK = <Value>(of: (k: number) => Value) => Object.fromEntries(ks.map((k) => [String(k), of(k)]));
  return {
    pass_hat_k: byK((k) => passHatK(passes, k).value),
    pass_hat_k_method: "without-replacement",
    pass_at_k: byK((k) => passAtK(passes, k).value),
    pass_at_k_method: "without-replacement",
    pass_k_tasks: byK((k) => passHatK(passes, k).tasks),
  };
}
