import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cli, startCli } from "../support/cli.js";
import {
  type ModelRequestSeen,
  type ModelScript,
  type ModelServer,
  startModelServer,
  textReply,
  toolCallReply,
} from "../support/model-server.js";
import { allTextBelow, recordsOf, trialEventsOf } from "../support/run-files.js";
import { writeTask } from "../support/suite.js";

const KEY = "sk-canary-5f1d9c";
const COUNT_RED = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";
const probe = (id: string, sql = COUNT_RED) => ({ name: "execute_probe_query", args: { queries: [sql] }, id });
const submit = (id: string, sql = COUNT_RED) => ({
  name: "submit_tool_result",
  args: { tool_name: "execute_probe_query", tool_args: { queries: [sql] }, conclusion: "Two are red." },
  id,
});

let folder: string;
let server: ModelServer | null = null;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-run-"));
});
afterEach(async () => {
  await server?.close();
  server = null;
});

/** Starts the server and writes a profile for it; returns the arguments and environment of a run of `folder`/suite. */
async function scripted(script: ModelScript, more = ""): Promise<{ args: string[]; env: Record<string, string> }> {
  server = await startModelServer(script);
  const profile = path.join(folder, "profile.yaml");
  await writeFile(
    profile,
    `model: {provider: openai, name: scripted, base_url: "${server.base_url}", api_key_env: CANARY_KEY, retries: {max: 1, min_wait_ms: 10, max_wait_ms: 20}}\n${more}`,
  );
  return {
    args: [
      "run",
      path.join(folder, "suite"),
      ...[
        "-p",
        profile,
        "--out",
        path.join(folder, "runs"),
        "--run-id",
        "r",
        "--cache-dir",
        path.join(folder, "cache"),
      ],
    ],
    env: { CANARY_KEY: KEY },
  };
}

const runFolder = () => path.join(folder, "runs", "r");
const requestsSeen = (): readonly ModelRequestSeen[] => server?.requests ?? [];
/** The server answers by how far the conversation is, so that trials may come in any order and be resumed. */
const turnOf = (request: ModelRequestSeen) => request.body.messages.filter(({ role }) => role === "assistant").length;

describe("a run against an OpenAI-compatible server", () => {
  it("solves a task through native and parallel calls, and writes answer, conclusion, trace and scores", async () => {
    await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
    const { args, env } = await scripted((request) => {
      if (turnOf(request) === 0) return toolCallReply([probe("a"), { name: "list_context", args: {}, id: "b" }]);
      return toolCallReply([submit("c")]);
    });
    const { code, stdout, stderr } = await cli([...args, "-n", "2"], { env });
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(0);
    expect(stdout).toContain("pass rate 100.0 %");

    const attempt = path.join(runFolder(), "trials", "main", "task_1", "1", "1");
    expect(await readFile(path.join(attempt, "prediction.csv"), "utf8")).toBe("n\n2\n");
    expect(await readFile(path.join(attempt, "conclusion.md"), "utf8")).toBe("Two are red.\n");
    const kinds = (await trialEventsOf(runFolder(), "task_1", 1)).map((event) => event.type);
    expect(kinds).toEqual([
      "trial-started",
      "model-responded",
      "tool-returned",
      "tool-returned",
      "model-responded",
      "candidate-submitted",
      "trial-finished",
    ]);
    const records = await recordsOf(runFolder());
    expect(records.map((record) => record.record).filter((kind) => kind !== "score")).toEqual([
      "run-start",
      "trial-end",
      "trial-end",
      "run-end",
    ]);
    const end = records.find((record) => record.record === "trial-end");
    expect(end).toMatchObject({ outcome: { kind: "answered" }, steps: 2, requests: { ok: 2 }, path: "recompute" });
    expect(records.filter((record) => record.record === "score" && record.scorer === "kdd-columns")).toMatchObject([
      { status: "perfect", value: 1 },
      { status: "perfect", value: 1 },
    ]);
  });

  it("sends messages that only grow at the end, with every result under its call", async () => {
    await writeTask(path.join(folder, "suite"), { task_id: "task_1" });
    const { args, env } = await scripted((request) => {
      const turn = turnOf(request);
      if (turn === 0)
        return toolCallReply([probe("a", "SELECT name FROM fruit"), probe("b", "SELECT nothing FROM fruit")]);
      if (turn === 1 && request.body.messages.at(-1)?.role !== "user")
        return toolCallReply([{ name: "execute_probe_query", args: "{broken" }]);
      if (turn === 1) return textReply("I think it is two.");
      return toolCallReply([submit("d")]);
    });
    expect((await cli([...args, "-n", "1"], { env })).code).toBe(0);
    const bodies = requestsSeen().map((request) => request.body.messages);
    expect(bodies.length).toBe(4);
    for (const [index, messages] of bodies.entries()) {
      if (index > 0) expect(messages.slice(0, bodies[index - 1]?.length)).toEqual(bodies[index - 1]);
    }
    const last = bodies.at(-1) ?? [];
    const results = last.filter((message) => message.role === "tool");
    expect(results.map((message) => message.tool_call_id)).toEqual(["a", "b"]);
    expect(results[1]?.content).toContain("nothing");
    expect(JSON.stringify(last)).toContain("{broken");
    expect(
      last.filter((message) => message.role === "assistant" && JSON.stringify(message).includes("{broken")),
    ).toEqual([]);
  });

  it("leaks the key into no message, file or output, also when the server echoes it", async () => {
    await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
    const { args, env } = await scripted((request) =>
      request.index === 0
        ? { status: 500, body: { error: { message: `bad key ${request.headers.authorization}` } } }
        : toolCallReply([submit("c")]),
    );
    const { stdout, stderr } = await cli([...args, "-n", "1"], { env });
    expect(requestsSeen()[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const events = await trialEventsOf(runFolder(), "task_1", 1);
    expect(events.find((event) => event.type === "model-failed")).toMatchObject({
      final: false,
      failure: { status: 500 },
    });
    const written = await allTextBelow(folder);
    for (const text of [stdout, stderr, written, JSON.stringify(requestsSeen().map(({ body }) => body))]) {
      expect(text).not.toContain(KEY);
    }
  });

  it("ends with exit 3 and infra-errors, never with a score of 0, when no server is there", async () => {
    await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
    const { args, env } = await scripted([]);
    await server?.close();
    const { code, stdout } = await cli(args, { env });
    expect(code).toBe(3);
    expect(stdout).toContain("infra 3/3");
    const records = await recordsOf(runFolder());
    expect(records.filter((record) => record.record === "score")).toEqual([]);
    const ends = records.filter((record) => record.record === "trial-end");
    expect(ends.sort((a, b) => a.k - b.k)).toMatchObject(
      [1, 2, 3].map((k) => ({ k, outcome: { kind: "infra-error", class: "connection" }, requests: { connection: 2 } })),
    );
  });
});

describe("a run that is stopped", () => {
  /** Answers turn 0 and 1 at once and never answers a third time until `release` is called. */
  function stuckAtTurn(turn: number): { script: ModelScript; reached: Promise<void>; release: () => void } {
    let reach = () => {};
    let release = () => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const script: ModelScript = async (request) => {
      const now = turnOf(request);
      if (now === turn) {
        reach();
        await released;
      }
      return now < 3 ? toolCallReply([probe(`p${now}`, `SELECT ${now} AS n`)]) : toolCallReply([submit("s")]);
    };
    return { script, reached, release: () => release() };
  }

  it("by kill -9 in the middle of a trial is resumed there, and the server sees no answered request again", async () => {
    await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
    const stuck = stuckAtTurn(2);
    const { args, env } = await scripted(stuck.script);
    const { child, done } = startCli([...args, "-n", "1"], { env });
    await stuck.reached;
    child.kill("SIGKILL");
    await done;
    const before = await trialEventsOf(runFolder(), "task_1", 1);
    expect(before.map((event) => event.type)).toEqual([
      "trial-started",
      ...["model-responded", "tool-returned", "model-responded", "tool-returned"],
    ]);
    const answered = new Set(
      requestsSeen()
        .slice(0, -1)
        .map(({ body }) => JSON.stringify(body)),
    );
    const seenBefore = requestsSeen().length;
    stuck.release();

    const resumed = await cli(["resume", runFolder(), "--cache-dir", path.join(folder, "cache")], { env });
    expect(resumed.code).toBe(0);
    const again = requestsSeen()
      .slice(seenBefore)
      .map(({ body }) => JSON.stringify(body));
    expect(again.filter((body) => answered.has(body))).toEqual([]);
    expect(again.length).toBe(2);
    const after = await trialEventsOf(runFolder(), "task_1", 1);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.map((event) => event.type).slice(before.length)).toEqual([
      "trial-resumed",
      ...["model-responded", "tool-returned", "model-responded", "candidate-submitted", "trial-finished"],
    ]);
    expect((await recordsOf(runFolder())).filter((record) => record.record === "trial-end")).toHaveLength(1);
  });

  it("by Ctrl-C suspends its trials, says how to go on, exits with 130, and goes on from there", async () => {
    await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
    const stuck = stuckAtTurn(1);
    const { args, env } = await scripted(stuck.script);
    const { child, done } = startCli([...args, "-n", "2", "--concurrency", "1"], { env });
    await stuck.reached;
    child.kill("SIGINT");
    const stopped = await done;
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain("daw-eval resume");
    const events = await trialEventsOf(runFolder(), "task_1", 1);
    expect(events.at(-1)).toMatchObject({ type: "trial-suspended", why: "cancelled" });
    expect((await recordsOf(runFolder())).at(-1)).toMatchObject({
      record: "run-end",
      status: "interrupted",
      counts: { planned: 2, valid: 0, infra_error: 0, suspended: 1, not_run: 1 },
    });
    stuck.release();
    const resumed = await cli(["resume", runFolder(), "--cache-dir", path.join(folder, "cache")], { env });
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("pass rate 100.0 %");
  });

  it("is left as it is by resume when it is complete: same summary, no request", async () => {
    await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
    const { args, env } = await scripted(() => toolCallReply([submit("s")]));
    const first = await cli(args, { env });
    const log = await readFile(path.join(runFolder(), "run.jsonl"), "utf8");
    const requests = requestsSeen().length;
    const again = await cli(["resume", runFolder()], { env });
    expect(again).toMatchObject({ code: 0, stdout: first.stdout });
    expect(requestsSeen().length).toBe(requests);
    expect(await readFile(path.join(runFolder(), "run.jsonl"), "utf8")).toBe(log);
  });

  it("is not resumed when its tasks or its profile changed: exit 2, naming what", async () => {
    const task = await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
    const { args, env } = await scripted(() => toolCallReply([submit("s")]));
    await cli(args, { env });
    await writeFile(path.join(task, "context", "csv", "fruit.csv"), "name,colour,grams\nplum,red,40\n");
    const changed = await cli(["resume", runFolder()], { env });
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(/input of task task_1 changed/);
    const other = await cli(["resume", runFolder(), "-p", "builtin"], { env });
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/profile changed: .*model\.provider/);
  });

  it("cannot be resumed from a folder that is no run", async () => {
    const { code, stderr } = await cli(["resume", folder]);
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
