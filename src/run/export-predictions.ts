import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { formatIdentity } from "../core/identity.js";
import type { RunRecord, TrialEnd } from "../core/run-record.js";

/** What of a trial decides whether it speaks for its task. */
export type Voter = Pick<TrialEnd, "arm" | "task_id" | "k" | "outcome" | "prediction" | "signature">;

export interface Choice {
  readonly task_id: string;
  /** Null where no trial of the task brought an answer. */
  readonly chosen: Voter | null;
  /** Trials with the chosen answer, and with any. */
  readonly votes: number;
  readonly answers: number;
}

/**
 * The answer of each task: the one that most of its trials gave, equal ones by column signature, so that order and names do not split the
 * vote. Of answers that are given as often the one of the earliest repeat wins. Trials without an answer have no vote.
 */
export function majority(trials: readonly Voter[], taskIds: readonly string[]): Choice[] {
  return taskIds.map((task_id) => {
    const answered = trials
      .filter((trial) => trial.task_id === task_id && trial.prediction !== null)
      .sort((a, b) => a.k - b.k);
    const groups = new Map<string, Voter[]>();
    for (const trial of answered) {
      const key = trial.signature ?? `only ${trial.k}`;
      groups.set(key, [...(groups.get(key) ?? []), trial]);
    }
    // The first of the longest: groups come in the order of their earliest repeat.
    const best = [...groups.values()].reduce<Voter[]>(
      (found, group) => (group.length > found.length ? group : found),
      [],
    );
    return { task_id, chosen: best[0] ?? null, votes: best.length, answers: answered.length };
  });
}

/** The newest end of each trial of a log. */
export async function newestEnds(records: AsyncIterable<RunRecord>): Promise<TrialEnd[]> {
  const ends = new Map<string, TrialEnd>();
  for await (const record of records) {
    if (record.record === "trial-end") ends.set(formatIdentity(record), record);
  }
  return [...ends.values()];
}

/** Writes `<dir>/<task_id>/prediction.csv` of a trial, whole or not at all. */
export async function writeSubmission(runFolder: string, { task_id, prediction }: Voter, dir: string): Promise<void> {
  if (prediction === null) throw new Error(`${task_id}: a trial without an answer has nothing to submit`);
  const file = submissionFile(dir, task_id);
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  await copyFile(path.join(runFolder, ...prediction.split("/")), temporary);
  await rename(temporary, file);
}

/** Removes what an earlier export or run left, lest it is taken for an answer. Whether there was one. */
export async function removeSubmission(dir: string, task_id: string): Promise<boolean> {
  return rm(submissionFile(dir, task_id)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
        return false;
      throw error;
    },
  );
}

function submissionFile(dir: string, task_id: string): string {
  return path.join(dir, task_id, "prediction.csv");
}
