import path from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import type { RunRecord, RunStart } from "../../../src/core/run-record.js";
import { dealt } from "../../../src/core/shard.js";
import { gatherFacts } from "../../../src/report/run-facts.js";
import { type Merged, mergeShards } from "../../../src/run/merge/merge-shards.js";
import { folderWith } from "../../support/folder.js";
import { profileWith } from "../../support/profile.js";
import { recordsOf } from "../../support/run-files.js";
import { logText, runEnd, runStart, scoreRecord, trialEnd, trialRecords } from "../../support/run-records.js";

const PLAN = runStart({ tasks: { task_1: {}, task_2: {}, task_3: {} }, repeats: 1 });
const CLOCK = { iso: () => "2026-02-01T00:00:00.000Z", milliseconds: () => 0 };

/** Shard `index` of two of the plan, each of its tasks passed; `more`: what its run-start says otherwise. */
function shard(index: number, more: Partial<RunStart> = {}, after: readonly RunRecord[] = [runEnd()]): RunRecord[] {
  const part = { index, count: 2 };
  const tasks = dealt(PLAN.tasks, part);
  return [
    { ...PLAN, run_id: `s${index}`, tasks, shard: { ...part, tasks: PLAN.tasks }, ...more },
    ...tasks.flatMap(({ task_id }) => trialRecords(task_id, 1, "1")),
    ...after,
  ];
}

/** Merges the logs, called a, b, … */
async function merged(...logs: readonly (readonly RunRecord[])[]): Promise<Merged & { readonly records: RunRecord[] }> {
  const names = logs.map((_log, index) => String.fromCharCode(97 + index));
  const folder = folderWith(Object.fromEntries(logs.map((log, index) => [`${names[index]}/run.jsonl`, logText(log)])));
  const runFolder = path.join(folder, "joined");
  const runs = names.map((name) => ({
    name,
    folder: path.join(folder, name),
    log: path.join(folder, name, "run.jsonl"),
  }));
  const done = await mergeShards({ runs, run_id: "joined", runFolder, argv: ["merge"], onWarning: () => {} }, CLOCK);
  return { ...done, records: await recordsOf(runFolder) };
}

async function refusal(...logs: readonly (readonly RunRecord[])[]): Promise<readonly string[]> {
  const error = await merged(...logs).catch((thrown: unknown) => thrown);
  return error instanceof UsageError ? error.lines : [`not refused: ${error}`];
}

describe("joining shards", () => {
  it("makes one run of the whole plan, whatever their order", async () => {
    const { start, end, gaps, records } = await merged(shard(2), shard(1));
    expect(start).toMatchObject({ run_id: "joined", shard: null, tasks: PLAN.tasks, argv: ["merge"] });
    expect(end).toMatchObject({ status: "completed", counts: { planned: 3, valid: 3, not_run: 0 } });
    expect(gaps).toEqual([]);
    expect(records[0]).toEqual(start);
    expect(records.at(-1)).toEqual(end);
    expect((await gatherFacts(records)).trials.size).toBe(3);
  });

  it("has failed where a shard has, and a commit only where all ran from the same", async () => {
    const failed = await merged(shard(1), shard(2, {}, [runEnd("failed")]));
    expect(failed.end.status).toBe("failed");
    const git = (commit: string) => ({ git: { commit, dirty: false } });
    expect((await merged(shard(1, git("a")), shard(2, git("a")))).start.git).toMatchObject({ commit: "a" });
    expect((await merged(shard(1, git("a")), shard(2, git("b")))).start.git).toBeNull();
  });

  it.each<[string, Partial<RunStart>, string]>([
    ["another version", { versions: { ...PLAN.versions, daw_eval: "0.2.0" } }, "daw-eval 0.2.0, there 0.1.0"],
    ["another dealing", { shard: { index: 2, count: 3, tasks: PLAN.tasks } }, "dealt into 3 parts, there 2"],
    [
      "another profile",
      { profile: { ...PLAN.profile, limits: { ...PLAN.profile.limits, seconds: 7 }, seed: 5 } },
      "the profiles differ in limits.seconds, seed",
    ],
    ["another program", { additions: ["tool moon"] }, "a program's additions are tool moon, there none"],
    ["other arms", { arms: ["x"] }, "the arms are x, there main"],
    [
      "another sandbox",
      { sandbox: { python: "bwrap", reason: null } },
      "execute_python was not offered (off), now is bwrap",
    ],
    [
      "a task that is not planned there",
      {
        shard: {
          index: 2,
          count: 2,
          tasks: [
            ...PLAN.tasks,
            { task_id: "task_4", difficulty: "easy", tags: [], input_digest: "i", gold_digest: "g" },
          ],
        },
      },
      "tasks that are not planned there: task_4",
    ],
  ])("refuses %s, naming it", async (_what, more, difference) => {
    expect(await refusal(shard(1), shard(2, more))).toEqual([`b is no part of the plan of a: ${difference}`]);
  });

  it("refuses tasks whose input or gold is another, and scores of another scorer's version", async () => {
    const tasks = PLAN.tasks.map((task) =>
      task.task_id === "task_1" ? { ...task, input_digest: "other" } : { ...task, gold_digest: "other" },
    );
    const bumped = shard(2, { shard: { index: 2, count: 2, tasks } }).map((record) =>
      record.record === "score" ? { ...record, scorer_version: "2" } : record,
    );
    expect(await refusal(shard(1), bumped)).toEqual([
      "b is no part of the plan of a: the input differs of: task_1",
      "b is no part of the plan of a: gold or checks differ of: task_2, task_3",
      "b is no part of the plan of a: scored by kdd-columns version 2, there 1: score both again",
    ]);
  });

  it("lets the profile's name, how many trials ran at once, and the machine differ", async () => {
    const more = {
      profile: { ...PLAN.profile, name: "other", concurrency: 9 },
      versions: { ...PLAN.versions, node: "v22" },
    };
    const { start } = await merged(shard(1), shard(2, more));
    expect(start.versions.node).toBe("v20, v22");
  });

  it("refuses a part that is there twice: which of two should count is not for it to choose", async () => {
    expect(await refusal(shard(1), shard(1), shard(2))).toEqual([
      "shard 1/2 is there twice: a and b (2 trials ended in both); leave one out",
    ]);
  });

  it("refuses whole runs and replays", async () => {
    expect(await refusal(shard(1), shard(2, { shard: null }))).toEqual([
      "b: not a part of a plan but the whole of one (it ran without --shard)",
    ]);
    expect(await refusal(shard(1, { replay_of: { run_id: "r", folder: "/r" } }))).toEqual([
      "a: a replay of r: merge the run itself",
    ]);
  });

  it("names missing shards and open trials as gaps, and is then an interrupted run", async () => {
    const open = shard(2, {}, []).filter((record) => record.record === "run-start");
    expect(await merged(shard(1), open)).toMatchObject({
      gaps: ["shard 2/2 (b) was interrupted: 1 of 1 trials have no end"],
      end: { status: "interrupted", counts: { planned: 3, valid: 2, not_run: 1 } },
    });
    expect(await merged(shard(2))).toMatchObject({
      gaps: ["shard 1/2 is missing: 2 tasks, 2 trials"],
      end: { status: "interrupted", counts: { planned: 3, valid: 1, not_run: 2 } },
    });
  });

  it("misses no shard that has no task", async () => {
    const one = { ...PLAN, tasks: PLAN.tasks.slice(0, 1) };
    const only = { ...one, shard: { index: 1, count: 2, tasks: one.tasks } };
    expect((await merged([only, ...trialRecords("task_1", 1, "1"), runEnd()])).gaps).toEqual([]);
  });

  it("keeps every attempt, what --force overrode, and which scores were given after the end", async () => {
    const later = scoreRecord("task_2", 1, { basis: "new gold" });
    const { records } = await merged(
      shard(1),
      shard(2, {}, [
        { record: "run-resume", at: "2026-01-02T00:00:00.000Z", forced: ["gold changed"], added: [], argv: [] },
        trialEnd("task_2", 1, { attempt: 2 }),
        scoreRecord("task_2", 1, { attempt: 2 }),
        runEnd(),
        { ...later, attempt: 2 },
      ]),
    );
    expect(records.at(-2)).toMatchObject({ record: "run-end" });
    const { trials, forced } = await gatherFacts(records);
    expect(forced).toEqual(["gold changed"]);
    expect(trials.get("task_2#1@main")?.scores.get("kdd-columns")).toMatchObject({ basis: "new gold", rescored: true });
    expect(records.filter(({ record }) => record === "trial-end")).toHaveLength(4);
  });

  it("holds profiles of arms against each other by their names", async () => {
    const arms = ["x", "y"];
    const two = (seconds: number) => ({
      arms,
      arm_profiles: { x: profileWith({}), y: { ...profileWith({}), limits: { ...PLAN.profile.limits, seconds } } },
    });
    expect(await refusal(shard(1, two(1)), shard(2, two(2)))).toEqual([
      "b is no part of the plan of a: the profiles differ in limits.seconds",
    ]);
  });
});
