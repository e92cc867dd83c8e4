import { lstat, readdir, stat } from "node:fs/promises";
import path from "node:path";
import pLimit from "p-limit";
import { UsageError } from "../core/errors.js";
import { naturalOrder } from "../core/natural-order.js";
import type { Suite, Task } from "../core/task.js";
import { unreadable } from "../core/unreadable.js";
import { readTask } from "./read-task.js";

/** Files open at once while a suite is read. */
const FILES_AT_ONCE = 32;

/**
 * Reads a suite in any accepted layout: `<path>/input/task_<id>/task.json` (official), `<path>/<folder>/task.json` (also
 * for the official `input` folder itself), or a single `<path>/task.json`. A folder without task.json is passed over
 * unless it is called `task_…`. `task_id` rules: it may differ from its folder's name. Tasks come in natural order of
 * their ids. Throws UsageError with every problem of every task as one line that starts with its path.
 */
export async function loadSuite(given: string): Promise<Suite> {
  const root = path.resolve(given);
  const found = await findTasks(root, given);
  if (found.folders.length === 0) {
    throw new UsageError(
      `${given}: no tasks here: give a folder with input/task_*/task.json, with task folders, or one task folder`,
    );
  }
  const limit = pLimit(FILES_AT_ONCE);
  const reads = await Promise.all(found.folders.map((folder) => limit(readTask, folder)));
  const tasks = reads.flatMap((read) => ("task" in read ? [read.task] : []));
  const problems = [...reads.flatMap((read) => ("problems" in read ? read.problems : [])), ...twins(tasks)];
  if (problems.length > 0) throw new UsageError(problems);
  return { path: root, name: found.name, tasks: tasks.toSorted((a, b) => naturalOrder(a.task_id, b.task_id)) };
}

async function findTasks(root: string, given: string): Promise<{ readonly name: string; readonly folders: string[] }> {
  const entries = await readdir(root).catch((error: unknown) => {
    const reason = unreadable(error);
    throw new UsageError(`${given}: ${reason === "no such file" ? "no such folder" : reason}`);
  });
  const name = path.basename(root);
  if (entries.includes("task.json")) return { name, folders: [root] };
  const input = path.join(root, "input");
  const official =
    entries.includes("input") && (await isFolder(input)) && !(await exists(path.join(input, "task.json")));
  if (official) return { name, folders: await taskFolders(input, await readdir(input)) };
  return {
    name: name === "input" ? path.basename(path.dirname(root)) : name,
    folders: await taskFolders(root, entries),
  };
}

async function taskFolders(parent: string, entries: readonly string[]): Promise<string[]> {
  const limit = pLimit(FILES_AT_ONCE);
  const folders = await Promise.all(
    entries.map((entry) =>
      limit(async () => {
        const folder = path.join(parent, entry);
        const isTask =
          (await exists(path.join(folder, "task.json"))) || (/^task_/.test(entry) && (await isFolder(folder)));
        return isTask ? [folder] : [];
      }),
    ),
  );
  return folders.flat().sort(naturalOrder);
}

/** Two tasks whose ids name one folder on some platform: equal, or equal but for case or Unicode composition. */
function twins(tasks: readonly Task[]): string[] {
  const first = new Map<string, Task>();
  return tasks.flatMap((task) => {
    const key = task.task_id.normalize("NFC").toLowerCase();
    const other = first.get(key);
    if (other === undefined) first.set(key, task);
    if (other === undefined) return [];
    const file = path.join(task.folder, "task.json");
    const difference =
      other.task_id === task.task_id ? "" : `, which differs from "${other.task_id}" only in case or composition,`;
    return [
      `${file}: task_id "${task.task_id}"${difference} is already that of ${path.join(other.folder, "task.json")}`,
    ];
  });
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** A link that leads nowhere exists too: reading it says so, passing it over would hide a task. */
async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
