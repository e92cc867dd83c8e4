import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { loadSuite } from "../../src/config/load-suite.js";
import { selectTasks } from "../../src/config/select-tasks.js";
import type { TrialEvent } from "../../src/core/event.js";
import type { PersonSays } from "../../src/core/event-plan.js";
import type { Profile } from "../../src/core/profile.js";
import { NO_ADDITIONS } from "../../src/run/additions.js";
import type { RunProgress, RunSurroundings } from "../../src/run/execute-run.js";
import { resumeRun } from "../../src/run/resume-run.js";
import { startRun } from "../../src/run/start-run.js";
import { folderWith } from "./folder.js";
import {
  type ChatBody,
  type ModelRequestSeen,
  type ModelScript,
  type Reply,
  startModelServer,
} from "./model-server.js";
import { profileWith } from "./profile.js";
import { trialEventsOf } from "./run-files.js";

/** One for all tests of a file: the same data is compiled once. */
const cacheDir = mkdtempSync(path.join(os.tmpdir(), "daw-eval-cache-"));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

type Role = "agent" | "process" | "answer" | "extractor" | "planner" | "executor" | "verifier" | "finalizer";
type Script = readonly Reply[] | ((request: ModelRequestSeen) => Reply);

/** What each role answers, by the order of its own requests. */
export type RoleScripts = Partial<Record<Role, Script>>;

export interface ScriptedRun {
  readonly runFolder: string;
  readonly suite: string;
  readonly events: readonly TrialEvent[];
  /** The bodies that each role's endpoint saw, in order. */
  readonly seen: Readonly<Record<Role, readonly ChatBody[]>>;
  /** Goes on with the run, as `daw-eval resume` does, and reads the events again. */
  resume(says?: PersonSays): Promise<readonly TrialEvent[]>;
}

interface ScriptedOptions {
  /** Folder of the suite; of its tasks only `task` runs. */
  readonly suite: string;
  readonly task: string;
  readonly scripts: RoleScripts;
  readonly profile?: Partial<
    Pick<
      Profile,
      | "agent"
      | "limits"
      | "process_validation"
      | "answer_validation"
      | "claims"
      | "discipline"
      | "tools"
      | "roles"
      | "pause"
    >
  >;
  /** Of the endpoint's configuration what differs: no retries, no time limit that matters. */
  readonly model?: Partial<Profile["model"]>;
  /** Cancels the run as Ctrl-C does, after an event. */
  readonly cancelAfter?: (event: TrialEvent["type"], trial: { readonly events: number }) => boolean;
}

/** One trial of a task against a real endpoint over HTTP that plays every role of the profile by a script of its own. */
export async function scriptedRun(options: ScriptedOptions): Promise<ScriptedRun> {
  const seen: Record<Role, ChatBody[]> = {
    agent: [],
    process: [],
    answer: [],
    extractor: [],
    planner: [],
    executor: [],
    verifier: [],
    finalizer: [],
  };
  const server = await startModelServer(byRole(options.scripts, seen));
  onTestFinished(() => server.close());
  const base = profileWith({
    model: {
      provider: "openai",
      name: "scripted",
      base_url: server.base_url,
      retries: { max: 0, min_wait_ms: 1, max_wait_ms: 1 },
      ...options.model,
    },
  });
  const profile: Profile = { ...base, ...options.profile, repeats: 1 };
  const selection = { only: [options.task], tags: [], limit: null };
  const suite = selectTasks(await loadSuite(options.suite), selection);
  const folder = folderWith();
  const runFolder = path.join(folder, "run");
  const cancel = new AbortController();
  await startRun(
    { suite, shard: null, selection, arms: [{ name: "main", profile }], run_id: "run", runFolder, argv: [] },
    surroundings(cancel.signal, (progress) => {
      if (progress.kind !== "trial-event") return;
      if (options.cancelAfter?.(progress.event.type, progress.state) === true) cancel.abort(new Error("interrupted"));
    }),
  );
  const read = () => trialEventsOf(runFolder, options.task, 1);
  return {
    runFolder,
    suite: options.suite,
    events: await read(),
    seen,
    resume: async (says) => {
      const resumption = {
        runFolder,
        suite,
        arms: null,
        force: false,
        retryFailed: false,
        decision: says === undefined ? null : { trial: { arm: "main", task_id: options.task, k: 1 }, says },
        argv: [],
        onWarning: () => {},
      };
      await resumeRun(
        resumption,
        surroundings(new AbortController().signal, () => {}),
      );
      return await read();
    },
  };
}

function surroundings(cancel: AbortSignal, onProgress: (progress: RunProgress) => void): RunSurroundings {
  return {
    env: {},
    clock: { iso: () => new Date().toISOString(), milliseconds: () => performance.now() },
    cacheDir,
    cancel,
    onProgress,
    additions: NO_ADDITIONS,
  };
}

function byRole(scripts: RoleScripts, seen: Record<Role, ChatBody[]>): ModelScript {
  return (request) => {
    const role = roleOf(request.body);
    seen[role].push(request.body);
    const script = scripts[role] ?? [];
    const reply = typeof script === "function" ? script(request) : script[seen[role].length - 1];
    if (reply === undefined) throw new Error(`the script of ${role} has no reply ${seen[role].length - 1}`);
    return reply;
  };
}

/** How the prompts of a plan's roles begin. */
const PLAN_ROLES: readonly (readonly [string, Role])[] = [
  ["You plan how one question", "planner"],
  ["You are a data analyst who works on one sub-goal", "executor"],
  ["You judge one output", "verifier"],
  ["You hand in the answer", "finalizer"],
];

/** Of the others only the agent has tools; their prompts say what they are given. */
function roleOf(body: ChatBody): Role {
  const role = PLAN_ROLES.find(([start]) => body.messages[0]?.content?.startsWith(start) === true);
  if (role !== undefined) return role[1];
  if ((body.tools ?? []).length > 0) return "agent";
  const prompt = body.messages[0]?.content ?? "";
  if (prompt.includes('{"rows"')) return "extractor";
  return prompt.includes("evidence_items") ? "process" : "answer";
}
