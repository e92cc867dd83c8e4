import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lockRun } from "../../src/run/log/run-lock.js";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { logText, runOf } from "../support/run-records.js";

/** A log of a run that started at this time. */
function log(run_id: string, at: string, marks: Readonly<Record<string, string>>): string {
  const [start, ...others] = runOf(marks, { run_id });
  return logText([{ ...start, at }, ...others]);
}

function withRuns(): string {
  return folderWith({
    "runs/old/run.jsonl": log("old", "2020-01-01T00:00:00.000Z", { task_1: "110" }),
    "runs/old/trials/main/task_1/1/1/prediction.csv": "x".repeat(5000),
    "runs/middle/run.jsonl": log("middle", "2021-01-01T00:00:00.000Z", { task_1: "11." }),
    "runs/new/run.jsonl": log("new", new Date(Date.now() - 60_000).toISOString(), { task_1: "111", task_2: "!!!" }),
    "runs/foreign/run.jsonl": "{}\n",
    "runs/baselines/main.jsonl": log("main", "2019-01-01T00:00:00.000Z", { task_1: "111" }),
    "runs/baselines/run.jsonl": log("main", "2019-01-01T00:00:00.000Z", { task_1: "111" }),
    "runs/notes/readme.txt": "not a run",
  });
}

const left = (cwd: string) =>
  ["old", "middle", "new", "foreign", "baselines", "notes"].filter((id) => existsSync(path.join(cwd, "runs", id)));

describe("daw-eval runs list", () => {
  it("shows status, tasks × n, trials, pass rate and size, newest first", async () => {
    const cwd = withRuns();
    const { code, stdout } = await cli(["runs"], { cwd });
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/).slice(0, 5).join(" | "));
    expect(rows[0]).toBe("run | status | tasks | trials | pass rate");
    expect(rows.slice(1).filter((row) => !row.startsWith("foreign"))).toEqual([
      "new | completed | 2 × 3 | 6/6 | 100.0 %",
      "middle | interrupted | 1 × 3 | 2/3 | 100.0 %",
      "old | completed | 1 × 3 | 3/3 | 66.7 %",
    ]);
    expect(rows.filter((row) => row.startsWith("foreign"))).toEqual(["foreign | unreadable | – | – | –"]);
  });

  it("is JSON on request, with bytes of the whole folder", async () => {
    const { runs } = JSON.parse((await cli(["runs", "list", "--json"], { cwd: withRuns() })).stdout);
    const old = runs.find((run: { id: string }) => run.id === "old");
    expect(old).toMatchObject({ status: "completed", tasks: 1, repeats: 3, pass_rates: { main: 2 / 3 } });
    expect(old.bytes).toBeGreaterThan(5000);
  });

  it("says so where there is none, and exits 2 where there is no folder", async () => {
    expect(await cli(["runs"], { cwd: folderWith({ "runs/x.txt": "" }) })).toMatchObject({
      code: 0,
      stdout: "no runs in runs\n",
    });
    expect(await cli(["runs"], { cwd: folderWith() })).toMatchObject({
      code: 2,
      stderr: "daw-eval: runs: no such folder: nothing has been run here yet, or --dir says where\n",
    });
  });
});

describe("daw-eval runs clean", () => {
  it("says what it would delete and how large it is, and deletes nothing without --yes", async () => {
    const cwd = withRuns();
    const { code, stdout } = await cli(["runs", "clean", "old", "middle"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 runs, .*KiB: nothing deleted yet, pass --yes to delete/);
    expect(left(cwd)).toEqual(["old", "middle", "new", "foreign", "baselines", "notes"]);
  });

  it("deletes the named ones with --yes, sizes first", async () => {
    const cwd = withRuns();
    const { stdout } = await cli(["runs", "clean", "old", "--yes"], { cwd });
    expect(stdout).toMatch(/1 run, .*KiB\ndeleted 1 run, .*KiB\n$/);
    expect(left(cwd)).toEqual(["middle", "new", "foreign", "baselines", "notes"]);
  });

  it("--keep leaves the newest, --older-than the young ones, and baselines and other folders always stay", async () => {
    const keeping = withRuns();
    await cli(["runs", "clean", "--keep", "2", "--yes"], { cwd: keeping });
    expect(left(keeping)).toEqual(["new", "foreign", "baselines", "notes"]);
    const aging = withRuns();
    await cli(["runs", "clean", "--older-than", "30", "--yes"], { cwd: aging });
    expect(left(aging)).toEqual(["new", "foreign", "baselines", "notes"]);
    const all = withRuns();
    await cli(["runs", "clean", "--keep", "0", "--yes"], { cwd: all });
    expect(left(all)).toEqual(["baselines", "notes"]);
  });

  it("deletes nothing while a process is at work on one of the selected runs", async () => {
    const cwd = withRuns();
    const unlock = await lockRun(path.join(cwd, "runs/middle"), "2026-01-01T00:00:00.000Z");
    const { code, stderr } = await cli(["runs", "clean", "old", "middle", "--yes"], { cwd });
    // The lock is held by this process: the run is at work, and whoever looks at it is told so.
    const { runs } = JSON.parse((await cli(["runs", "list", "--json"], { cwd })).stdout);
    expect(runs.find((run: { id: string }) => run.id === "middle").status).toBe("running");
    const report = await cli(["report", "middle", "new", "--md", "none/report.md"], { cwd });
    expect([report.code, report.stderr.split("\n")]).toEqual([
      2,
      [
        `daw-eval: warning: middle is still running (process ${process.pid}): these are its trials so far`,
        "daw-eval: --md none/report.md: its folder is not there",
        "",
      ],
    ]);
    for (const args of [
      ["show", "middle"],
      ["export", "middle", "--kdd", "answers", "--repeat", "99"],
    ]) {
      const looked = await cli(args, { cwd });
      expect(looked.stderr).toContain(`middle is still running (process ${process.pid}): these are its trials so far`);
    }
    await unlock();
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`process ${process.pid}`) });
    expect(left(cwd)).toHaveLength(6);
    expect(await cli(["runs", "clean", "old", "middle", "--yes"], { cwd })).toMatchObject({ code: 0 });
    expect(left(cwd)).toHaveLength(4);
  });

  it.each([
    [["runs", "clean", "--yes"], "nothing is selected"],
    [["runs", "clean", "baselines", "--yes"], "baselines: no such run in runs"],
    [["runs", "clean", "../runs/old", "--yes"], "no such run in runs"],
    [["runs", "clean", "--keep", "-1", "--yes"], "--keep -1: give a whole number of at least 0"],
  ])("%j exits 2 and deletes nothing", async (args, line) => {
    const cwd = withRuns();
    const { code, stderr } = await cli(args, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(line);
    expect(left(cwd)).toHaveLength(6);
  });
});
