import { access } from "node:fs/promises";
import path from "node:path";
import { createQueryPool, type QueryPool } from "../../context/query-pool.js";
import type { Environment } from "../../core/environment.js";
import { isValid } from "../../core/outcome.js";
import type { Clock } from "../../core/ports/clock.js";
import type { PlannedTask, ScoreRecord } from "../../core/run-record.js";
import type { Task } from "../../core/task.js";
import { goldDigest } from "../../score/gold.js";
import { type Scorer, scorerNamed } from "../../score/scorer.js";
import { runLogFile } from "../log/run-folder.js";
import { lockRun } from "../log/run-lock.js";
import { openRunLog, type RunLogWriter, readRunLog } from "../log/run-log.js";
import { type EndedTrial, type RunState, readRunState, type StandingScore } from "../run-state.js";
import { type TaskDomains, taskDomains } from "../task-domains.js";
import { candidateScores } from "./candidate-scores.js";
import { scoreRecords } from "./score-records.js";

export interface Rescoring {
  readonly runFolder: string;
  /** Null: those of the run's profile. */
  readonly scorers: readonly string[] | null;
  /** Scorers of a program, beside those. */
  readonly own: readonly Scorer[];
  /** Only tasks whose gold or checks are not those that the run was planned with. */
  readonly onlyChanged: boolean;
  /** Where each task of the run, and with it its gold, is now. */
  readonly tasks: readonly Task[];
  readonly clock: Clock;
  /** Where URLs of connections are. */
  readonly env: Environment;
  /** Where compiled contexts are kept: claim checks may ask a task's own data. */
  readonly cacheDir: string;
  readonly onWarning: (message: string) => void;
}

export interface Rescored {
  readonly appended: readonly AppendedScore[];
  /** Scores that stand as they are: scorer, options, gold and checks are the same. */
  readonly unchanged: number;
  /** Scores appended for tables that checks judged. */
  readonly candidates: number;
  /** Trials that were left alone, with the reason: their task or their prediction is not where it was. Never scored as if they had no answer. */
  readonly left_alone: readonly { readonly trial: string; readonly why: string }[];
}

/** Without the details, which may be long: they are in the log. */
export interface AppendedScore {
  readonly record: Omit<ScoreRecord, "details">;
  /** The score that it takes the place of; it stays in the log. Null where there was none. */
  readonly before: StandingScore | null;
  /** In words, e.g. `gold or checks changed`. */
  readonly why: string;
}

/**
 * Scores the valid trials of a stored run again, from their predictions on disk: no model, no key, no network. Appends a score
 * where version or basis (options, gold and checks) differ from the newest one, so that doing it twice appends nothing. Throws
 * UsageError for an unknown scorer and while another process is at work on the run, RunLogError where there is no run.
 */
export async function rescoreRun(rescoring: Rescoring): Promise<Rescored> {
  rescoring.scorers?.forEach(scorerNamed);
  const unlock = await lockRun(rescoring.runFolder, rescoring.clock.iso());
  const pool = createQueryPool();
  try {
    return await rescoreLocked(rescoring, pool);
  } finally {
    await pool.close();
    await unlock();
  }
}

async function rescoreLocked(rescoring: Rescoring, pool: QueryPool): Promise<Rescored> {
  const { runFolder, onWarning, env, cacheDir } = rescoring;
  const run = await readRunState(readRunLog(runLogFile(runFolder), onWarning));
  const timeout_ms = run.start.profile.tools.query_timeout_seconds * 1000;
  const domains = taskDomains({ env, cacheDir, pool, timeout_ms });
  const tasks = new Map(rescoring.tasks.map((task) => [task.task_id, task]));
  const goldChanged = await changedGolds(tasks, run.start.tasks);
  const appended: AppendedScore[] = [];
  const left_alone: { trial: string; why: string }[] = [];
  let unchanged = 0;
  let candidates = 0;
  // Opened for the first score to append: a look that changes nothing leaves the file alone.
  let log: RunLogWriter | null = null;
  try {
    for (const [key, end] of run.ends) {
      if (!isValid(end.outcome) || (rescoring.onlyChanged && !goldChanged.has(end.task_id))) continue;
      const task = tasks.get(end.task_id);
      const trouble = task === undefined ? "its task is not among the tasks" : await missingPrediction(end, runFolder);
      if (task === undefined || trouble !== null) {
        left_alone.push({ trial: key, why: trouble ?? "" });
        continue;
      }
      const changed: ScoreRecord[] = [];
      for (const record of await newScores(end, task, run, rescoring, domains)) {
        const before = run.scores.get(key)?.get(record.scorer) ?? null;
        const why = reason(before, record, goldChanged.has(record.task_id));
        if (why === null) unchanged++;
        else {
          const { details: _details, ...shown } = record;
          appended.push({ record: shown, before, why });
          changed.push(record);
        }
      }
      const { scoring } = run.start.profile;
      const place = { task, scoring, runFolder, clock: rescoring.clock, domains: domains(task) };
      const judged = await candidateScores(end, place, run.candidateScores.get(key));
      candidates += judged.length;
      const records = [...changed, ...judged];
      if (records.length > 0) log ??= openRunLog(runFolder);
      await Promise.all(records.map((record) => log?.append(record)));
    }
  } finally {
    await log?.close();
  }
  return { appended, unchanged, candidates, left_alone };
}

function newScores(
  end: EndedTrial,
  task: Task,
  run: RunState,
  rescoring: Rescoring,
  domains: TaskDomains,
): Promise<ScoreRecord[]> {
  const { scoring } = run.start.profile;
  const { scorers, own, runFolder, clock } = rescoring;
  return scoreRecords(end, task, scoring, scorers ?? scoring.scorers, own, runFolder, clock, domains(task));
}

/** In words, where a trial brought a prediction that is not on disk any more; null where there is nothing amiss. */
async function missingPrediction({ prediction }: EndedTrial, runFolder: string): Promise<string | null> {
  if (prediction === null) return null;
  return access(path.join(runFolder, ...prediction.split("/"))).then(
    () => null,
    () => `${prediction} is gone`,
  );
}

/** Ids of tasks whose gold or checks are not those that the run was planned with. */
async function changedGolds(
  tasks: ReadonlyMap<string, Task>,
  planned: readonly PlannedTask[],
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const { task_id, gold_digest } of planned) {
    const task = tasks.get(task_id);
    if (task !== undefined && (await goldDigest(task.folder, task_id)) !== gold_digest) changed.add(task_id);
  }
  return changed;
}

/** Why a score is to be appended; null where it is not. */
function reason(before: StandingScore | null, now: ScoreRecord, goldChanged: boolean): string | null {
  if (before === null) return "not scored by this before";
  if (before.scorer_version !== now.scorer_version) return `version ${before.scorer_version} → ${now.scorer_version}`;
  if (before.basis === now.basis) return null;
  return goldChanged ? "gold or checks changed" : "options, gold or checks changed since it was last scored";
}
