import { describe, expect, it } from "vitest";
import { selectTasks } from "../../src/config/select-tasks.js";
import type { Suite, Task, TaskSelection } from "../../src/core/task.js";
import { usageLines } from "../support/usage-lines.js";

const task = (task_id: string, ...tags: string[]): Task => ({
  task_id,
  question: "q",
  difficulty: "easy",
  tags,
  folder: `/suite/${task_id}`,
  context_dir: `/suite/${task_id}/context`,
  extra: {},
});
const suite: Suite = {
  path: "/suite",
  name: "suite",
  tasks: [task("demo.1", "zh"), task("demo.2", "join"), task("task_9", "zh", "join"), task("task_10"), task("task_11")],
};
const ALL: TaskSelection = { only: [], tags: [], limit: null };
const ids = (selection: Partial<TaskSelection>) =>
  selectTasks(suite, { ...ALL, ...selection }).tasks.map(({ task_id }) => task_id);
const linesOf = (selection: Partial<TaskSelection>) => usageLines(() => selectTasks(suite, { ...ALL, ...selection }));

describe("selecting tasks", () => {
  it.each<[Partial<TaskSelection>, string[]]>([
    [{}, ["demo.1", "demo.2", "task_9", "task_10", "task_11"]],
    [{ only: ["task_10,demo.2", "task_9"] }, ["demo.2", "task_9", "task_10"]],
    [{ only: ["task_1?"] }, ["task_10", "task_11"]],
    [{ only: ["*1"] }, ["demo.1", "task_11"]],
    [{ tags: ["zh"] }, ["demo.1", "task_9"]],
    [{ tags: ["zh, join"] }, ["demo.1", "demo.2", "task_9"]],
    [{ tags: ["zh"], only: ["task_*"] }, ["task_9"]],
    [{ limit: 2 }, ["demo.1", "demo.2"]],
    [{ limit: 99 }, ["demo.1", "demo.2", "task_9", "task_10", "task_11"]],
  ])("by %j keeps the suite's order", (selection, expected) => {
    expect(ids(selection)).toEqual(expected);
  });

  it("reads a glob's other characters as themselves", async () => {
    expect(await linesOf({ only: ["demo?1", "demo.[12]"] })).toEqual([expect.stringContaining("--only demo.[12]: ")]);
  });

  it.each<[Partial<TaskSelection>, string[]]>([
    [{ only: ["zzz"] }, ["--only zzz: no task matches; the tasks are demo.1, demo.2, task_9 … (5 in all)"]],
    [{ only: ["task_12", "task_9"] }, ["--only task_12: no task matches; nearest task_10, task_11, task_9"]],
    [{ only: ["task_9,"] }, ["--only : no task matches; the tasks are demo.1, demo.2, task_9 … (5 in all)"]],
    [{ tags: ["jion"] }, ["--tag jion: no task has it; nearest join"]],
    [{ tags: ["zh"], only: ["task_10"] }, ["no task is left of 5 after --only task_10 --tag zh"]],
    [
      { limit: 0, only: ["zzz"] },
      [
        "--only zzz: no task matches; the tasks are demo.1, demo.2, task_9 … (5 in all)",
        "--limit 0: must be a whole number of at least 1",
      ],
    ],
  ])("by %j is an error that names the filter", async (selection, expected) => {
    expect(await linesOf(selection)).toEqual(expected);
  });
});
