import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/core/run-record.js";
import { textWidth } from "../../src/report/text-width.js";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { logText, runOf } from "../support/run-records.js";
import { addTask, scriptedSuite } from "../support/scripted-suite.js";

const GOOD = { task_1: "111", task_2: "111", task_3: "111", task_4: "111", task_5: "111", task_6: "110" };
const BAD = { task_1: "000", task_2: "000", task_3: "000", task_4: "000", task_5: "000", task_6: "110" };
const run = (marks: Readonly<Record<string, string>>, run_id: string) => logText(runOf(marks, { run_id }));

const GONE = ["task_3", "task_4", "task_5", "task_6"];
const reversed = (marks: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(marks).reverse());

/** A working folder with runs by id, and `daw-eval` in it. */
function runs(logs: Readonly<Record<string, string>>) {
  const cwd = folderWith(Object.fromEntries(Object.entries(logs).map(([id, log]) => [`runs/${id}/run.jsonl`, log])));
  return { cwd, diff: (...args: string[]) => cli(["diff", ...args], { cwd }) };
}

describe("daw-eval diff", () => {
  it("of a run with itself: Δ 0, no change, exit 0", async () => {
    const { diff } = runs({ a: run(GOOD, "a") });
    const { code, stdout, stderr } = await diff("a", "runs/a");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("no change: pass rate 94.4 % → 94.4 % · Δ 0.0 (6 common tasks)\n");
    expect(JSON.parse((await diff("a", "a", "--json")).stdout)).toMatchObject({ delta: 0, verdict: "no change" });
  });

  it("has the JSON of DESIGN §8", async () => {
    const { diff } = runs({ a: run(GOOD, "a"), b: run({ ...BAD, new: "111" }, "b") });
    const { code, stdout } = await diff("a", "b", "--json");
    expect(code).toBe(1);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({
      base: "a",
      head: "b",
      common: 6,
      only_in_base: [],
      only_in_head: ["new"],
      incomparable: [],
      delta: expect.closeTo(-0.8333333, 6),
      stderr: expect.any(Number),
      ci95: [-1, expect.any(Number)],
      p_sign_flip: 0.0625,
      verdict: "worse",
      min_visible_effect: expect.any(Number),
      gate: { failed: true, reason: expect.stringContaining("head is worse") },
    });
    expect(found.tasks[0]).toMatchObject({
      task_id: "task_1",
      base: { passes: 3, valid: 3 },
      head: { passes: 0, valid: 3 },
      change: -1,
    });
  });

  it.each<[string, RunRecord[], number, object]>([
    ["tasks added", runOf({ ...GOOD, new: "000" }), 0, { common: 6, only_in_head: ["new"], verdict: "no change" }],
    ["tasks removed", runOf({ task_1: "111", task_2: "111" }), 0, { common: 2, only_in_base: GONE }],
    ["tasks in another order", runOf(reversed(GOOD)), 0, { common: 6, delta: 0, verdict: "no change" }],
    [
      "another gold of some tasks",
      runOf({ ...GOOD, task_1: "000" }, { tasks: { task_1: { gold: "other" } } }),
      0,
      {
        common: 5,
        incomparable: [{ task_id: "task_1", why: "gold or checks changed: score both runs again" }],
        verdict: "no change",
      },
    ],
    [
      "a newer version of the scorer",
      runOf({ ...GOOD, task_1: "000" }).map((record) =>
        record.record === "score" && record.task_id === "task_1" ? { ...record, scorer_version: "2" } : record,
      ),
      0,
      {
        common: 5,
        incomparable: [
          { task_id: "task_1", why: "kdd-columns is version 2 in head, 1 in base: score both runs again" },
        ],
      },
    ],
    ["every task below it", runOf(BAD), 1, { verdict: "worse" }],
  ])(
    "of a head with %s compares what is comparable, by any drop, and lists the rest",
    async (_what, head, code, found) => {
      const { diff } = runs({ a: run(GOOD, "a"), b: logText(head) });
      const done = await diff("a", "b", "--fail-on", "any-drop", "--json");
      expect({ code: done.code, ...JSON.parse(done.stdout) }).toMatchObject({ code, ...found });
    },
  );

  it("exits 1 where the gate fails, by the gate that is asked for", async () => {
    const { diff } = runs({ a: run(GOOD, "a"), b: run({ ...GOOD, task_6: "100" }, "b"), c: run(BAD, "c") });
    const code = async (...args: string[]) => (await diff(...args)).code;
    expect(await code("a", "c")).toBe(1);
    expect(await code("a", "c", "--margin", "95")).toBe(0);
    expect(await code("a", "c", "--fail-on", "never")).toBe(0);
    expect(await code("a", "b")).toBe(0);
    expect(await code("a", "b", "--fail-on", "any-drop")).toBe(1);
    expect(await code("a", "b", "--fail-on", "any-drop", "--margin", "6")).toBe(0);
    expect(await code("a", "b", "--fail-on", "task-regression")).toBe(1);
    expect(await code("c", "a", "--fail-on", "any-drop")).toBe(0);
  });

  it("passes and says so where a gate cannot decide", async () => {
    const { diff } = runs({ a: run({ x: "111" }, "a"), b: run({ x: "000" }, "b") });
    const { code, stdout } = await diff("a", "b");
    expect(code).toBe(0);
    expect(stdout).toContain("gate passed: cannot decide");
  });

  it("fails for a task that the head's profile lists under must_pass", async () => {
    const head = logText(runOf({ ...GOOD, task_2: "110" }, { run_id: "b", gate: { must_pass: ["task_2"] } }));
    const { diff } = runs({ a: run(GOOD, "a"), b: head });
    const { code, stdout } = await diff("a", "b");
    expect(code).toBe(1);
    expect(stdout).toContain("gate failed: task_2 must pass: 2/3");
  });

  it("exits 2 where nothing can be compared, with the reasons, and prints no result", async () => {
    const { diff } = runs({ a: run({ x: "1" }, "a"), b: run({ y: "1" }, "b") });
    const { code, stdout, stderr } = await diff("a", "b", "--json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(
      "daw-eval: nothing to compare: no task is the same in a and b (1 only in base, 1 only in head",
    );
  });

  it.each<[string[], string]>([
    [["a"], "a: a run to compare it with is missing; name it too, or two arms of this one with --arm BASE:HEAD"],
    [["a", "zzz"], "zzz: no such run"],
    [["a", "a", "--margin", "-1"], "--margin -1: give percentage points from 0 to 100"],
    [["a", "a", "--fail-on", "drop"], "--fail-on drop: give one of worse, task-regression, any-drop, never"],
    [["a", "a", "--arm", "x"], "--arm x: give BASE:HEAD, the names of two arms"],
    [["a", "a", "--arm", "main:x"], "--arm: head a has no arm x; its arms are main"],
  ])("exits 2 for %j, with one line why", async (args, line) => {
    const { diff } = runs({ a: run(GOOD, "a") });
    const { code, stdout, stderr } = await diff(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`daw-eval: ${line}`);
  });

  it("exits 3 for an incomplete run, and compares it where that is allowed", async () => {
    const { diff } = runs({ a: run(GOOD, "a"), b: run({ ...GOOD, task_6: "11." }, "b") });
    const refused = await diff("a", "b");
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toContain("daw-eval: b is incomplete: it was interrupted; 1 of 18 trials have no end\n");
    const allowed = await diff("a", "b", "--allow-incomplete");
    expect(allowed.code).toBe(0);
    expect(allowed.stderr).toContain("b is incomplete");
    expect(allowed.stdout).toContain("task_6   2/3   2/2  +33.3  flaky → incomplete");
  });

  it("exits 3 for a base that a kill tore, saying where, and for more infrastructure errors than allowed", async () => {
    const torn = run(GOOD, "a").slice(0, -9);
    const { cwd, diff } = runs({ a: torn, b: run(GOOD, "b"), c: run({ ...GOOD, task_6: "11!" }, "c") });
    const { code, stdout, stderr } = await diff("a", "b");
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(`${path.join(cwd, "runs/a/run.jsonl")}:38: the last line is torn`);
    expect(stderr).toContain("a is incomplete: it was interrupted");
    expect((await diff("b", "c")).stderr).toContain("c is incomplete: 1 trial ended in infrastructure errors");
    expect((await diff("b", "c")).code).toBe(3);
  });

  it("exits 2 for a log that is broken in the middle, naming the line", async () => {
    const lines = run(GOOD, "a").split("\n");
    const { diff } = runs({ a: [...lines.slice(0, 5), "{broken", ...lines.slice(5)].join("\n"), b: run(GOOD, "b") });
    const { code, stderr } = await diff("a", "b");
    expect(code).toBe(2);
    expect(stderr).toContain("run.jsonl:6: not a line of JSON");
  });

  it("shows several heads as a table against the first run, no wider than the terminal", async () => {
    const { cwd } = runs({ a: run(GOOD, "a"), b: run(BAD, "b"), c: run(GOOD, "c") });
    const { code, stdout } = await cli(["diff", "a", "b", "c"], { cwd, env: { COLUMNS: "80" } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^b +6 +94.4 % → 11.1 % +−83.3 .* worse +failed$/m);
    expect(stdout).toMatch(/^c +6 .* no change +passed$/m);
    expect(stdout.split("\n").filter((line) => textWidth(line) > 80)).toEqual([]);
    const json = JSON.parse((await cli(["diff", "a", "b", "c", "--json"], { cwd })).stdout);
    expect(json).toMatchObject({ base: "a", comparisons: [{ head: "b" }, { head: "c" }] });
  });

  it("writes Markdown and JUnit beside the terminal", async () => {
    const { cwd, diff } = runs({ a: run(GOOD, "a"), b: run(BAD, "b") });
    expect((await diff("a", "b", "--md", "out.md", "--junit", "out.xml")).code).toBe(1);
    expect(readFileSync(path.join(cwd, "out.md"), "utf8")).toMatch(/^### ❌ worse: pass rate/);
    expect(readFileSync(path.join(cwd, "out.xml"), "utf8")).toContain('<testcase name="gate: worse"');
  });
});

describe("daw-eval report --junit", () => {
  it("writes a case a task", async () => {
    const { cwd } = runs({ a: run(GOOD, "a") });
    expect((await cli(["report", "a", "--junit", "out.xml"], { cwd })).code).toBe(0);
    expect(readFileSync(path.join(cwd, "out.xml"), "utf8")).toContain('<testsuite name="a" tests="6" failures="1"');
  });
});

describe("diff of real runs", () => {
  it("pairs by content: a task whose gold changed is left out until both runs are scored again", async () => {
    let wrong = false;
    const suite = await scriptedSuite(["task_1", "task_2"], () => (wrong ? "wrong" : "right"));
    expect((await suite.run("old", ["-n", "1"])).code).toBe(0);
    await addTask(suite.folder, "task_2", "n\n3\n");
    await addTask(suite.folder, "task_3");
    wrong = true;
    expect((await suite.run("new", ["-n", "1"])).code).toBe(0);

    const before = await suite.cli("diff", "old", "new", "--json");
    expect(JSON.parse(before.stdout)).toMatchObject({
      common: 1,
      only_in_head: ["task_3"],
      incomparable: [{ task_id: "task_2", why: "gold or checks changed: score both runs again" }],
      tasks: [{ task_id: "task_1", change: -1 }],
    });

    expect((await suite.cli("score", "old", "--cache-dir", "cache")).code).toBe(0);
    const after = JSON.parse((await suite.cli("diff", "old", "new", "--json")).stdout);
    expect(after).toMatchObject({ common: 2, incomparable: [] });
    // The answer 2 was right by the old gold and is wrong by the new one; 3 is what the new run says.
    expect(after.tasks.map(({ task_id, change }: { task_id: string; change: number }) => [task_id, change])).toEqual([
      ["task_1", -1],
      ["task_2", 1],
    ]);
  });

  it("compares arms of a matrix: those of the same name in two runs, named ones within one", async () => {
    const suite = await scriptedSuite(["task_1"], ({ body }) => (body.temperature === 0 ? "right" : "wrong"));
    const matrix = "matrix: {model.temperature: [0, 1]}\n";
    for (const id of ["one", "two"]) expect((await suite.run(id, ["-n", "1"], matrix)).code).toBe(0);
    const both = JSON.parse((await suite.cli("diff", "one", "two", "--json")).stdout);
    expect(both.arms).toMatchObject([
      { base_arm: "temperature=0", head_arm: "temperature=0", delta: 0 },
      { base_arm: "temperature=1", head_arm: "temperature=1", delta: 0 },
    ]);
    const within = await suite.cli("diff", "one", "--arm", "temperature=0:temperature=1", "--json");
    expect(JSON.parse(within.stdout)).toMatchObject({
      base: "one",
      head: "one",
      delta: -1,
      profile_changes: [{ key: "model.temperature", before: 0, after: 1 }],
    });
    const text = await suite.cli("diff", "one", "--arm", "temperature=0:temperature=1");
    expect(text.stdout).toContain("base one temperature=0 · ");
  });

  it("says nothing of a run whose endpoint was down", async () => {
    let down = false;
    const suite = await scriptedSuite(["task_1"], () => (down ? "infra" : "right"));
    expect((await suite.run("up", ["-n", "1"])).code).toBe(0);
    down = true;
    expect((await suite.run("down", ["-n", "1"])).code).toBe(3);
    expect(await suite.cli("diff", "up", "down")).toMatchObject({ code: 3, stdout: "" });
    expect((await suite.cli("diff", "up", "down", "--allow-incomplete")).code).toBe(2);
  });
});
