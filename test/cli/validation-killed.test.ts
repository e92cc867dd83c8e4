import path from "node:path";
import { expect, it } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import { cli, startCli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { startModelServer, textReply, toolCallReply } from "../support/model-server.js";
import { trialEventsOf } from "../support/run-files.js";
import { writeTask } from "../support/suite.js";

const SQL = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";
const probe = toolCallReply([{ id: "a", name: "execute_probe_query", args: { queries: [SQL] } }]);
const args = { tool_name: "execute_probe_query", tool_args: { queries: [SQL] } };
const submit = toolCallReply([{ id: "b", name: "submit_tool_result", args }]);

const typesOf = (events: readonly TrialEvent[]) =>
  events.map((event) => ("purpose" in event ? `${event.type} ${event.purpose}` : event.type));

it("A trial that is killed while its process validator is being asked goes on with that question, and replays from its log", async () => {
  const folder = folderWith();
  await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  let killed = false;
  const asked = { agent: 0, process: 0, answer: 0 };
  const questions: string[] = [];
  const server = await startModelServer(async ({ body }) => {
    if ((body.tools ?? []).length > 0) return asked.agent++ === 0 ? probe : submit;
    if (!(body.messages[0]?.content ?? "").includes("evidence_items")) {
      asked.answer++;
      return textReply(JSON.stringify({ valid: true }));
    }
    asked.process++;
    questions.push(JSON.stringify(body.messages));
    if (!killed) {
      reach();
      await new Promise(() => {});
    }
    return textReply(JSON.stringify({ valid: true }));
  });
  const places = ["--cache-dir", path.join(folder, "cache")];
  const runFolder = path.join(folder, "runs", "r");
  const { child, done } = startCli([
    ...["run", path.join(folder, "suite"), "-n", "1", "--out", path.join(folder, "runs"), "--run-id", "r", ...places],
    ...["--set", "model.provider=openai", "--set", "model.name=scripted", "--set", `model.base_url=${server.base_url}`],
    ...["--set", "process_validation.mode=enforce", "--set", "answer_validation.mode=enforce"],
  ]);
  await reached;
  child.kill("SIGKILL");
  await done;
  killed = true;
  const before = await trialEventsOf(runFolder, "task_1", 1);
  expect(typesOf(before).slice(-2)).toEqual(["data-queried", "data-queried"]);

  const resumed = await cli(["resume", runFolder, ...places]);
  await server.close();
  expect(resumed.code, resumed.stderr).toBe(0);
  // The agent is asked nothing anew, and the validator the same as before.
  expect(asked).toEqual({ agent: 2, process: 2, answer: 1 });
  expect(questions[1]).toBe(questions[0]);
  const after = await trialEventsOf(runFolder, "task_1", 1);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(typesOf(after).slice(before.length)).toEqual([
    "trial-resumed",
    "model-responded process-validator",
    "process-validated",
    "model-responded answer-validator",
    "answer-validated",
    "trial-finished",
  ]);

  const replayed = await cli(["replay", runFolder, "--out", path.join(folder, "replays"), ...places, "--json"]);
  expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0);
});
