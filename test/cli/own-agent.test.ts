import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { findProgram } from "../../src/context/query-capabilities.js";
import type { TrialEnd } from "../../src/core/run-record.js";
import { cli, startCli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import {
  errorReply,
  type ModelRequestSeen,
  type ModelScript,
  type ModelServer,
  startModelServer,
  textReply,
  toolCallReply,
} from "../support/model-server.js";
import { processesWith, until } from "../support/processes.js";
import { allTextBelow, recordsOf, trialEventsOf } from "../support/run-files.js";
import { noSandbox, sandboxed } from "../support/sandbox.js";
import { writeTask } from "../support/suite.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/python-agent", import.meta.url));
const BIN = fileURLToPath(new URL("../../bin/daw-eval.js", import.meta.url));
const KEY = "sk-canary-of-the-model-1f";
const OWN = "own-canary-of-the-agent-2e";
const GOLD = "n\n2\n";
const RED = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";

interface Stage {
  readonly folder: string;
  readonly server: ModelServer;
  readonly here: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
  readonly runFolder: string;
  profile(command: string, more?: string): void;
}

/** A suite whose tasks ask these questions, a model, and a folder to run in. */
async function stageOf(script: ModelScript, questions: Readonly<Record<string, string>>): Promise<Stage> {
  const folder = folderWith();
  for (const [task_id, question] of Object.entries(questions)) {
    await writeTask(path.join(folder, "suite"), { task_id, question, gold: GOLD });
  }
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const profile = (command: string, more = "") => {
    const model = `provider: openai, name: scripted, base_url: "${server.base_url}", api_key_env: CANARY_KEY`;
    const retries = "retries: {max: 1, min_wait_ms: 10, max_wait_ms: 50}, price: {input: 1, output: 1}";
    const agent = `agent: {strategy: command, max_steps: 4, command: {${command}}}`;
    writeFileSync(path.join(folder, "own.yaml"), `model: {${model}, ${retries}}\n${agent}\n${more}\n`);
  };
  const here = { cwd: folder, env: { CANARY_KEY: KEY, OWN_KEY: OWN } };
  return { folder, server, here, runFolder: path.join(folder, "runs", "r"), profile };
}

const RUN = ["run", "suite", "-p", "./own.yaml", "--run-id", "r", "--cache-dir", "cache", "--quiet"];

const saidIn = ({ body }: ModelRequestSeen) => body.messages.map(({ content }) => content ?? "").join("\n");

async function endsOf(runFolder: string): Promise<ReadonlyMap<string, TrialEnd>> {
  const records = await recordsOf(runFolder);
  return new Map(records.flatMap((one) => (one.record === "trial-end" ? [[`${one.task_id}#${one.k}`, one]] : [])));
}

/** An agent whose whole program is the question. */
const QUESTION_RUNNER = `import json, sys\ntask = json.load(sys.stdin)\nexec(task["question"])\n`;

const ANSWER = `open(task["prediction"], "w").write("n\\n2\\n")`;
const CHAT = `
import os, urllib.request, urllib.error
def chat(text, **more):
    body = json.dumps({"model": "any", "messages": [{"role": "user", "content": text}], **more}).encode()
    headers = {"authorization": "Bearer " + os.environ["MODEL_API_KEY"]}
    try:
        return json.load(urllib.request.urlopen(urllib.request.Request(os.environ["MODEL_API_URL"] + "/chat/completions", body, headers)))
    except urllib.error.HTTPError as error:
        return (error.code, json.load(error)["error"]["code"])
`;

describe.skipIf(noSandbox !== null)(sandboxed("a program of one's own as the agent"), () => {
  test("the example is run n times, its model calls are ours, and it compares with our own loop", async () => {
    const script: ModelScript = (request) => {
      if (request.body.tools !== undefined) {
        const args = { tool_name: "execute_probe_query", tool_args: { queries: [RED] }, conclusion: "Two." };
        return toolCallReply([{ name: "submit_tool_result", args }]);
      }
      const corrected = saidIn(request).includes("That failed");
      if (saidIn(request).includes("second") && !corrected)
        return textReply("```sql\nSELECT nothing FROM nowhere\n```");
      return textReply(`I count.\n\`\`\`sql\n${RED}\n\`\`\``);
    };
    const stage = await stageOf(script, { task_1: "How many are red?", task_2: "How many are red, second?" });
    stage.profile(`argv: [python3, /agent/agent.py], folder: ${JSON.stringify(EXAMPLE)}`, "repeats: 3\nconcurrency: 3");
    const run = await cli(RUN, stage.here);
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining("WARNING") });
    const ends = await endsOf(stage.runFolder);
    expect(ends.size).toBe(6);
    expect(ends.get("task_2#3")).toMatchObject({
      outcome: { kind: "answered", forced: false },
      requests: { ok: 2 },
      usage: [{ purpose: "agent", model: "scripted-model", calls: 2, input_tokens: 200, output_tokens: 40 }],
      cost_usd: expect.closeTo(240 / 1_000_000, 10),
      steps: 2,
      tools: { sql: 2 },
      path: "unknown",
    });
    const events = await trialEventsOf(stage.runFolder, "task_2", 1);
    expect(events.map(({ type }) => type)).toEqual([
      "trial-started",
      "command-started",
      "model-responded",
      "model-responded",
      "step-reported",
      "step-reported",
      "answer-delivered",
      "command-returned",
      "trial-finished",
    ]);
    expect(events[1]).toMatchObject({ sandbox: "bwrap", network: "none", argv: ["python3", "/agent/agent.py"] });
    expect(events[6]).toMatchObject({ conclusion: "1 rows, by one query." });
    expect(new Set(stage.server.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${KEY}`]),
    );
    expect(await allTextBelow(stage.runFolder)).not.toContain(KEY);

    const react = await cli([...RUN, "--run-id", "react", "--set", "agent.strategy=react"], stage.here);
    expect(react.code).toBe(0);
    const diff = JSON.parse((await cli(["diff", "r", "react", "--json"], stage.here)).stdout);
    expect(diff).toMatchObject({ common: 2, incomparable: [], delta: 0 });

    // A replay needs no program, no sandbox and no model.
    const replayed = await cli(["replay", "r", "--cache-dir", "cache"], stage.here);
    expect(replayed.stdout).toMatch(/^6 trials of r replayed into .*: 6 the same, 0 not/);
  });

  test("each way to end has its outcome, and nothing outside is to be seen", async () => {
    const questions = {
      answers: ANSWER,
      silent: "pass",
      crashes: `${ANSWER}\nraise SystemExit("cannot go on")`,
      killed: `import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)`,
      ragged: `open(task["prediction"], "w").write("a,b\\n1\\n")`,
      too_long: `open(task["prediction"], "w").write("n\\n" + "1\\n" * 11)`,
      garbage: `sys.stdout.buffer.write(bytes(range(256)) * 20000)\n${ANSWER}`,
      leaks: `import os\nopen(task["prediction"], "w").write("n," + os.environ["OWN_KEY"] + "\\n2," + os.environ["OWN_KEY"] + "\\n")`,
      linked: `import os\nos.symlink("/etc/passwd", task["prediction"])`,
      steps: `${CHAT}\nsaid = [chat("hello %d" % index) for index in range(5)]\nassert said[4] == (403, "step-limit"), said\n${ANSWER}`,
      steps_silent: `${CHAT}\nsaid = [chat("hello %d" % index) for index in range(5)]`,
      tokens: `${CHAT}\nchat("big")\nimport time\ntime.sleep(600)`,
      down: `${CHAT}\nassert chat("down") == (502, "server")`,
      down_but_answers: `${CHAT}\nassert chat("down") == (502, "server")\n${ANSWER}`,
      unserved: `${CHAT}\nassert chat("hi", logprobs=True) == (400, "bad-request")\nassert chat("hi", tool_choice="required") == (400, "bad-request")`,
      seeks: `
import os, socket, subprocess
found = []
for place in ["/root", "/home", "/etc/passwd", task["context_dir"] + "/../gold.csv", task["task_dir"] + "/../suite"]:
    if os.path.exists(place): found.append(place)
for place in [task["context_dir"], task["task_dir"], "/agent", "/port", "/"]:
    try:
        open(os.path.join(place, "mine"), "w")
        found.append("wrote " + place)
    except OSError:
        pass
try:
    socket.create_connection(("127.0.0.1", int(${"PORT"})), 2)
    found.append("network")
except OSError:
    pass
every = subprocess.run("cat /proc/*/environ /proc/*/cmdline; env", shell=True, capture_output=True, text=True, errors="replace").stdout
if "canary-of-the-model" in every: found.append("key")
if sorted(os.listdir(task["task_dir"])) != ["context", "task.json"]: found.append("task_dir")
if set(json.load(open(task["task_dir"] + "/task.json"))) != {"task_id", "question"}: found.append("task.json")
assert os.environ["OWN_KEY"].startswith("own-canary")
print("the agent says its key", os.environ["OWN_KEY"])
open(task["conclusion"], "w").write("with " + os.environ["OWN_KEY"])
open(task["trace"], "w").write("torn {")
assert not found, found
${ANSWER}`,
    };
    const script: ModelScript = (request) => {
      const said = saidIn(request);
      if (said.includes("down")) return errorReply(503, "overloaded");
      const usage = said.includes("big") ? { prompt_tokens: 5000, completion_tokens: 1 } : undefined;
      return textReply("well", usage === undefined ? {} : { completion: { usage } });
    };
    const stage = await stageOf(script, questions);
    const seeks = questions.seeks.replace("PORT", new URL(stage.server.base_url).port);
    await writeTask(path.join(stage.folder, "suite"), { task_id: "seeks", question: seeks, gold: GOLD });
    writeFileSync(path.join(folderAgent(stage.folder), "agent.py"), QUESTION_RUNNER);
    stage.profile(
      "argv: [python3, /agent/agent.py], folder: agent, env: [OWN_KEY]",
      "repeats: 1\nlimits: {tokens: 1000}\ntools: {max_answer_rows: 10}",
    );
    const run = await cli(RUN, stage.here);
    expect(run.code).toBe(3);
    const ends = await endsOf(stage.runFolder);
    const outcomes = Object.fromEntries(
      [...ends.values()].map(({ task_id, outcome }) => {
        const { kind, ...rest } = outcome;
        return [task_id, [kind, ...Object.values(rest).filter((one) => typeof one === "string")].join(": ")];
      }),
    );
    expect(outcomes).toEqual({
      answers: "answered",
      silent: "no-answer: empty",
      crashes: "agent-error: crashed: it ended with exit code 1: cannot go on",
      killed: "agent-error: crashed: it was ended by SIGSEGV",
      ragged: "agent-error: invalid-prediction: prediction.csv: line 2 has 1 cell, the header has 2 columns",
      too_long: "agent-error: invalid-prediction: prediction.csv: 11 rows, at most 10 are taken",
      garbage: "answered",
      leaks: "answered",
      linked: "no-answer: empty",
      steps: "answered",
      steps_silent: "no-answer: max-steps",
      tokens: "limit-reached: tokens",
      down: expect.stringMatching(/^infra-error: server: .*overloaded/),
      down_but_answers: "answered",
      unserved: "no-answer: empty",
      seeks: "answered",
    });
    expect(ends.get("steps#1")).toMatchObject({ outcome: { forced: true }, steps: 4, requests: { ok: 4 } });
    expect(ends.get("down#1")?.requests).toEqual({ server: 2 });
    expect(ends.get("tokens#1")?.usage).toMatchObject([{ input_tokens: 5000 }]);
    const told = await trialEventsOf(stage.runFolder, "seeks", 1);
    expect(told.find(({ type }) => type === "command-returned")).toMatchObject({
      notes: ["trace.json is torn or no JSON"],
      stdout: "the agent says its key ***\n",
    });
    const [leaked, noisy] = await Promise.all(["leaks", "garbage"].map((id) => trialEventsOf(stage.runFolder, id, 1)));
    expect(leaked?.find(({ type }) => type === "answer-delivered")).toMatchObject({
      candidate: { columns: ["n", "***"], preview: [["2", "***"]] },
    });
    // Of five megabytes on stdout the log keeps the end.
    const returned = noisy?.find(({ type }) => type === "command-returned");
    expect(returned?.type === "command-returned" && returned.stdout.length).toBeLessThan(100_000);
    const all = await allTextBelow(stage.runFolder);
    expect(all).not.toContain(KEY);
    expect(all).not.toContain(OWN);

    const shown = await cli(["show", "r", "crashes#1"], stage.here);
    expect(shown.stdout).toMatch(
      /the agent's program starts {2}bwrap · network none\n {4}python3 \/agent\/agent\.py\n/,
    );
    expect(shown.stdout).toMatch(
      /the agent's program: it ended with exit code 1 .*prediction missing.*\n {4}the program failed: what it had written is not taken\n {4}cannot go on\n/,
    );
  });

  test("a killed trial goes on: the program starts again, and what the model had answered is not asked again", async () => {
    const question = `${CHAT}\nassert chat("first")["choices"][0]["message"]["content"] == "well"\nchat("second")\n${ANSWER}`;
    let second = 0;
    const stage = await stageOf(
      (request) => (saidIn(request) === "second" && second++ === 0 ? new Promise(() => {}) : textReply("well")),
      { task_1: question },
    );
    writeFileSync(path.join(folderAgent(stage.folder), "agent.py"), QUESTION_RUNNER);
    stage.profile("argv: [python3, /agent/agent.py], folder: agent", "repeats: 1");
    const { child, done } = startCli(RUN, stage.here);
    await until(() => second === 1);
    child.kill("SIGKILL");
    await done;
    const resumed = await cli(["resume", "runs/r", "--cache-dir", "cache", "--quiet"], stage.here);
    expect(resumed).toMatchObject({ code: 0 });
    expect(stage.server.requests.map(saidIn)).toEqual(["first", "second", "second"]);
    const end = (await endsOf(stage.runFolder)).get("task_1#1");
    expect(end).toMatchObject({ outcome: { kind: "answered" }, requests: { ok: 2 }, steps: 2 });

    // The same with the machine's network: the port is then on the loopback, and the record says so.
    stage.profile("argv: [python3, /agent/agent.py], folder: agent, network: allow", "repeats: 1");
    expect(await cli([...RUN, "--run-id", "net"], stage.here)).toMatchObject({ code: 0 });
    const events = await trialEventsOf(path.join(stage.folder, "runs", "net"), "task_1", 1);
    expect(events[1]).toMatchObject({ type: "command-started", network: "allow" });
    expect(events.at(-1)).toMatchObject({ outcome: { kind: "answered" } });
  });

  test("at the time limit all of its processes are gone, in a bubble and without one", async () => {
    const hang = (mark: string) =>
      `import subprocess, time\nsubprocess.Popen(["/bin/sh", "-c", "sleep 300; echo ${mark}"], start_new_session=True)\ntime.sleep(300)`;
    const mark = `mark${Date.now()}`;
    const stage = await stageOf([], { task_1: hang(mark) });
    writeFileSync(path.join(folderAgent(stage.folder), "agent.py"), QUESTION_RUNNER);
    for (const sandbox of ["auto", "unsafe-none"]) {
      stage.profile(
        `argv: [python3, /agent/agent.py], folder: agent, sandbox: ${sandbox}`,
        "repeats: 1\nlimits: {seconds: 4}",
      );
      const run = await cli([...RUN, "--run-id", sandbox], stage.here);
      expect(run.code).toBe(0);
      expect(run.stderr.includes("WARNING: agent.command.sandbox is unsafe-none")).toBe(sandbox === "unsafe-none");
      const ends = await endsOf(path.join(stage.folder, "runs", sandbox));
      expect(ends.get("task_1#1")?.outcome).toEqual({ kind: "limit-reached", limit: "seconds" });
      expect(processesWith(mark)).toEqual([]);
    }
  });
});

test.skipIf(noSandbox !== null)(
  sandboxed("a program is not run without a sandbox where bubblewrap cannot hold it, and what can be done is said"),
  async () => {
    const stage = await stageOf([], { task_1: ANSWER });
    writeFileSync(path.join(folderAgent(stage.folder), "agent.py"), QUESTION_RUNNER);
    stage.profile("argv: [python3, /agent/agent.py], folder: agent");
    // Inside a bubble that forbids further ones, bubblewrap is installed and does not work.
    const bubble = ["--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"];
    const run = spawnSync(findProgram("bwrap") ?? "bwrap", [...bubble, process.execPath, BIN, ...RUN], {
      cwd: stage.folder,
      env: { ...process.env, ...stage.here.env },
      encoding: "utf8",
    });
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/^daw-eval: .*bubblewrap does not work here: /m);
    expect(existsSync(path.join(stage.folder, "runs"))).toBe(false);
  },
);

test("a program that cannot be started is said before anything is created", async () => {
  const stage = await stageOf([], { task_1: "?" });
  stage.profile("argv: [python3, /agent/agent.py], folder: nowhere");
  const missing = await cli(RUN, stage.here);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain("agent.command.folder: nowhere: no such folder");
  stage.profile("argv: [python3], folder: null", "process_validation: {mode: observe}");
  const checked = await cli(RUN, stage.here);
  expect(checked.stderr).toMatch(/own\.yaml:\d+: agent\.strategy must be react where process_validation.* are on/);
  expect(() => readFileSync(path.join(stage.folder, "runs"))).toThrow(/ENOENT/);
});

function folderAgent(folder: string): string {
  const agent = path.join(folder, "agent");
  mkdirSync(agent, { recursive: true });
  return agent;
}
