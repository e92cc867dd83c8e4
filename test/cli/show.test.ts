import { describe, expect, it } from "vitest";
import type { TrialEventBody } from "../../src/core/event.js";
import { fold } from "../../src/core/reduce.js";
import { textWidth } from "../../src/report/text-width.js";
import { cli } from "../support/cli.js";
import { candidate, respond, started, toolReturned } from "../support/events.js";
import { folderWith } from "../support/folder.js";
import { ANSWERED, logText, NO_CONNECTION, PERFECT, runStart, scoreRecord, trialEnd } from "../support/run-records.js";

const TRACE: readonly TrialEventBody[] = [
  started("How many 水果 are red?"),
  respond({ calls: ["c1"], args: '{"queries":["SELECT count(*) FROM fruit"]}' }),
  toolReturned("c1", {
    args: { queries: ["SELECT count(*) FROM fruit"] },
    ok: false,
    content: '{"error":"sql-error","results":[{"ok":false,"error":"no table fruit\\u001b[31m"}]}',
    error: "sql-error",
  }),
  {
    type: "model-failed",
    purpose: "agent",
    request_digest: "d",
    failure: { class: "rate-limit", message: "slow down", status: 429 },
    final: false,
    ms: 5,
  },
  respond({ calls: ["c3"], args: '{"queries":["SELECT 1","SELECT 2"]}' }),
  toolReturned("c3", {
    args: { queries: ["SELECT 1", "SELECT 2"] },
    content: '{"results":[{"ok":true,"rows":[["1"]],"row_count":1},{"ok":true,"rows":[["2"]],"row_count":1}]}',
  }),
  respond({ calls: ["c2"], tool: "submit_tool_result", args: "{}" }),
  candidate("c2", "Two."),
  { type: "trial-finished", outcome: ANSWERED, prediction: "trials/main/task_1/1/1/prediction.csv", signature: "s" },
];

const withSeq = (bodies: readonly TrialEventBody[]) =>
  bodies.map((body, seq) => ({ seq, at: `2026-01-01T00:00:0${seq}.000Z`, ...body }));

/** A run whose task_1 has an ended, an open and a failed trial, and whose 任务二 never ran. */
function withRun(): string {
  const events = logText(withSeq(TRACE));
  return folderWith({
    "runs/one/run.jsonl": logText([
      runStart({ tasks: { task_1: {}, 任务二: {} } }),
      trialEnd("task_1", 1),
      scoreRecord("task_1", 1, PERFECT),
      trialEnd("task_1", 3, { outcome: NO_CONNECTION, prediction: null, signature: null }),
    ]),
    "runs/one/trials/main/task_1/1/1/events.jsonl": events,
    "runs/one/trials/main/task_1/2/1/events.jsonl": logText(withSeq(TRACE.slice(0, 2))),
    "runs/one/trials/main/task_1/3/1/events.jsonl": events,
    "runs/one/trials/main/task_1/3/2/events.jsonl": logText(withSeq(TRACE.slice(0, 1))),
  });
}

describe("daw-eval show", () => {
  it("lists every planned trial: ended, open and not run", async () => {
    const { code, stdout } = await cli(["show", "one"], { cwd: withRun() });
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.replaceAll(/ {2,}/g, " | ")),
    ).toEqual([
      "trial | score | status | steps | s | path | outcome",
      "task_1#1 | 1.00 | perfect | 3 | 1.0 | recompute | answered",
      "task_1#2 | – | – | – | open",
      "task_1#3 | – | 3 | 1.0 | recompute | infra-error: connection: ECONNREFUSED",
      "任务二#1 | – | – | – | not-run",
      "任务二#2 | – | – | – | not-run",
      "任务二#3 | – | – | – | not-run",
    ]);
  });

  it("gives the list as JSON too", async () => {
    const { run_id, trials } = JSON.parse((await cli(["show", "one", "--json"], { cwd: withRun() })).stdout);
    expect(run_id).toBe("run-1");
    expect(trials).toHaveLength(6);
    expect(trials[0]).toMatchObject({
      trial: "task_1#1@main",
      state: "ended",
      status: "perfect",
      score: 1,
      attempt: 1,
      steps: 3,
    });
    expect(trials[1]).toMatchObject({ trial: "task_1#2@main", state: "open", score: null });
  });

  it("shows a trial with what became of it, its steps, SQL and results, and what a model or a file wrote made harmless", async () => {
    const { code, stdout, stderr } = await cli(["show", "one", "task_1#1"], { cwd: withRun() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await expect(stdout).toMatchFileSnapshot("golden/show-trial.txt");
    expect(stdout).not.toContain("\u001b");
  });

  it("--brief shows a line an event, cut to the terminal's width", async () => {
    const cwd = withRun();
    const whole = await cli(["show", "one", "task_1#1", "--brief"], { cwd });
    await expect(whole.stdout).toMatchFileSnapshot("golden/show-brief.txt");
    expect(whole.stdout.trimEnd().split("\n")).toHaveLength(TRACE.length + 1);
    const { stdout } = await cli(["show", "one", "task_1#1", "--brief"], { cwd, env: { COLUMNS: "60" } });
    expect(stdout.split("\n").filter((line) => textWidth(line) > 60)).toEqual([]);
    expect(stdout).toContain("…");
  });

  it("--at prints the whole state after that event", async () => {
    const { stdout } = await cli(["show", "one", "task_1#1", "--at", "2"], { cwd: withRun() });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(fold(withSeq(TRACE.slice(0, 3))))));
  });

  it("--json prints the events as they are in the log", async () => {
    const { stdout } = await cli(["show", "one", "task_1#1", "--json"], { cwd: withRun() });
    expect(JSON.parse(stdout)).toEqual({ trial: "task_1#1@main", attempt: 1, events: withSeq(TRACE) });
  });

  it("shows the newest attempt", async () => {
    const { stdout } = await cli(["show", "one", "task_1#3", "--json"], { cwd: withRun() });
    expect(JSON.parse(stdout)).toMatchObject({ attempt: 2, events: [{ type: "trial-started" }] });
  });

  it.each([
    [["show", "one", "task_1"], 'daw-eval: "task_1" is not a trial: write task#repeat, for example task_64#2\n'],
    [
      ["show", "one", "task_2#1"],
      "daw-eval: task_2#1: not a trial of run-1; did you mean task_1#1? (show without a trial lists them)\n",
    ],
    [
      ["show", "one", "../../../etc#1"],
      "daw-eval: ../../../etc#1: not a trial of run-1 (show without a trial lists them)\n",
    ],
    [["show", "one", "任务二#1"], "has no events in"],
    [["show", "one", "task_1#1", "--at", "9"], "daw-eval: --at 9: the trial has the events 0 … 8\n"],
    [["show", "one", "task_1#1", "--at", "x"], "daw-eval: --at x: give a whole number of at least 0\n"],
    [["show", "one", "--at", "1"], "name the trial too"],
  ])("%j exits 2 with one line", async (args, line) => {
    const { code, stdout, stderr } = await cli(args, { cwd: withRun() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
