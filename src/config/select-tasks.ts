import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { Suite, Task, TaskSelection } from "../core/task.js";

/**
 * The tasks of a suite that are to run: only, then tags, then limit. Throws UsageError where none is left.
 */
export function selectTasks(suite: Suite, selection: TaskSelection): Suite {
  const only = splitLists(selection.only);
  const tags = splitLists(selection.tags);
  const { limit } = selection;
  const problems = [...onlyProblems(suite, only), ...tagProblems(suite, tags), ...limitProblems(limit)];
  if (problems.length > 0) throw new UsageError(problems);

  const tasks = suite.tasks.filter(isSelected(selection)).slice(0, limit ?? suite.tasks.length);
  if (tasks.length === 0) throw new UsageError(`no task is left of ${suite.tasks.length} after ${describe(selection)}`);
  return { ...suite, tasks };
}

/** Whether a task is one of those that `only` and `tags` name. */
export function isSelected(selection: Pick<TaskSelection, "only" | "tags">): (task: Task) => boolean {
  const patterns = splitLists(selection.only).map(globPattern);
  const tags = splitLists(selection.tags);
  return (task) =>
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(task.task_id))) &&
    (tags.length === 0 || tags.some((tag) => task.tags.includes(tag)));
}

const splitLists = (items: readonly string[]): string[] =>
  items.flatMap((item) => item.split(",")).map((item) => item.trim());

/** What `*` and `?` stand for in names of tasks and arms. */
export function globPattern(glob: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  const source = [...glob].map((character) =>
    character === "*" ? ".*" : character === "?" ? "." : literal(character),
  );
  return new RegExp(`^${source.join("")}$`, "u");
}

function onlyProblems(suite: Suite, only: readonly string[]): string[] {
  const ids = suite.tasks.map(({ task_id }) => task_id);
  return only
    .filter((item) => !ids.some((id) => globPattern(item).test(id)))
    .map((item) => `--only ${item}: no task matches; ${known("task", ids, item)}`);
}

function tagProblems(suite: Suite, tags: readonly string[]): string[] {
  const all = [...new Set(suite.tasks.flatMap((task: Task) => task.tags))].sort();
  return tags
    .filter((tag) => !all.includes(tag))
    .map((tag) => `--tag ${tag}: no task has it; ${all.length === 0 ? "no task has a tag" : known("tag", all, tag)}`);
}

function known(kind: string, names: readonly string[], wanted: string): string {
  const near = nearest(wanted, names, 3);
  if (near.length > 0) return `nearest ${near.join(", ")}`;
  const shown = names.slice(0, 3).join(", ");
  return names.length <= 3 ? `the ${kind}s are ${shown}` : `the ${kind}s are ${shown} … (${names.length} in all)`;
}

function limitProblems(limit: number | null): string[] {
  if (limit === null || (Number.isInteger(limit) && limit >= 1)) return [];
  return [`--limit ${limit}: must be a whole number of at least 1`];
}

function describe({ only, tags, limit }: TaskSelection): string {
  return [
    ...only.map((item) => `--only ${item}`),
    ...tags.map((tag) => `--tag ${tag}`),
    ...(limit === null ? [] : [`--limit ${limit}`]),
  ].join(" ");
}
