import { readFileSync } from "node:fs";
import path from "node:path";
import { digestFolder } from "../context/digest-folder.js";
import { digestOf, sha256 } from "../core/digest.js";
import type { TrialIdentity } from "../core/identity.js";
import type { PlannedTask } from "../core/run-record.js";
import type { Task } from "../core/task.js";
import { goldDigest } from "../score/gold.js";

/**
 * The trials of a run in the order in which they start: all repeats of a task together, so that its compiled context is used while
 * it is warm, and the first tasks have their n results early. Within a repeat the arms follow each other, so that what an endpoint does
 * to one in a slow hour it does to all, and they take turns at being first.
 */
export function plannedTrials(taskIds: readonly string[], arms: readonly string[], repeats: number): TrialIdentity[] {
  return taskIds.flatMap((task_id, position) =>
    Array.from({ length: repeats }, (_, index) => index + 1).flatMap((k) =>
      rotated(arms, position + k - 1).map((arm) => ({ arm, task_id, k })),
    ),
  );
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % Math.max(items.length, 1);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** A task as the log knows it, with digests of what the agent gets and, apart from it, of gold and checks. */
export async function planTask(task: Task): Promise<PlannedTask> {
  const context = await digestFolder(task.context_dir);
  const description = readFileSync(path.join(task.folder, "task.json"));
  const gold_digest = await goldDigest(task.folder, task.task_id);
  return {
    task_id: task.task_id,
    difficulty: task.difficulty,
    tags: task.tags,
    input_digest: digestOf({ context, task: sha256(description) }),
    gold_digest,
  };
}
