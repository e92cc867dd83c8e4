import type { TrialOutcome } from "../core/outcome.js";
import type { RunStart } from "../core/run-record.js";
import type { Difficulty } from "../core/task.js";
import { mean } from "../stats/intervals.js";
import { agreementOf, countNames, groupBy, median } from "./counting.js";
import { type MissedTrial, type TaskFailures, taskFailures } from "./failure-modes.js";
import type { ScoreFacts, TrialFacts } from "./run-facts.js";

/** What `mean`, its error and its interval are of. */
export type Metric = "pass_rate" | "score";

/** solid n/n · flaky 1 … n−1 · broken 0/n · incomplete: fewer than n valid trials · unscored: nothing to compare the answers with. */
export type TaskClass = "solid" | "flaky" | "broken" | "incomplete" | "unscored";

/** What became of one trial. `unscored` is valid but has no score. */
export type TrialMark = "pass" | "miss" | "infra" | "not-run" | "unscored";

export interface TaskSummary extends TaskFailures {
  readonly task_id: string;
  readonly difficulty: Difficulty;
  readonly tags: readonly string[];
  /** Trials with a valid outcome. */
  readonly valid: number;
  /** Of these, trials with a score: the K of this task's rates. */
  readonly scored: number;
  /** Null where the task is unscored. */
  readonly passes: number | null;
  readonly class: TaskClass;
  /** Mean over scored trials; null without one. */
  readonly mean_score: number | null;
  /** By repeat, from k = 1; null where that trial has no score. */
  readonly scores: readonly (number | null)[];
  /** By repeat, from k = 1. */
  readonly marks: readonly TrialMark[];
  /** Trials that ended in an infra-error. */
  readonly infra: number;
  readonly not_run: number;
  /** Share of pairs of answered trials with the same answer; null with fewer than two. */
  readonly agreement: number | null;
  /** Medians over valid trials. */
  readonly median_steps: number | null;
  readonly median_seconds: number | null;
  /** What kept trials from passing, most frequent first. */
  readonly notes: readonly { readonly note: string; readonly trials: number }[];
}

/** A planned task as the report knows it; `goldless`: the plan found neither gold nor checks. */
interface ReportedTask {
  readonly task_id: string;
  readonly difficulty: Difficulty;
  readonly tags: readonly string[];
  readonly goldless: boolean;
}

/**
 * One task of one arm. `trials` are its ended trials. A trial passes where the primary scorer calls it perfect or, with
 * `scoring.pass_min_score`, gives at least that (DESIGN §8), and no check that was made a gate is red.
 */
function summariseTask(task: ReportedTask, trials: readonly TrialFacts[], start: RunStart): TaskSummary {
  const repeats = Math.max(start.repeats, ...trials.map((trial) => trial.k));
  const byRepeat = Array.from({ length: repeats }, (_, index) => trials.find((trial) => trial.k === index + 1));
  const { scoring } = start.profile;
  const judged = byRepeat.map((trial) => judge(trial, scoring.primary, scoring.pass_min_score));
  const marks = judged.map(({ mark }) => mark);
  const valid = trials.filter((trial) => trial.outcome.kind !== "infra-error");
  const scores = judged.map(({ score }) => score);
  const known = scores.filter((score) => score !== null);
  const count = (wanted: TrialMark) => marks.filter((mark) => mark === wanted).length;
  const unscored = known.length === 0 && (valid.length > 0 || task.goldless);
  return {
    task_id: task.task_id,
    difficulty: task.difficulty,
    tags: task.tags,
    valid: valid.length,
    scored: known.length,
    passes: unscored ? null : count("pass"),
    class: unscored ? "unscored" : classOf(count("pass"), known.length, repeats),
    mean_score: mean(known),
    scores,
    marks,
    infra: count("infra"),
    not_run: count("not-run"),
    agreement: agreementOf(valid.flatMap((trial) => (trial.signature === null ? [] : [trial.signature]))),
    median_steps: median(valid.map((trial) => trial.steps)),
    median_seconds: median(valid.map((trial) => trial.seconds)),
    ...taskFailures(judged.flatMap(({ missed }) => missed ?? [])),
    notes: countNotes(judged.flatMap(({ note }) => (note === null ? [] : [note]))),
  };
}

function classOf(passes: number, scored: number, repeats: number): TaskClass {
  if (scored < repeats) return "incomplete";
  return passes === repeats ? "solid" : passes > 0 ? "flaky" : "broken";
}

interface Judged {
  readonly mark: TrialMark;
  readonly score: number | null;
  /** Why it did not pass; null where it did. */
  readonly note: string | null;
  readonly missed: MissedTrial | null;
}

function judge(trial: TrialFacts | undefined, primary: string, passMinScore: number | null): Judged {
  if (trial === undefined) return { mark: "not-run", score: null, note: "not run", missed: null };
  if (trial.outcome.kind === "infra-error")
    return { mark: "infra", score: null, note: outcomeNote(trial.outcome), missed: null };
  const score = trial.scores.get(primary);
  if (score === undefined || score.value === null) {
    return { mark: "unscored", score: null, note: `unscored: ${unscoredReason(score, primary)}`, missed: null };
  }
  const right = isPass(score, passMinScore);
  const gates = [...trial.scores].flatMap(([scorer, { gate_failed }]) => (gate_failed ? [scorer] : []));
  const passed = right && gates.length === 0;
  const shortcoming = right ? `gate: ${gates.join(", ")}` : scoreNote(score);
  const note = passed ? null : (outcomeNote(trial.outcome) ?? shortcoming);
  const missed = note === null ? null : { note, primary: score, scores: trial.scores };
  return { mark: passed ? "pass" : "miss", score: score.value, note, missed };
}

/** Every task of one arm from its ended trials: the plan's in its order, then any that only the trials know. */
export function summariseTasks(trials: readonly TrialFacts[], start: RunStart): TaskSummary[] {
  const byTask = groupBy(trials, (trial) => trial.task_id);
  return reportedTasks(start, byTask.keys()).map((task) => summariseTask(task, byTask.get(task.task_id) ?? [], start));
}

/** The plan's tasks in its order, then any that only the trials know. */
function reportedTasks(start: RunStart, seen: Iterable<string>): ReportedTask[] {
  const planned = new Set(start.tasks.map(({ task_id }) => task_id));
  const others = [...seen].filter((task_id) => !planned.has(task_id));
  return [
    ...start.tasks.map(({ task_id, difficulty, tags, gold_digest }) => ({
      task_id,
      difficulty,
      tags,
      goldless: gold_digest === null,
    })),
    ...others.map((task_id) => ({ task_id, difficulty: "unknown" as const, tags: [], goldless: false })),
  ];
}

/** What rates need of a task. */
export type RatedTask = Pick<TaskSummary, "passes" | "scored" | "mean_score">;

/** The tasks of these valid trials, as far as rates go. */
export function rateTasks(valid: readonly TrialFacts[], { profile: { scoring } }: RunStart): RatedTask[] {
  return [...groupBy(valid, (trial) => trial.task_id).values()].map((trials) => {
    const judged = trials.map((trial) => judge(trial, scoring.primary, scoring.pass_min_score));
    const known = judged.flatMap(({ score }) => score ?? []);
    const passes = judged.filter(({ mark }) => mark === "pass").length;
    return { passes, scored: known.length, mean_score: mean(known) };
  });
}

/** What a task adds to a mean: its pass rate or mean score over scored trials; null without one. */
export function taskMean(task: RatedTask, metric: Metric): number | null {
  if (metric === "score") return task.mean_score;
  return task.scored === 0 || task.passes === null ? null : task.passes / task.scored;
}

/** Whether a score is a pass; false without a value. */
export function isPass(score: Pick<ScoreFacts, "status" | "value">, passMinScore: number | null): boolean {
  return passMinScore === null ? score.status === "perfect" : score.value !== null && score.value >= passMinScore;
}

/** Why a valid trial has no score by this scorer. */
export function unscoredReason(score: ScoreFacts | undefined, scorer: string): string {
  return score === undefined ? `no score by ${scorer} in the log` : (score.reason ?? "no reason given");
}

/** How a trial ended where it did not end in an answer. */
function outcomeNote(outcome: TrialOutcome): string | null {
  switch (outcome.kind) {
    case "answered":
      return null;
    case "infra-error":
      return `infra: ${outcome.class}`;
    case "no-answer":
      return `no answer: ${outcome.reason}`;
    case "limit-reached":
      return `limit reached: ${outcome.limit}`;
    case "agent-error":
      return `agent error: ${outcome.reason}`;
  }
}

function scoreNote(score: ScoreFacts): string {
  if (score.status === "missing" || score.status === "invalid") {
    return score.reason === null ? score.status : `${score.status}: ${score.reason}`;
  }
  return score.shortfall ?? "wrong answer";
}

function countNotes(notes: readonly string[]): TaskSummary["notes"] {
  return Object.entries(countNames(notes))
    .map(([note, trials]) => ({ note, trials }))
    .sort((a, b) => b.trials - a.trials);
}
