import { contextImages } from "../context/context-images.js";
import type { TrialStarted } from "../core/event.js";
import { trialSeed } from "../core/identity.js";
import { languageOf } from "../core/language.js";
import type { OverlayTable } from "../core/overlay.js";
import { profileOf } from "../core/run-record.js";
import { createModels } from "../models/role-models.js";
import { EXECUTE_PYTHON } from "../tools/python/execute-python.js";
import { hasImages, runTool, toolSchemas } from "../tools/registry.js";
import { openSandboxes } from "./arm-sandboxes.js";
import { personWhoSays } from "./ask-person.js";
import { toolCaller } from "./call-tool.js";
import { dataQuerier } from "./check-data.js";
import { openTrialLog } from "./log/trial-log.js";
import { noProgram, runProgramTrial } from "./program/program-trial.js";
import { PROMPTS } from "./prompts-version.js";
import { runTrial } from "./run-trial.js";
import { taskDataLoader } from "./task-data.js";
import type { RunRoom, TrialRequest, TrialRunner } from "./trial-runner.js";
import { createWorkClock } from "./work-clock.js";

/** Trials that ask the profile's models and the tasks' data. Throws UsageError where a model could not answer even one request. */
export function liveTrials(room: RunRoom): TrialRunner {
  const { runFolder, start, env, cacheDir, pool, clock, cancel, deadline, additions } = room;
  const profiles = new Map(start.arms.map((arm) => [arm, profileOf(start, arm)]));
  const models = createModels(profiles, env, clock, cacheDir, additions.model);
  const sandboxes = openSandboxes(start);
  const loadTaskData = taskDataLoader(cacheDir, cancel, start.profile.concurrency);
  return {
    run: async ({ task, identity, attempt, profile, says, onState }: TrialRequest) => {
      const { arm, task_id, k } = identity;
      const model = models.get(arm);
      if (model === undefined) throw new Error(`the run has no arm ${arm}`);
      if (profile.agent.strategy === "command") {
        return runProgramTrial({ task, identity, attempt, profile, onState }, room, model, sandboxes.program(arm));
      }
      const { sandbox, found } = sandboxes.of(arm);
      const { context, catalog, knowledge } = await loadTaskData(task.context_dir);
      const reason = found.reason ?? "it was not looked for";
      const begin: TrialStarted = {
        type: "trial-started",
        trial: identity,
        attempt,
        seed: trialSeed(start.seed, task_id, k),
        question: task.question,
        catalog,
        knowledge,
        prompts: PROMPTS,
        tools: [...toolSchemas(sandbox !== null, hasImages(catalog)), ...additions.tools.map(({ schema }) => schema)],
        absent_tools: sandbox === null ? [{ name: EXECUTE_PYTHON, reason }] : [],
        language: languageOf(task.question),
        context_digest: context.digest,
        claim_checks: start.claim_checks,
      };
      const workClock = createWorkClock(clock);
      const workerWith = (overlay: readonly OverlayTable[]) => pool.worker(context, workClock.onWait, overlay);
      const python = sandbox && { sandbox, context_dir: task.context_dir, on_wait: workClock.onWait };
      const images = contextImages(task.context_dir);
      const tools = { context, python, images, limits: profile.tools };
      const log = openTrialLog(runFolder, identity, attempt);
      const callTool = toolCaller(
        (call, made, signal) =>
          runTool(call, { ...tools, ...made, worker: workerWith(made.overlay), signal }, additions.tools),
        log,
        workClock,
      );
      const queryData = dataQuerier(workerWith, profile.tools, workClock);
      try {
        const outside = { model, callTool, queryData, runCommand: noProgram, images, askPerson: personWhoSays(says) };
        const ports = { ...outside, log, clock, workClock, cancel, deadline, onState };
        return await runTrial(begin, profile, ports);
      } finally {
        await log.close();
      }
    },
    close: () => sandboxes.close(),
  };
}
