import { isValid } from "../../core/outcome.js";
import type { Clock } from "../../core/ports/clock.js";
import type { ScoringConfig } from "../../core/profile.js";
import type { ScoreRecord } from "../../core/run-record.js";
import type { Task } from "../../core/task.js";
import { scorersOf } from "../../score/score-trial.js";
import type { Scorer } from "../../score/scorer.js";
import type { RunLogWriter } from "../log/run-log.js";
import type { EndedTrial, RunState } from "../run-state.js";
import type { TaskDomains } from "../task-domains.js";
import { candidateScores, type KnownCandidates } from "./candidate-scores.js";
import { scoreRecords } from "./score-records.js";

/** What scoring the trials of a run needs. */
export interface ScoreRoom {
  readonly runFolder: string;
  readonly scoring: ScoringConfig;
  readonly log: RunLogWriter;
  readonly clock: Clock;
  readonly domains: TaskDomains;
  /** Scorers of a program, beside those of the profile. */
  readonly own: readonly Scorer[];
}

/** Scores a valid trial with the scorers of the profile and of its task's checks, and the candidates that its checks judged. */
export async function appendScores(end: EndedTrial, task: Task, room: ScoreRoom): Promise<readonly ScoreRecord[]> {
  const scores = await appendMissing(end, task, room, new Set());
  await appendCandidates(end, task, room, new Map());
  return scores;
}

/** Scores that a kill left out: between trial-end and scores, or between one score and the next. */
export async function appendUnscored(run: RunState, tasks: ReadonlyMap<string, Task>, room: ScoreRoom): Promise<void> {
  const wanted = new Map<string, readonly string[]>();
  for (const [key, end] of run.ends) {
    const task = tasks.get(end.task_id);
    if (task === undefined || !isValid(end.outcome)) continue;
    const names = wanted.get(task.task_id) ?? [
      ...(await scorersOf(task, room.scoring.scorers)),
      ...room.own.map(({ name }) => name),
    ];
    wanted.set(task.task_id, names);
    const there = new Set(run.scores.get(key)?.keys());
    if (names.some((name) => !there.has(name))) await appendMissing(end, task, room, there);
    await appendCandidates(end, task, room, run.candidateScores.get(key) ?? new Map());
  }
}

/** Appends the scores of a trial but for those of the scorers that are there. */
async function appendMissing(
  end: EndedTrial,
  task: Task,
  { runFolder, scoring, log, clock, domains, own }: ScoreRoom,
  there: ReadonlySet<string>,
): Promise<readonly ScoreRecord[]> {
  const all = await scoreRecords(end, task, scoring, scoring.scorers, own, runFolder, clock, domains(task));
  const scores = all.filter(({ scorer }) => !there.has(scorer));
  await Promise.all(scores.map((score) => log.append(score)));
  return scores;
}

async function appendCandidates(end: EndedTrial, task: Task, room: ScoreRoom, known: KnownCandidates): Promise<void> {
  const { runFolder, scoring, log, clock, domains } = room;
  const place = { task, scoring, runFolder, clock, domains: domains(task) };
  const scores = await candidateScores(end, place, known);
  await Promise.all(scores.map((score) => log.append(score)));
}
