import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lockRun } from "../../src/run/log/run-lock.js";
import { goldDigest } from "../../src/score/gold.js";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { recordsOf } from "../support/run-files.js";
import { logText, NO_CONNECTION, runEnd, runStart, trialEnd } from "../support/run-records.js";

const TASK = { question: "How many?", difficulty: "easy" };

/** A suite of two tasks (task_2 has no gold) and a run of it that nobody has scored: right, wrong, infra-error; no answer, right table. */
async function withRun(): Promise<string> {
  const cwd = folderWith({
    "suite/input/task_1/task.json": JSON.stringify({ task_id: "task_1", ...TASK }),
    "suite/input/task_1/context/a.csv": "a\n1\n",
    "suite/input/task_2/task.json": JSON.stringify({ task_id: "task_2", ...TASK }),
    "suite/input/task_2/context/a.csv": "a\n1\n",
    "suite/output/task_1/gold.csv": "n\n4\n",
    "runs/one/trials/main/task_1/1/1/prediction.csv": "count\n4.00\n",
    "runs/one/trials/main/task_1/2/1/prediction.csv": "count\n5\n",
    "runs/one/trials/main/task_2/2/1/prediction.csv": "count\n5\n",
  });
  const gold = await goldDigest(path.join(cwd, "suite/input/task_1"), "task_1");
  writeFileSync(
    path.join(cwd, "runs/one/run.jsonl"),
    logText([
      runStart({
        repeats: 3,
        suite: path.join(cwd, "suite"),
        tasks: { task_1: { gold }, task_2: { gold: null } },
        scoring: { scorers: ["kdd-columns"] },
      }),
      trialEnd("task_1", 1),
      trialEnd("task_1", 2),
      trialEnd("task_1", 3, { outcome: NO_CONNECTION, prediction: null, signature: null }),
      trialEnd("task_2", 1, { outcome: { kind: "no-answer", reason: "max-steps" }, prediction: null, signature: null }),
      trialEnd("task_2", 2),
      runEnd("interrupted"),
    ]),
  );
  return cwd;
}

async function scoresIn(cwd: string): Promise<string[]> {
  const records = await recordsOf(path.join(cwd, "runs/one"));
  return records.flatMap((record) =>
    record.record === "score"
      ? [`${record.task_id}#${record.k} ${record.scorer} ${record.status} ${record.value}`]
      : [],
  );
}

describe("daw-eval score <run>", () => {
  it("scores an old run by checks that were added after it, on the tasks' own data, and once only", async () => {
    const cwd = await withRun();
    const score = () => cli(["score", "one", "--cache-dir", path.join(cwd, "cache")], { cwd });
    await score();
    const before = readFileSync(path.join(cwd, "runs/one/run.jsonl"), "utf8");
    mkdirSync(path.join(cwd, "suite/output/task_2"));
    writeFileSync(
      path.join(cwd, "suite/output/task_2/checks.yaml"),
      `verify: [{ name: teams, domain_sql: SELECT 'Red Team', anchors: [best], entity_suffixes: [Team] }]
line_formats: [{ name: sources, pattern: "^Sources: ", required: true }]
`,
    );
    writeFileSync(
      path.join(cwd, "runs/one/trials/main/task_2/2/1/conclusion.md"),
      "The best is Blue Team.\nSources: a\n",
    );
    const { code, stderr } = await score();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const log = readFileSync(path.join(cwd, "runs/one/run.jsonl"), "utf8");
    expect(log.startsWith(before)).toBe(true);
    expect((await scoresIn(cwd)).filter((line) => /claims|line-format/.test(line))).toEqual([
      "task_2#1 claims unscored null",
      "task_2#1 line-format none 0",
      "task_2#2 claims none 0",
      "task_2#2 line-format perfect 1",
    ]);
    expect((await score()).stdout).toContain("0 scores appended");
    expect(readFileSync(path.join(cwd, "runs/one/run.jsonl"), "utf8")).toBe(log);
  });

  it("scores stored trials offline, without a key, and appends what was missing", async () => {
    const cwd = await withRun();
    const { code, stdout, stderr } = await cli(["score", "one"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await scoresIn(cwd)).toEqual([
      "task_1#1 kdd-columns perfect 1",
      "task_1#2 kdd-columns none 0",
      "task_2#1 kdd-columns unscored null",
      "task_2#2 kdd-columns unscored null",
    ]);
    expect(stdout).toContain("4 scores appended to runs/one/run.jsonl, 0 unchanged");
    expect(stdout).toContain("not scored by this before");
    expect(stdout).toContain("pass rate 50.0 %");
  });

  it("appends nothing the second time, to the byte", async () => {
    const cwd = await withRun();
    await cli(["score", "one"], { cwd });
    const before = readFileSync(path.join(cwd, "runs/one/run.jsonl"), "utf8");
    const { stdout } = await cli(["score", "one"], { cwd });
    expect(stdout).toContain("0 scores appended to runs/one/run.jsonl, 4 unchanged");
    expect(readFileSync(path.join(cwd, "runs/one/run.jsonl"), "utf8")).toBe(before);
  });

  it("names a changed gold, scores only its task again, and keeps the old scores", async () => {
    const cwd = await withRun();
    await cli(["score", "one"], { cwd });
    writeFileSync(path.join(cwd, "suite/output/task_1/gold.csv"), "n\n5\n");
    const { appended, unchanged } = JSON.parse((await cli(["score", "one", "--json"], { cwd })).stdout);
    expect(unchanged).toBe(2);
    expect(appended).toMatchObject([
      {
        trial: "task_1#1@main",
        status: "none",
        value: 0,
        before: { status: "perfect", value: 1 },
        why: "gold or checks changed",
      },
      {
        trial: "task_1#2@main",
        status: "perfect",
        value: 1,
        before: { status: "none", value: 0 },
        why: "gold or checks changed",
      },
    ]);
    expect(await scoresIn(cwd)).toHaveLength(6);
    const { arms } = JSON.parse((await cli(["report", "one", "--json"], { cwd })).stdout);
    expect(arms[0].tasks[0]).toMatchObject({ scores: [0, 1, null], passes: 1 });
  });

  it("scores a task that got its gold later", async () => {
    const cwd = await withRun();
    await cli(["score", "one"], { cwd });
    writeFileSync(path.join(cwd, "suite/input/task_2/gold.csv"), "n\n5\n");
    const { stdout } = await cli(["score", "one", "--only-changed", "--json"], { cwd });
    // Those of task_1, whose gold is as it was, are not even looked at.
    expect(JSON.parse(stdout)).toMatchObject({ unchanged: 0, left_alone: [] });
    expect((await scoresIn(cwd)).slice(4)).toEqual([
      "task_2#1 kdd-columns missing 0",
      "task_2#2 kdd-columns perfect 1",
    ]);
  });

  it("says in words when a scorer is a newer version", async () => {
    const cwd = await withRun();
    await cli(["score", "one"], { cwd });
    const log = path.join(cwd, "runs/one/run.jsonl");
    writeFileSync(log, readFileSync(log, "utf8").replaceAll(/"scorer_version":"[^"]*"/g, '"scorer_version":"0"'));
    const { appended } = JSON.parse((await cli(["score", "one", "--json"], { cwd })).stdout);
    expect(appended).toHaveLength(4);
    expect(appended[0].why).toMatch(/^version 0 → /);
  });

  it("--scorers adds other scorers beside those of the profile", async () => {
    const cwd = await withRun();
    await cli(["score", "one"], { cwd });
    await cli(["score", "one", "--scorers", "exact-table, cell-f1"], { cwd });
    expect((await scoresIn(cwd)).filter((line) => line.startsWith("task_1#1"))).toEqual([
      "task_1#1 kdd-columns perfect 1",
      "task_1#1 exact-table perfect 1",
      "task_1#1 cell-f1 perfect 1",
    ]);
    expect((await cli(["report", "one"], { cwd })).stdout).toContain("· exact-table 0.500 (perfect 50.0 %)");
  });

  it("finds the golds where --tasks says, when the suite has moved", async () => {
    const cwd = await withRun();
    const log = path.join(cwd, "runs/one/run.jsonl");
    writeFileSync(log, readFileSync(log, "utf8").replace(/"path":"[^"]*"/, '"path":"/nowhere/suite"'));
    const { code, stderr } = await cli(["score", "one"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("say where they are with --tasks DIR");
    expect(await cli(["score", "one", "--tasks", "suite"], { cwd })).toMatchObject({ code: 0 });
    expect(await scoresIn(cwd)).toHaveLength(4);
  });

  it("never takes a prediction that is gone for a missing answer", async () => {
    const cwd = await withRun();
    rmSync(path.join(cwd, "runs/one/trials/main/task_1/1/1/prediction.csv"));
    const { code, stderr } = await cli(["score", "one"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain("task_1#1@main is not scored: trials/main/task_1/1/1/prediction.csv is gone");
    expect(await scoresIn(cwd)).not.toContain("task_1#1 kdd-columns missing 0");
  });

  it("leaves trials of tasks that are not there alone, and says so", async () => {
    const cwd = await withRun();
    rmSync(path.join(cwd, "suite/input/task_2"), { recursive: true });
    const { stderr } = await cli(["score", "one"], { cwd });
    expect(stderr).toContain("task_2#1@main is not scored: its task is not among the tasks");
    expect(await scoresIn(cwd)).toHaveLength(2);
  });
});

describe("daw-eval score on a run that somebody is at work on", () => {
  it("exits 2 and says who holds it, and appends nothing", async () => {
    const cwd = await withRun();
    const unlock = await lockRun(path.join(cwd, "runs/one"), "2026-01-01T00:00:00.000Z");
    const { code, stderr } = await cli(["score", "one"], { cwd });
    await unlock();
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`process ${process.pid}`) });
    expect(await scoresIn(cwd)).toEqual([]);
  });
});

describe("daw-eval score --predictions --gold", () => {
  function withFolders(): string {
    return folderWith({
      "predictions/task_1/prediction.csv": "count,junk\n4,x\n",
      "predictions/task_2/prediction.csv": "a,b\n1\n",
      "predictions/task_4/prediction.csv": "a\n1\n",
      "gold/task_1/gold.csv": "n\n4\n",
      "gold/task_2/gold.csv": "n\n4\n",
      "gold/task_3/gold.csv": "n\n4\n",
    });
  }
  const args = ["score", "--predictions", "predictions", "--gold", "gold"];

  it("has the JSON of DESIGN §8", async () => {
    const { code, stdout } = await cli([...args, "--json"], { cwd: withFolders() });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      scorer: "kdd-columns",
      version: expect.any(String),
      penalty: 0.1,
      tasks: [
        {
          task_id: "task_1",
          status: "partial",
          score: 0.95,
          recall: 1,
          matched_columns: 1,
          gold_columns: 1,
          predicted_columns: 2,
          extra_columns: 1,
        },
        { task_id: "task_2", status: "invalid", score: 0, reason: expect.stringContaining("line 2") },
        { task_id: "task_3", status: "missing", score: 0 },
        { task_id: "task_4", status: "unscored", score: null, reason: expect.any(String) },
      ],
      summary: { tasks: 4, perfect: 0, missing: 1, invalid: 1, unscored: 1 },
    });
  });

  it("prints a line a task and the sums for people", async () => {
    const { stdout } = await cli([...args, "--penalty", "0.5"], { cwd: withFolders() });
    expect(stdout).toContain("task_1  partial   0.750   1.000");
    expect(stdout).toContain("λ 0.5, names accept · 4 tasks");
    expect(stdout).toContain("missing 1 invalid 1 unscored 1 · unscored tasks are in no mean");
  });

  it.each([
    [["score"], "name a run to score again"],
    [["score", "--predictions", "predictions"], "--predictions DIR and --gold DIR"],
    [["score", "one", "--penalty", "0.2"], "go without a run"],
    [[...args, "--scorers", "text"], "--scorers, --only-changed and --tasks go with a run"],
    [[...args, "--penalty", "2"], "--penalty 2: give a rate from 0 to 1"],
    [[...args, "--names", "maybe"], "--names maybe: give one of accept, strict"],
    [[...args, "--scorer", "kdd"], '"kdd" is not a scorer'],
    [["score", "--predictions", "nowhere", "--gold", "gold"], "nowhere: no such folder"],
  ])("%j exits 2 with one line", async (call, line) => {
    const { code, stdout, stderr } = await cli(call, { cwd: withFolders() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
