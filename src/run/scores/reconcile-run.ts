import path from "node:path";
import { createQueryPool } from "../../context/query-pool.js";
import type { Environment } from "../../core/environment.js";
import { isValid } from "../../core/outcome.js";

import type { Task } from "../../core/task.js";
import type { Checks } from "../../score/checks.js";
import type { ReconciledAnswer } from "../../score/claim-summary.js";
import { loadGold } from "../../score/gold.js";
import { readConclusion } from "../../score/read-conclusion.js";
import { reconcileAnswer } from "../../score/reconcile-answer.js";
import { attemptFolder } from "../log/run-folder.js";
import type { EndedTrial, RunState } from "../run-state.js";
import { taskDomains } from "../task-domains.js";

export interface RunReconciliation {
  readonly runFolder: string;
  readonly run: RunState;
  /** Where each task of the run, and with it its checks, is now. */
  readonly tasks: readonly Task[];
  /** For all tasks alike; null: those of each task. */
  readonly checks: Checks | null;
  readonly env: Environment;
  readonly cacheDir: string;
}

export interface ReconciledTrial extends ReconciledAnswer {
  readonly trial: string;
  readonly checks: Checks;
}

/**
 * Makes the claim checks of all valid trials of a stored run, newest attempts, in the order in which they ended. Trials of tasks
 * without checks, or that are not among `tasks`, are left out. No model, no key. Throws UsageError for checks that cannot be read.
 */
export async function reconcileRun(reconciliation: RunReconciliation): Promise<readonly ReconciledTrial[]> {
  const { run, runFolder, env, cacheDir } = reconciliation;
  const pool = createQueryPool();
  const timeout_ms = run.start.profile.tools.query_timeout_seconds * 1000;
  const domains = taskDomains({ env, cacheDir, pool, timeout_ms });
  const tasks = new Map(reconciliation.tasks.map((task) => [task.task_id, task]));
  const checksOf = checksByTask(reconciliation.checks);
  const trials: ReconciledTrial[] = [];
  try {
    for (const [trial, end] of run.ends) {
      const task = tasks.get(end.task_id);
      if (task === undefined || !isValid(end.outcome)) continue;
      const checks = await checksOf(task);
      if (checks.verify.length === 0) continue;
      const answer = await answerOf(end, runFolder);
      const results = await reconcileAnswer(checks.verify, answer, domains(task)(checks.connections));
      trials.push({ trial, checks, results });
    }
  } finally {
    await pool.close();
  }
  return trials;
}

/** Each task's checks, read once for all its repeats. */
function checksByTask(given: Checks | null): (task: Task) => Promise<Checks> {
  const read = new Map<string, Promise<Checks>>();
  return (task) => {
    if (given !== null) return Promise.resolve(given);
    const checks = read.get(task.task_id) ?? loadGold(task).then((gold) => gold.checks);
    read.set(task.task_id, checks);
    return checks;
  };
}

async function answerOf(end: EndedTrial, runFolder: string) {
  const folder = attemptFolder(runFolder, end, end.attempt);
  return {
    conclusion: await readConclusion(path.join(folder, "conclusion.md")),
    prediction: end.prediction === null ? null : path.join(runFolder, ...end.prediction.split("/")),
  };
}
