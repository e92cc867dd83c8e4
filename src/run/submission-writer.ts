import type { TrialEnd } from "../core/run-record.js";
import { majority, removeSubmission, writeSubmission } from "./export-predictions.js";

/** Keeps a folder of submissions as the run goes: after each trial its task has the answer that most of its trials gave so far. */
export interface SubmissionWriter {
  ended(end: TrialEnd): void;
  /** Resolves when all is written; rejects where something could not be. */
  settled(): Promise<void>;
}

/** `before`: the trials that had ended when an earlier process stopped. What another run left in `dir` is removed: it is no answer of this one. */
export function submissionWriter(
  runFolder: string,
  dir: string,
  taskIds: readonly string[],
  before: readonly TrialEnd[],
): SubmissionWriter {
  const ends = new Map<string, Map<number, TrialEnd>>(taskIds.map((id) => [id, new Map()]));
  let work: Promise<void> = Promise.resolve();
  let failed: { readonly error: unknown } | null = null;
  const note = (end: TrialEnd) => ends.get(end.task_id)?.set(end.k, end);
  const update = (task_id: string) => {
    const [choice] = majority([...(ends.get(task_id)?.values() ?? [])], [task_id]);
    const chosen = choice?.chosen ?? null;
    work = work
      .then(async () => {
        if (chosen !== null) await writeSubmission(runFolder, chosen, dir);
        else await removeSubmission(dir, task_id);
      })
      // The first failure is told at the end; the run itself is safe in its log.
      .catch((error: unknown) => {
        failed ??= { error };
      });
  };
  before.forEach(note);
  taskIds.forEach(update);
  return {
    ended: (end) => {
      note(end);
      update(end.task_id);
    },
    settled: async () => {
      await work;
      if (failed !== null) throw failed.error;
    },
  };
}
