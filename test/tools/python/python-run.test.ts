import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProgram } from "../../../src/context/query-capabilities.js";
import { cli, startCli } from "../../support/cli.js";
import {
  type ModelRequestSeen,
  type ModelScript,
  type ModelServer,
  startModelServer,
  toolCallReply,
} from "../../support/model-server.js";
import { processesWith, until } from "../../support/processes.js";
import { recordsOf, trialEventsOf } from "../../support/run-files.js";
import { noSandbox, sandboxed } from "../../support/sandbox.js";
import { writeTask } from "../../support/suite.js";

const BWRAP = findProgram("bwrap") ?? "bwrap";
const BIN = path.resolve("bin/daw-eval.js");
const COUNT_RED = `import json
red = query("SELECT name FROM fruit WHERE colour = 'red'")
print(json.dumps({"columns": ["n"], "rows": [[len(red)]]}))`;
const python = (id: string, code: string) => ({ name: "execute_python", args: { code }, id });
const submitPython = (id: string, code: string) => ({
  name: "submit_tool_result",
  args: { tool_name: "execute_python", tool_args: { code } },
  id,
});
const submitSql = (id: string) => ({
  name: "submit_tool_result",
  args: { tool_name: "execute_probe_query", tool_args: { queries: ["SELECT 2 AS n"] } },
  id,
});

let folder: string;
let server: ModelServer | null = null;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-python-"));
  await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
});
afterEach(async () => {
  await server?.close();
  server = null;
});

async function scripted(script: ModelScript, more = ""): Promise<string[]> {
  server = await startModelServer(script);
  const model = `{provider: openai, name: scripted, base_url: "${server.base_url}"}`;
  await writeFile(path.join(folder, "profile.yaml"), `model: ${model}\nrepeats: 1\n${more}`);
  const places = ["--out", path.join(folder, "runs"), "--run-id", "r", "--cache-dir", path.join(folder, "cache")];
  return ["run", path.join(folder, "suite"), "-p", path.join(folder, "profile.yaml"), ...places];
}

const runFolder = () => path.join(folder, "runs", "r");
const turnOf = (request: ModelRequestSeen) => request.body.messages.filter(({ role }) => role === "assistant").length;
const toolNames = () => server?.requests[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
const opening = () => server?.requests[0]?.body.messages[1]?.content ?? "";
const runStart = async () => (await recordsOf(runFolder())).find((record) => record.record === "run-start");

describe.skipIf(noSandbox !== null)(sandboxed("a run whose agent writes Python"), () => {
  it("answers with it; trace, record and prediction have all of it", async () => {
    const args = await scripted((request) =>
      turnOf(request) === 0
        ? toolCallReply([python("a", "print(query_rows('SELECT count(*) AS n FROM fruit'))")])
        : toolCallReply([submitPython("b", COUNT_RED)]),
    );
    const { code, stdout, stderr } = await cli(args);
    expect({ code, stderr: stderr.includes("execute_python") }).toEqual({ code: 0, stderr: false });
    expect(stdout).toContain("pass rate 100.0 %");
    expect(toolNames()).toContain("execute_python");
    expect(opening()).not.toContain("execute_python");
    expect(await runStart()).toMatchObject({ sandbox: { python: "bwrap", reason: null } });
    const events = await trialEventsOf(runFolder(), "task_1", 1);
    expect(events.find(({ type }) => type === "tool-returned")).toMatchObject({
      tool: "execute_python",
      ok: true,
      content: JSON.stringify({ stdout: "[{'n': 3}]\n" }),
      queries: [{ sql: "SELECT count(*) AS n FROM fruit", rows: 1 }],
    });
    expect(events.find(({ type }) => type === "candidate-submitted")).toMatchObject({
      source: { tool: "execute_python", queries: [{ sql: "SELECT name FROM fruit WHERE colour = 'red'", rows: 2 }] },
    });
    const prediction = path.join(runFolder(), "trials", "main", "task_1", "1", "1", "prediction.csv");
    expect(await readFile(prediction, "utf8")).toBe("n\n2\n");
    expect((await recordsOf(runFolder())).find(({ record }) => record === "trial-end")).toMatchObject({
      path: "recompute",
    });
  });

  it("goes on where Python hangs with children: all of them are killed, and the trial keeps what it used", async () => {
    const marker = `marker-${randomUUID()}`;
    const hang = `import subprocess\nfor i in range(3): subprocess.Popen(["/bin/sh", "-c", "sleep 99; echo ${marker}"], start_new_session=True)\nwhile True: pass`;
    const args = await scripted(
      (request) => toolCallReply([turnOf(request) === 0 ? python("a", hang) : submitSql("b")]),
      "tools: {python: {timeout_seconds: 1}}\n",
    );
    expect((await cli(args)).code).toBe(0);
    expect(processesWith(marker)).toEqual([]);
    const records = await recordsOf(runFolder());
    const end = records.find((record) => record.record === "trial-end");
    expect(end).toMatchObject({ outcome: { kind: "answered" }, tools: { execute_python: 1 }, requests: { ok: 2 } });
    expect(end?.record === "trial-end" && end.usage[0]?.input_tokens).toBe(200);
  });

  it("takes Python along when the trial's time is up, and when the process is killed", async () => {
    const marker = `marker-${randomUUID()}`;
    const hang = `import subprocess\nsubprocess.run(["/bin/sh", "-c", "sleep 99; echo ${marker}"], start_new_session=True)`;
    const args = await scripted(() => toolCallReply([python("a", hang)]), "limits: {seconds: 2}\n");
    expect((await cli(args)).code).toBe(0);
    expect((await recordsOf(runFolder())).find(({ record }) => record === "trial-end")).toMatchObject({
      outcome: { kind: "limit-reached", limit: "seconds" },
    });
    expect(processesWith(marker)).toEqual([]);

    const { child, done } = startCli([...args.slice(0, -4), "--run-id", "killed", "--set", "limits.seconds=60"]);
    await until(() => processesWith(`echo ${marker}`).length > 0);
    child.kill("SIGKILL");
    await done;
    await until(() => processesWith(marker).length === 0, 2000);
  });

  it("is not resumed where Python is not offered any more, unless that is forced and recorded", async () => {
    const args = await scripted((request) => {
      if (request.index === 0) return { status: 401, body: { error: { message: "no" } } };
      return toolCallReply([submitSql("a")]);
    });
    expect((await cli(args)).code).toBe(3);
    const log = path.join(runFolder(), "run.jsonl");
    const text = await readFile(log, "utf8");
    await writeFile(log, text.replace('"sandbox":{"python":"bwrap"', '"sandbox":{"python":"unsafe-none"'));
    const resume = ["resume", runFolder(), "--retry-failed", "--cache-dir", path.join(folder, "cache")];
    const refused = await cli(resume);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("execute_python was unsafe-none, now is bwrap");
    expect((await cli([...resume, "--force"])).code).toBe(0);
    expect((await recordsOf(runFolder())).find(({ record }) => record === "run-resume")).toMatchObject({
      forced: ["execute_python was unsafe-none, now is bwrap"],
    });
  });
});

describe("a run without a sandbox for Python", () => {
  const answer: ModelScript = (request) =>
    toolCallReply([turnOf(request) === 0 ? python("a", "print(1)") : submitSql("b")]);

  it("does not offer it where the profile says off; model, person and log are told why", async () => {
    const { code, stderr } = await cli(await scripted(answer, "tools: {python: {sandbox: off}}\n"));
    expect(code).toBe(0);
    const reason = "tools.python.sandbox is off in the profile";
    expect(stderr).toContain(`execute_python is not offered: ${reason}`);
    expect(toolNames()).not.toContain("execute_python");
    expect(opening()).toContain(`(The tool execute_python cannot be used here: ${reason}.)`);
    expect(await runStart()).toMatchObject({ sandbox: { python: null, reason } });
    const events = await trialEventsOf(runFolder(), "task_1", 1);
    expect(events.find(({ type }) => type === "tool-returned")).toMatchObject({ ok: false, error: "unknown-tool" });
  });

  it.skipIf(noSandbox !== null)(
    sandboxed("does not offer it where bubblewrap cannot hold it, and says so"),
    async () => {
      // Inside a bubble that forbids further ones, bubblewrap is installed and does not work.
      const args = await scripted(answer);
      const bubble = ["--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"];
      const doctor = spawnSync(BWRAP, [...bubble, process.execPath, BIN, "doctor", "--json"], { encoding: "utf8" });
      const check = JSON.parse(doctor.stdout).checks.find((one: { check: string }) => one.check === "python");
      expect(check).toMatchObject({ ok: false, required: false });
      expect(check.detail).toMatch(/^execute_python is not offered: bubblewrap does not work here: ./);

      const run = spawn(BWRAP, [...bubble, process.execPath, BIN, ...args], { stdio: "ignore" });
      expect(await new Promise((resolve) => run.once("exit", resolve))).toBe(0);
      expect(toolNames()).not.toContain("execute_python");
      expect(opening()).toContain("(The tool execute_python cannot be used here: bubblewrap does not work here: ");
    },
  );

  it("runs it with all rights under unsafe-none only, and warns, however quiet", async () => {
    const args = await scripted(answer, "tools: {python: {sandbox: unsafe-none}}\n");
    const { code, stderr, stdout } = await cli([...args, "--quiet"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^WARNING: tools\.python\.sandbox is unsafe-none: /m);
    expect(stdout).toContain("Python ran without a sandbox (tools.python.sandbox: unsafe-none)");
    expect(await runStart()).toMatchObject({ sandbox: { python: "unsafe-none", reason: null } });
    const events = await trialEventsOf(runFolder(), "task_1", 1);
    expect(events.find(({ type }) => type === "tool-returned")).toMatchObject({
      ok: true,
      content: '{"stdout":"1\\n"}',
    });
  });
});
