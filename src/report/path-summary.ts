import type { RunStart } from "../core/run-record.js";
import { median } from "./counting.js";
import { type Rate, rateOver } from "./rate.js";
import type { TrialFacts } from "./run-facts.js";
import { type Metric, rateTasks, taskMean } from "./task-summary.js";

export const PATHS = ["recall", "recompute"] as const;

/**
 * The valid trials that came to their answer one way: `recall` asked the data nothing before the final submission, `recompute` did (seed 2: a
 * model may be right when it recalls and wrong when it recomputes). Rates are over the tasks that have such trials, so that two paths need not be of the same tasks.
 */
export interface PathSummary extends Rate {
  readonly path: (typeof PATHS)[number];
  readonly valid_trials: number;
  readonly passes: number;
  /** Calls by tool. */
  readonly tools: Readonly<Record<string, number>>;
  readonly median_tool_calls: number | null;
  readonly median_seconds: number | null;
}

/** A summary of each path that a valid trial took. */
export function summarisePaths(valid: readonly TrialFacts[], start: RunStart, metric: Metric): PathSummary[] {
  return PATHS.flatMap((path) => {
    const trials = valid.filter((trial) => trial.path === path);
    if (trials.length === 0) return [];
    const tasks = rateTasks(trials, start);
    return [
      {
        path,
        valid_trials: trials.length,
        passes: tasks.reduce((sum, task) => sum + (task.passes ?? 0), 0),
        ...rateOver(tasks.map((task) => taskMean(task, metric))),
        tools: sumOf(trials),
        median_tool_calls: median(
          trials.map(({ tools }) => Object.values(tools).reduce((sum, calls) => sum + calls, 0)),
        ),
        median_seconds: median(trials.map(({ seconds }) => seconds)),
      },
    ];
  });
}

function sumOf(trials: readonly TrialFacts[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { tools } of trials) {
    for (const [tool, calls] of Object.entries(tools)) sums[tool] = (sums[tool] ?? 0) + calls;
  }
  return sums;
}
