import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PROMPTS_VERSION } from "../../../src/agent/prompt.js";
import { type CompiledContext, compileContext } from "../../../src/context/compile.js";
import { knowledgeOf } from "../../../src/context/documents.js";
import { createQueryPool, type QueryPool } from "../../../src/context/query-pool.js";
import { lightCatalog } from "../../../src/core/catalog.js";
import type { TrialStarted } from "../../../src/core/event.js";
import type { ProcessValidated } from "../../../src/core/event-validation.js";
import { languageOf } from "../../../src/core/language.js";
import type { ModelRequest, ModelResponse } from "../../../src/core/message.js";
import type { ChatModel } from "../../../src/core/ports/chat-model.js";
import { toolCaller } from "../../../src/run/call-tool.js";
import { dataQuerier } from "../../../src/run/check-data.js";
import { openTrialLog } from "../../../src/run/log/trial-log.js";
import { noProgram } from "../../../src/run/program/program-trial.js";
import { runTrial } from "../../../src/run/run-trial.js";
import { createWorkClock } from "../../../src/run/work-clock.js";
import { runTool, toolSchemas } from "../../../src/tools/registry.js";
import { respond } from "../../support/events.js";
import { NO_IMAGES } from "../../support/images.js";
import { profileWith } from "../../support/profile.js";
import { sharedDir } from "../../support/shared.js";
import { validatorReply } from "../../support/validation-events.js";
import type { Script } from "./script.js";

const DEMO = fileURLToPath(new URL("../../../tasks/demo/input", import.meta.url));

/** What became of a scripted trial's submission. */
export interface Checked {
  /** The end of its check; null where the tool refused the submission. */
  readonly validated: ProcessValidated | null;
  /** What the tool said of the last call. */
  readonly lastContent: string;
}

/** Runs scripts as whole trials: compiled data, real tools, query processes, the engine and its log; only the models are scripted. */
export interface Stage {
  run(script: Script): Promise<Checked>;
  close(): Promise<void>;
}

export function openStage(): Stage {
  const root = mkdtempSync(path.join(os.tmpdir(), "daw-mechanical-"));
  const pool = createQueryPool({ max_children: 2 });
  const contexts = new Map<string, Promise<CompiledContext>>();
  let trials = 0;
  const compile = (dir: string) => {
    const compiled = contexts.get(dir) ?? compileContext(dir, { cache_dir: path.join(root, "cache") });
    contexts.set(dir, compiled);
    return compiled;
  };
  return {
    run: async (script) => {
      const folder = path.join(root, `trial-${trials++}`);
      const task = taskFolder(script.task);
      const context = await compile(path.join(task, "context"));
      const later = script.edit === undefined ? context : await compile(edited(task, script.edit, folder));
      return await play(script, task, context, later, pool, folder);
    },
    close: async () => {
      await pool.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** `demo/task_01_snow_days` or `kdd-demo/task_261`. */
function taskFolder(task: string): string {
  const [suite = "", id = ""] = task.split("/");
  return suite === "demo" ? path.join(DEMO, id) : path.join(sharedDir ?? "", "data", suite, "input", id);
}

/** A copy of a task's context in which one file was edited. */
function edited(task: string, edit: NonNullable<Script["edit"]>, folder: string): string {
  const copy = path.join(folder, "context");
  cpSync(path.join(task, "context"), copy, { recursive: true });
  const file = path.join(copy, edit.file);
  const text = readFileSync(file, "utf8");
  if (!text.includes(edit.from)) throw new Error(`${edit.file} has no ${edit.from}`);
  writeFileSync(file, text.replace(edit.from, edit.to));
  return copy;
}

async function play(
  script: Script,
  task: string,
  context: CompiledContext,
  later: CompiledContext,
  pool: QueryPool,
  folder: string,
): Promise<Checked> {
  const base = profileWith({ process_validation: { mode: "enforce", mechanical: "enforce" } });
  const profile = { ...base, tools: { ...base.tools, ...script.tools } };
  const begin = await beginning(script, task, context);
  const clock = { iso: () => new Date().toISOString(), milliseconds: () => performance.now() };
  const log = openTrialLog(folder, begin.trial, 1);
  const workClock = createWorkClock(clock);
  const cancel = new AbortController();
  let validated: ProcessValidated | null = null;
  let lastContent = "";
  await runTrial(begin, profile, {
    model: scriptedModel(script, cancel),
    runCommand: noProgram,
    callTool: toolCaller(
      (call, made, signal) =>
        runTool(call, {
          context,
          worker: pool.worker(context, () => {}, made.overlay),
          python: null,
          limits: profile.tools,
          images: NO_IMAGES,
          ...made,
          signal,
        }),
      log,
      workClock,
    ),
    queryData: dataQuerier((overlay) => pool.worker(later, () => {}, overlay), profile.tools, workClock),
    images: NO_IMAGES,
    askPerson: () => null,
    log,
    clock,
    workClock,
    cancel: cancel.signal,
    deadline: new AbortController().signal,
    onState: (_, event) => {
      if (event.type === "tool-returned" || event.type === "candidate-submitted") lastContent = event.content;
      if (event.type === "process-validated" && validated === null) {
        validated = event;
        cancel.abort(new Error("checked"));
      }
    },
  });
  await log.close();
  return { validated, lastContent };
}

async function beginning(script: Script, task: string, context: CompiledContext): Promise<TrialStarted> {
  const given: { question: string } = JSON.parse(readFileSync(path.join(task, "task.json"), "utf8"));
  const question = script.question ?? given.question;
  return {
    type: "trial-started",
    trial: { arm: "main", task_id: path.basename(task), k: 1 },
    attempt: 1,
    seed: 1,
    question,
    catalog: lightCatalog(context.catalog),
    knowledge: await knowledgeOf(context),
    tools: toolSchemas(false),
    absent_tools: [],
    claim_checks: [],
    prompts: PROMPTS_VERSION,
    language: languageOf(question),
    context_digest: context.digest,
  };
}

/** Makes the calls of the script one a turn, then submits. The process validator accepts everything that code let through. */
function scriptedModel(script: Script, cancel: AbortController): ChatModel {
  const submission = { tool_name: "execute_probe_query", tool_args: { queries: script.submit } };
  const calls = [...script.steps, { tool: "submit_tool_result", args: submission }];
  let turn = 0;
  return {
    respond: async (request) => ({ ok: true, response: answer(request), request_ms: 1 }),
  };
  function answer({ purpose }: ModelRequest): ModelResponse {
    if (purpose !== "agent") return validatorReply(purpose, { valid: true }).response;
    const call = calls[turn++];
    // Behind a submission that was refused there is nothing more to do.
    if (call === undefined) cancel.abort(new Error("the script is over"));
    const args = JSON.stringify(call?.args ?? {});
    return respond({ calls: [`call-${turn}`], tool: call?.tool ?? "list_context", args }).response;
  }
}
