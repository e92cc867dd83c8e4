import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, onTestFinished } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import type { RunRecord } from "../../src/core/run-record.js";
import { type CliRun, cli, startCli } from "./cli.js";
import {
  type ModelRequestSeen,
  type ModelScript,
  type ModelServer,
  type Reply,
  startModelServer,
  toolCallReply,
} from "./model-server.js";
import { recordsOf, trialEventsOf } from "./run-files.js";
import { writeTask } from "./suite.js";

/** A query whose result is the gold of `writeTask`'s fruit. */
export const COUNT_RED = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";
export const GOLD = "n\n2\n";

/** The key that the profile names; no test may find it anywhere. */
export const KEY = "sk-canary-5f1d9c";

interface CliRunOptions {
  readonly script: ModelScript;
  /** How many equal tasks, task_1 …; 1 unless given. */
  readonly tasks?: number;
  /** More keys of `model`, as YAML flow: `retries: {max: 0}`. */
  readonly model?: string;
  /** More sections of the profile, as YAML. */
  readonly profile?: string;
  /** For all tests of a file rather than the one that makes it. */
  readonly lasting?: boolean;
}

/** A suite, a profile and a real model server, and the commands a person would type there. */
export interface CliStage {
  readonly folder: string;
  readonly server: ModelServer;
  readonly runFolder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Arguments of a run `r` of the suite. */
  readonly args: readonly string[];
  run(...more: readonly string[]): Promise<CliRun>;
  start(...more: readonly string[]): ReturnType<typeof startCli>;
  /** `resume` and other commands on the run, with the same environment. */
  on(command: string, ...more: readonly string[]): Promise<CliRun>;
  records(): Promise<RunRecord[]>;
  events(task: string, k: number, attempt?: number): Promise<TrialEvent[]>;
  logText(): string;
}

export async function cliStage(options: CliRunOptions): Promise<CliStage> {
  const { script, tasks = 1, model = "", profile = "", lasting = false } = options;
  const whenDone = lasting ? afterAll : onTestFinished;
  const folder = mkdtempSync(path.join(tmpdir(), "daw-eval-"));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  for (let task = 1; task <= tasks; task++) {
    await writeTask(path.join(folder, "suite"), { task_id: `task_${task}`, gold: GOLD });
  }
  const server = await startModelServer(script);
  whenDone(() => server.close());
  const inModel = [
    "provider: openai",
    "name: scripted",
    `base_url: "${server.base_url}"`,
    "api_key_env: CANARY_KEY",
    ...(model.includes("retries") ? [] : ["retries: {max: 1, min_wait_ms: 10, max_wait_ms: 2000}"]),
    ...(model === "" ? [] : [model]),
  ].join(", ");
  // Looking for a sandbox takes longer than most of these runs.
  const tools = profile.includes("tools:") ? "" : "tools: {python: {sandbox: off}}";
  writeFileSync(path.join(folder, "profile.yaml"), `model: {${inModel}}\n${tools}\n${profile}\n`);
  const env = { CANARY_KEY: KEY };
  const cache = ["--cache-dir", "cache"];
  const args = ["run", "suite", "-p", "profile.yaml", "--out", "runs", "--run-id", "r", ...cache];
  const runFolder = path.join(folder, "runs", "r");
  const here = { cwd: folder, env };
  return {
    folder,
    server,
    runFolder,
    env,
    args,
    run: (...more) => cli([...args, ...more], here),
    start: (...more) => startCli([...args, ...more], here),
    on: (command, ...more) => {
      const needsCache = command === "resume" || command === "replay" || command === "score";
      return cli([command, "runs/r", ...(needsCache ? cache : []), ...more], here);
    },
    records: () => recordsOf(runFolder),
    events: (task, k, attempt = 1) => trialEventsOf(runFolder, task, k, attempt),
    logText: () => readFileSync(path.join(runFolder, "run.jsonl"), "utf8"),
  };
}

/** Turns that the model has had in the conversation, so that a script needs no memory. */
export const turnOf = (request: ModelRequestSeen): number =>
  request.body.messages.filter(({ role }) => role === "assistant").length;

export const probe = (sql = COUNT_RED, id = "p"): Reply =>
  toolCallReply([{ name: "execute_probe_query", args: { queries: [sql] }, id }]);

export const submit = (sql = COUNT_RED, id = "s"): Reply =>
  toolCallReply([
    {
      name: "submit_tool_result",
      args: { tool_name: "execute_probe_query", tool_args: { queries: [sql] }, conclusion: "Two are red." },
      id,
    },
  ]);
