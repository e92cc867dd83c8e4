import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../src/report/text-width.js";
import { cli, startCli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { logText, runOf } from "../support/run-records.js";

const VECTOR_A = { task_1: "111", task_2: "110", task_3: "100", task_4: "000", task_5: "111" };

/** A working folder with `runs/one/run.jsonl`. */
function withRun(log: string): string {
  return folderWith({ "runs/one/run.jsonl": log });
}

describe("daw-eval report", () => {
  it("prints a line a task and the people's line, on stdout alone", async () => {
    const cwd = withRun(logText(runOf(VECTOR_A)));
    const { code, stdout, stderr } = await cli(["report", "runs/one"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("task_2  easy        ●●○ 2/3  flaky    0.67");
    expect(stdout).toContain(
      "pass rate 60.0 % ± 19.4 (SE by task, 5 tasks × 3) · 95 % CI 6–100 · pass^3 40.0 % · pass@3 80.0 % · solid 2 flaky 2 broken 1 · infra 0/15\n",
    );
  });

  it("finds a run by its folder, its log, a lone log, or its id under runs/", async () => {
    const log = logText(runOf(VECTOR_A));
    const cwd = folderWith({ "runs/one/run.jsonl": log, "base.jsonl": log });
    const outputs = await Promise.all(
      ["runs/one", "runs/one/run.jsonl", "base.jsonl", "one"].map((run) => cli(["report", run, "--json"], { cwd })),
    );
    expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });

  it("has the JSON of DESIGN §8: one object for a run, a list for several", async () => {
    const cwd = withRun(logText(runOf(VECTOR_A)));
    const one = JSON.parse((await cli(["report", "one", "--json"], { cwd })).stdout);
    expect(one).toMatchObject({
      run_id: "run-1",
      arms: [
        {
          arm: "main",
          metric: "pass_rate",
          repeats: 3,
          pass_hat_k: { 3: 0.4 },
          pass_at_k: { 3: 0.8 },
          solid: 2,
          infra: 0,
          cost_usd: null,
        },
      ],
    });
    expect(one.arms[0].tasks[0]).toMatchObject({
      task_id: "task_1",
      valid: 3,
      passes: 3,
      class: "solid",
      mean_score: 1,
      scores: [1, 1, 1],
    });
    const two = JSON.parse((await cli(["report", "one", "one", "--json"], { cwd })).stdout);
    expect(two).toEqual({ runs: [one, one] });
  });

  it("two infra-errors of three: valid 1/3, pass^3 null, both brackets, never a bare 100 %", async () => {
    const cwd = withRun(logText(runOf({ task_1: "1!!" })));
    const { arms } = JSON.parse((await cli(["report", "one", "--json"], { cwd })).stdout);
    expect(arms[0]).toMatchObject({
      mean: 1,
      stderr: null,
      ci95: null,
      infra: 2,
      incomplete: 1,
      pass_hat_k: { 3: null },
    });
    expect(arms[0].mean_errors_as_misses).toBeCloseTo(1 / 3);
    const { stdout } = await cli(["report", "one"], { cwd });
    expect(stdout).toContain("valid 1/3");
    for (const line of stdout.split("\n").filter((one) => one.includes("100.0 %") && one.startsWith("pass rate"))) {
      expect(line).toContain("errors as misses 33.3 %");
    }
  });

  it("drops a torn last line with a warning that names it", async () => {
    const cwd = withRun(`${logText(runOf(VECTOR_A).slice(0, -1))}{"record":"run-e`);
    const { code, stdout, stderr } = await cli(["report", "one"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^daw-eval: warning: .*run\.jsonl:32: .*torn/);
    expect(stdout).toContain("interrupted");
    expect(stdout).toContain("pass rate 60.0 %");
  });

  it("exits 2 with the line for a log with an unreadable line, and for a file that is none", async () => {
    const log = logText(runOf(VECTOR_A)).split("\n");
    const cwd = folderWith({
      "runs/broken/run.jsonl": log.with(3, "{nonsense").join("\n"),
      "runs/foreign/run.jsonl": `{"id":1,"answer":"x"}\n`,
      "runs/empty/run.jsonl": "",
      "runs/other/readme.txt": "hello",
    });
    const runs = await Promise.all(
      ["broken", "foreign", "empty", "other", "nowhere"].map((id) => cli(["report", id], { cwd })),
    );
    expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual(runs.map(() => [2, ""]));
    expect(runs[0]?.stderr).toMatch(/broken\/run\.jsonl:4: /);
    expect(runs[1]?.stderr).toMatch(/foreign\/run\.jsonl:1: not a record of a run log/);
    expect(runs[2]?.stderr).toMatch(/no run log here/);
    expect(runs[3]?.stderr).toMatch(/not a run: there is no run\.jsonl in it/);
    expect(runs[4]?.stderr).toMatch(/nowhere: no such run/);
    for (const { stderr } of runs) expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("suggests the id that was meant", async () => {
    const cwd = folderWith({ "runs/20260101-demo/run.jsonl": logText(runOf(VECTOR_A)) });
    const { code, stderr } = await cli(["report", "20260102-demo"], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean 20260101-demo?") });
  });

  it("counts unscored tasks loudly and never as 0", async () => {
    const cwd = withRun(logText(runOf({ task_1: "111", task_2: "???" }, { tasks: { task_2: { gold: null } } })));
    const { stdout } = await cli(["report", "one"], { cwd });
    expect(stdout).toContain("pass rate 100.0 % (no SE, 1 of 2 tasks × 3)");
    expect(stdout).toContain("NOT SCORED: 3 trials of 1 task, in no rate · no gold ×3");
  });

  it("keeps columns straight with Chinese and very long ids, within COLUMNS, without control codes", async () => {
    const long = `task_${"x".repeat(120)}_1`;
    const cwd = withRun(logText(runOf({ 任务一号: "110", [long]: "1!0" })));
    for (const columns of [40, 80]) {
      const { stdout } = await cli(["report", "one"], { cwd, env: { COLUMNS: String(columns) } });
      const lines = stdout.split("\n");
      expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
      const classAt = lines
        .filter((line) => /flaky|incomplete|class/.test(line) && /[●c]/.test(line))
        .slice(0, 3)
        .map((line) => textWidth(line.slice(0, line.search(/flaky|incomplete|class/))));
      expect(classAt).toHaveLength(3);
      expect(new Set(classAt).size).toBe(1);
      expect(stdout).not.toContain("\u001b");
    }
  });

  it("uses no colour on a pipe, whatever the environment says", async () => {
    const cwd = withRun(logText(runOf(VECTOR_A)));
    const plain = await cli(["report", "one"], { cwd, env: { NO_COLOR: "1" } });
    const forced = await cli(["report", "one"], { cwd, env: { FORCE_COLOR: "3", TERM: "xterm-256color" } });
    expect(forced.stdout).toBe(plain.stdout);
    expect(plain.stdout).not.toContain("\u001b");
  });

  it("--md writes Markdown beside the terminal's text", async () => {
    const cwd = withRun(logText(runOf(VECTOR_A)));
    const { code, stdout } = await cli(["report", "one", "--md", "out.md"], { cwd });
    const markdown = readFileSync(path.join(cwd, "out.md"), "utf8");
    expect(code).toBe(0);
    expect(stdout).toContain("pass rate 60.0 %");
    expect(markdown).toContain("**pass rate 60.0 % ± 19.4 (SE by task, 5 tasks × 3)");
    expect(markdown).toContain("| task\\_2 | easy | 2/3 | flaky |");
  });

  it("--min-pass gates: 0 where it is reached, 1 where not, 3 where a partial run reaches it, 2 for nonsense", async () => {
    const cwd = folderWith({
      "runs/whole/run.jsonl": logText(runOf(VECTOR_A)),
      "runs/partial/run.jsonl": logText(runOf({ task_1: "11!" })),
    });
    const gate = (run: string, least: string) => cli(["report", run, "--min-pass", least], { cwd });
    expect(await gate("whole", "0.6")).toMatchObject({ code: 0 });
    expect(await gate("whole", "0.7")).toMatchObject({
      code: 1,
      stderr: "daw-eval: gate: pass rate 60.0 % is below the least of 70.0 %\n",
    });
    expect(await gate("partial", "0.5")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("not the whole plan's"),
    });
    expect(await gate("whole", "60")).toMatchObject({ code: 2, stdout: "" });
  });

  it("takes the gate of the profile where none is given", async () => {
    const cwd = withRun(logText(runOf(VECTOR_A, { gate: { min_pass: 0.9 } })));
    expect(await cli(["report", "one"], { cwd })).toMatchObject({ code: 1 });
  });

  it("--metric score says so, and refuses other names", async () => {
    const cwd = withRun(logText(runOf(VECTOR_A)));
    expect((await cli(["report", "one", "--metric", "score"], { cwd })).stdout).toContain("mean score 0.600 ± 0.194");
    expect(await cli(["report", "one", "--metric", "speed"], { cwd })).toMatchObject({
      code: 2,
      stderr: "daw-eval: --metric speed: give one of pass_rate, score\n",
    });
  });

  it("ends quietly where the reader of its output has seen enough", async () => {
    const marks = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`task_${index}`, "110"]));
    const { child, done } = startCli(["report", "one"], { cwd: withRun(logText(runOf(marks))) });
    child.stdout?.destroy();
    expect(await done).toMatchObject({ code: 0, stderr: "" });
    const refused = startCli(["report", "nowhere"], { cwd: withRun("") });
    refused.child.stderr?.destroy();
    expect(await refused.done).toMatchObject({ code: 2 });
  });

  it("streams: 20,000 trials are reported with a heap of 48 MB", async () => {
    const marks = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`task_${index}`, "11010"]));
    const cwd = withRun(logText(runOf(marks)));
    const { code, stdout } = await cli(["report", "one", "--json"], {
      cwd,
      env: { NODE_OPTIONS: "--max-old-space-size=48" },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).arms[0]).toMatchObject({ flaky: 4000, planned_trials: 20_000 });
  });
});
