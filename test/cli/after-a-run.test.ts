import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { startModelServer, textReply, toolCallReply } from "../support/model-server.js";
import { writeTask } from "../support/suite.js";

const RED = { queries: ["SELECT count(*) AS n FROM fruit WHERE colour = 'red'"] };

/** A finished run `r` of two tasks by a scripted server: task_1 is solved in two steps, task_2 brings no answer. Nothing is listening any more. */
async function finishedRun(): Promise<string> {
  const cwd = folderWith();
  await writeTask(path.join(cwd, "suite"), { task_id: "task_1", gold: "n\n2\n" });
  await writeTask(path.join(cwd, "suite"), { task_id: "task_2", gold: "n\n2\n", question: "Which fruit is blue?" });
  const server = await startModelServer((request) => {
    const turn = request.body.messages.filter(({ role }) => role === "assistant").length;
    if (request.body.messages.some(({ content }) => content?.includes("blue"))) return textReply("I do not know.");
    if (turn === 0) return toolCallReply([{ name: "execute_probe_query", args: RED, id: "a" }]);
    const args = { tool_name: "execute_probe_query", tool_args: RED, conclusion: "Two are red." };
    return toolCallReply([{ name: "submit_tool_result", args, id: "b" }]);
  });
  onTestFinished(() => server.close());
  writeFileSync(
    path.join(cwd, "profile.yaml"),
    `model: {provider: openai, name: scripted, base_url: "${server.base_url}", api_key_env: A_KEY}\nagent: {repair_limit: 1}\n`,
  );
  const run = await cli(["run", "suite", "-p", "profile.yaml", "-n", "2", "--run-id", "r", "--cache-dir", "cache"], {
    cwd,
    env: { A_KEY: "k" },
  });
  expect(run).toMatchObject({ code: 0 });
  await server.close();
  return cwd;
}

it("a stored run is reported, shown and scored again without model, key or network", async () => {
  const cwd = await finishedRun();
  const log = readFileSync(path.join(cwd, "runs/r/run.jsonl"), "utf8");

  const report = JSON.parse((await cli(["report", "r", "--json"], { cwd })).stdout);
  expect(report).toMatchObject({ run_id: "r", status: "completed", whole: true });
  expect(report.arms[0]).toMatchObject({ mean: 0.5, solid: 1, broken: 1, infra: 0, planned_trials: 4 });
  expect(report.arms[0].tasks[0]).toMatchObject({ task_id: "task_1", passes: 2, median_steps: 2, agreement: 1 });
  expect(report.arms[0].usage.input_tokens).toBeGreaterThan(0);

  const list = (await cli(["show", "r"], { cwd })).stdout;
  expect(list).toMatch(/task_1#2 +1\.00 +perfect +2 .* recompute +answered/);
  expect(list).toMatch(/task_2#1 +0\.00 +missing .* agent error: repair-limit/);

  const trace = (await cli(["show", "r", "task_1#1", "--brief"], { cwd })).stdout.trimEnd().split("\n");
  expect(trace.map((line) => line.trim().split(/ +/)[1])).toEqual([
    "event",
    "trial-started",
    "model-responded",
    "tool-returned",
    "model-responded",
    "candidate-submitted",
    "trial-finished",
  ]);
  expect(trace[3]).toMatch(/ 1 +execute_probe_query \{"queries":\["SELECT count\(\*\).*→ ok$/);
  const last = JSON.parse((await cli(["show", "r", "task_1#1", "--at", "5"], { cwd })).stdout);
  expect(last).toMatchObject({ phase: "finished", step: 2, outcome: { kind: "answered" } });

  const again = await cli(["score", "r"], { cwd });
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toMatch(/^0 scores appended to runs\/r\/run\.jsonl, \d+ unchanged\n/);
  expect(readFileSync(path.join(cwd, "runs/r/run.jsonl"), "utf8")).toBe(log);
});
