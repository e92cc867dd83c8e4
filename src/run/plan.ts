import { readFile } from "node:fs/promises";
import path from "node:path";
import { digestFolder } from "../context/digest-folder.js";
import { digestOf, sha256 } from "../core/digest.js";
import { MAIN_ARM, type TrialIdentity } from "../core/identity.js";
import type { PlannedTask } from "../core/run-record.js";
import type { Task } from "../core/task.js";
import { goldDigest } from "../score/gold.js";

/**
 * The trials of a run in the order in which they start: all repeats of a task together, so that its compiled context is used while
 * it is warm, and the first tasks have their n results early.
 */
export function plannedTrials(taskIds: readonly string[], arms: readonly string[], repeats: number): TrialIdentity[] {
  return taskIds.flatMap((task_id) =>
    Array.from({ length: repeats }, (_, index) => index + 1).flatMap((k) => arms.map((arm) => ({ arm, task_id, k }))),
  );
}

/** The arms of a run: one, until profiles have a matrix. */
export const ARMS: readonly string[] = [MAIN_ARM];

/** A task as the log knows it, with digests of what the agent gets and, apart from it, of gold and checks. */
export async function planTask(task: Task): Promise<PlannedTask> {
  const [context, description, gold_digest] = await Promise.all([
    digestFolder(task.context_dir),
    readFile(path.join(task.folder, "task.json")),
    goldDigest(task.folder, task.task_id),
  ]);
  return {
    task_id: task.task_id,
    difficulty: task.difficulty,
    tags: task.tags,
    input_digest: digestOf({ context, task: sha256(description) }),
    gold_digest,
  };
}
