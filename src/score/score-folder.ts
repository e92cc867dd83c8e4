import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../core/errors.js";
import { naturalOrder } from "../core/natural-order.js";
import type { ScoringConfig } from "../core/profile.js";
import type { Score } from "../core/score.js";
import { type Gold, readGoldFolder } from "./gold.js";
import { scorerOptions } from "./score-trial.js";
import { type OpenDomains, type Scorer, scorerNamed } from "./scorer.js";

export interface FolderScoring extends Pick<ScoringConfig, "penalty" | "names" | "thousands"> {
  /** Folder with `task_<id>/prediction.csv`, and `conclusion.md` beside it where there is one. */
  readonly predictions: string;
  /** Folder with `task_<id>/gold.csv`, or a suite's root with such a folder called `output`. */
  readonly gold: string;
  readonly scorer: string;
  readonly domains: OpenDomains;
}

/** What `score --predictions --gold --json` prints. */
export interface FolderScores {
  readonly scorer: string;
  readonly version: string;
  readonly penalty: number;
  readonly names: "accept" | "strict";
  /** Every task that has a gold or a prediction, in natural order. */
  readonly tasks: readonly TaskScore[];
  readonly summary: {
    /** All of `tasks`: the six statuses add up to it. */
    readonly tasks: number;
    /** Over tasks that are not unscored; null without any, and for a scorer without recall. */
    readonly mean_score: number | null;
    readonly mean_recall: number | null;
  } & Readonly<Record<Score["status"], number>>;
}

export interface TaskScore {
  readonly task_id: string;
  readonly status: Score["status"];
  readonly score: number | null;
  /** From here to `extra_columns` null where the scorer has no such number or it is unknown. */
  readonly recall: number | null;
  readonly matched_columns: number | null;
  readonly gold_columns: number | null;
  readonly predicted_columns: number | null;
  readonly extra_columns: number | null;
  readonly reason: string | null;
  /** All that the scorer says, the grid of penalties included. */
  readonly details: Score["details"];
}

/**
 * Scores a folder of predictions, no run needed. Tasks are those with a gold; a prediction without one is unscored. Checks beside
 * a gold go before the options given. Throws UsageError, all problems at once, for folders that are not there or hold
 * nothing, an unknown scorer, a penalty outside 0 … 1, and unreadable checks.
 */
export async function scoreFolder(scoring: FolderScoring): Promise<FolderScores> {
  const scorer = scorerNamed(scoring.scorer);
  if (!(scoring.penalty >= 0 && scoring.penalty <= 1)) {
    throw new UsageError(`a penalty of ${scoring.penalty} is not between 0 and 1`);
  }
  const goldRoot = await findGoldRoot(scoring.gold);
  const predicted = await taskFolders(scoring.predictions, "prediction.csv");
  if (predicted.length === 0) {
    throw new UsageError(`${scoring.predictions}: no task_<id>/prediction.csv here`);
  }
  const ids = new Set([...goldRoot.tasks, ...predicted]);
  const golds = await readGolds(goldRoot.folder, [...ids].sort(naturalOrder));
  const tasks: TaskScore[] = [];
  for (const { task_id, gold } of golds) {
    const folder = path.join(scoring.predictions, task_id);
    const answer = { prediction: path.join(folder, "prediction.csv"), conclusion: path.join(folder, "conclusion.md") };
    const score = await scorer.score(answer, gold, scorerOptions(scoring, gold.checks), scoring.domains);
    tasks.push(taskScore(task_id, score));
  }
  return summarise(scorer, scoring, tasks);
}

/** The folder that holds the golds: the one given, or its `output`. */
async function findGoldRoot(given: string): Promise<{ readonly folder: string; readonly tasks: readonly string[] }> {
  const output = path.join(given, "output");
  const direct = { folder: given, tasks: await taskFolders(given, "gold.csv") };
  if (direct.tasks.length > 0) return direct;
  const below = { folder: output, tasks: (await isFolder(output)) ? await taskFolders(output, "gold.csv") : [] };
  if (below.tasks.length > 0) return below;
  throw new UsageError(`${given}: no task_<id>/gold.csv here: give a suite's root or its output folder`);
}

/** Names of the folders in `folder` that hold `file`. */
async function taskFolders(folder: string, file: string): Promise<string[]> {
  if (!(await isFolder(folder))) throw new UsageError(`${folder}: no such folder`);
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => exists(path.join(folder, name, file))));
  return names.filter((_, index) => found[index]);
}

async function readGolds(folder: string, ids: readonly string[]) {
  const problems: string[] = [];
  const golds: { readonly task_id: string; readonly gold: Gold }[] = [];
  for (const task_id of ids) {
    try {
      golds.push({ task_id, gold: await readGoldFolder(path.join(folder, task_id)) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(...error.lines);
    }
  }
  if (problems.length > 0) throw new UsageError(problems);
  return golds;
}

function taskScore(task_id: string, { status, value, reason, details }: Score): TaskScore {
  const number = (name: string) => {
    const found = details[name];
    return typeof found === "number" ? found : null;
  };
  return {
    task_id,
    status,
    score: value,
    recall: number("recall"),
    matched_columns: number("matched_columns"),
    gold_columns: number("gold_columns"),
    predicted_columns: number("predicted_columns"),
    extra_columns: number("extra_columns"),
    reason,
    details,
  };
}

function summarise(scorer: Scorer, { penalty, names }: FolderScoring, tasks: readonly TaskScore[]): FolderScores {
  const count = (status: Score["status"]) => tasks.filter((task) => task.status === status).length;
  return {
    scorer: scorer.name,
    version: scorer.version,
    penalty,
    names,
    tasks,
    summary: {
      tasks: tasks.length,
      mean_score: mean(tasks.flatMap(({ score }) => score ?? [])),
      mean_recall: mean(tasks.flatMap(({ recall }) => recall ?? [])),
      perfect: count("perfect"),
      partial: count("partial"),
      none: count("none"),
      missing: count("missing"),
      invalid: count("invalid"),
      unscored: count("unscored"),
    },
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
