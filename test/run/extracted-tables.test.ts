import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import { overlayOf } from "../../src/core/overlay.js";
import { fold } from "../../src/core/reduce.js";
import { cli, startCli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { type ModelRequestSeen, type ModelServer, startModelServer, toolCallReply } from "../support/model-server.js";
import { trialEventsOf } from "../support/run-files.js";
import { writeTask } from "../support/suite.js";

const SQL = "SELECT sum(grams) AS n FROM fruit JOIN stock_records ON Fruit = name WHERE Boxes > 1";
const extract = { id: "x", name: "extract_structured_doc", args: { path: "doc/stock.md" } };
const probe = (id: string) => ({ id, name: "execute_probe_query", args: { queries: [SQL] } });
const submit = {
  id: "s",
  name: "submit_tool_result",
  args: { tool_name: "execute_probe_query", tool_args: { queries: [SQL] } },
};
const turnOf = (request: ModelRequestSeen) => request.body.messages.filter(({ role }) => role === "assistant").length;

let folder: string;
let server: ModelServer | null = null;
beforeEach(async () => {
  folder = folderWith();
  const context = {
    "csv/fruit.csv": "name,grams\napple,150\npear,170\nplum,40\n",
    "doc/stock.md": "# Stock\n\n| Fruit | Boxes |\n|---|---|\n| apple | 2 |\n| pear | 1 |\n| plum | 3 |\n",
  };
  await writeTask(path.join(folder, "suite"), { task_id: "task_1", context, gold: "n\n190\n" });
});
afterEach(async () => {
  await server?.close();
  server = null;
});

const places = () => ["--cache-dir", path.join(folder, "cache")];
const runFolder = () => path.join(folder, "runs", "r");
const events = () => trialEventsOf(runFolder(), "task_1", 1);
const run = (url: string) => [
  ...["run", path.join(folder, "suite"), "-n", "1", "--out", path.join(folder, "runs"), "--run-id", "r", ...places()],
  ...["--set", "model.provider=openai", "--set", "model.name=scripted", "--set", `model.base_url=${url}`],
  ...["--set", "answer_validation.mode=observe"],
];

function returnsOf(list: readonly TrialEvent[]) {
  return list.flatMap((event) => (event.type === "tool-returned" ? [[event.call_id, event.ok]] : []));
}

describe("a table that a trial extracted from a document", () => {
  it("is there for the queries of the same turn, whatever order the model wrote them in", async () => {
    server = await startModelServer((request) =>
      toolCallReply(turnOf(request) === 0 ? [probe("p"), extract] : [submit]),
    );
    const { code, stdout } = await cli(run(server.base_url));
    expect({ code, passed: stdout.includes("pass rate 100.0 %") }).toEqual({ code: 0, passed: true });
    expect(returnsOf(await events())).toEqual([
      ["x", true],
      ["p", true],
    ]);
  });

  it("is there again after kill -9 and resume, from the log alone", async () => {
    let reach = () => {};
    let release = () => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await startModelServer(async (request) => {
      if (turnOf(request) === 0) return toolCallReply([extract]);
      reach();
      await released;
      return toolCallReply(turnOf(request) === 1 ? [probe("p")] : [submit]);
    });
    const { child, done } = startCli(run(server.base_url));
    await reached;
    child.kill("SIGKILL");
    await done;
    release();
    const before = await events();
    expect(overlayOf(fold(before).trajectory).map(({ name, rows }) => [name, rows.length])).toEqual([
      ["stock_records", 3],
    ]);

    const { code, stdout } = await cli(["resume", runFolder(), ...places()]);
    expect({ code, passed: stdout.includes("pass rate 100.0 %") }).toEqual({ code: 0, passed: true });
    const after = await events();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(returnsOf(after)).toEqual([
      ["x", true],
      ["p", true],
    ]);
  });

  it("counts as data: an answer that reads only it is not taken for typed in", async () => {
    const sql = "SELECT sum(Boxes) AS n FROM stock_records";
    server = await startModelServer((request) => {
      if ((request.body.tools ?? []).length === 0) return toolCallReply([]);
      const args = { tool_name: "execute_probe_query", tool_args: { queries: [sql] } };
      return toolCallReply([turnOf(request) === 0 ? extract : { ...submit, args }]);
    });
    await cli(run(server.base_url));
    const queried = (await events()).filter((event) => event.type === "data-queried");
    expect(queried).not.toEqual([]);
    expect(JSON.stringify(await events())).not.toContain("retyped-table");
  });
});
