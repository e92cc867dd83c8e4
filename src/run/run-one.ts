import { languageOf, PROMPTS_VERSION } from "../agent/prompt.js";
import { contextImages } from "../context/context-images.js";
import type { QueryPool } from "../context/query-pool.js";
import type { ClaimCheck } from "../core/claim-check.js";
import type { TrialEventBody, TrialStarted } from "../core/event.js";
import { type TrialIdentity, trialSeed } from "../core/identity.js";
import type { OverlayTable } from "../core/overlay.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import type { Task } from "../core/task.js";
import { EXECUTE_PYTHON } from "../tools/execute-python.js";
import { hasImages, runTool, toolSchemas } from "../tools/registry.js";
import { VALIDATION_PROMPTS_VERSION } from "../validate/prompts-version.js";
import type { ArmPython } from "./arm-sandboxes.js";
import type { Deadline } from "./deadline.js";
import { runTrial } from "./run-trial.js";
import type { LoadTaskData } from "./task-data.js";
import { openTrialLog } from "./trial-log.js";
import { createWorkClock } from "./work-clock.js";

/** What all trials of a run share. */
export interface RunRoom {
  readonly runFolder: string;
  readonly seed: number;
  readonly claimChecks: readonly ClaimCheck[];
  readonly pool: QueryPool;
  readonly loadTaskData: LoadTaskData;
  readonly clock: Clock;
  readonly cancel: AbortSignal;
  readonly deadline: Deadline;
}

/** And what an arm's trials have of their own. */
export interface TrialRoom extends RunRoom {
  readonly profile: Profile;
  readonly model: ChatModel;
  readonly python: ArmPython;
}

/** Runs or continues one attempt of a trial in its folder. Throws ContextError, or on a bug or a full disk. */
export async function runOne(
  task: Task,
  identity: TrialIdentity,
  attempt: number,
  room: TrialRoom,
  onState: (state: TrialState, event: TrialEventBody) => void,
): Promise<TrialState> {
  const { profile } = room;
  const { sandbox, found } = room.python;
  const { context, catalog, knowledge } = await room.loadTaskData(task.context_dir);
  const begin: TrialStarted = {
    type: "trial-started",
    trial: identity,
    attempt,
    seed: trialSeed(room.seed, identity.task_id, identity.k),
    question: task.question,
    catalog,
    knowledge,
    prompts: `agent ${PROMPTS_VERSION}, validation ${VALIDATION_PROMPTS_VERSION}`,
    tools: toolSchemas(sandbox !== null, hasImages(catalog)),
    absent_tools: sandbox === null ? [{ name: EXECUTE_PYTHON, reason: found.reason ?? "it was not looked for" }] : [],
    language: languageOf(task.question),
    context_digest: context.digest,
    claim_checks: room.claimChecks,
  };
  const workClock = createWorkClock(room.clock);
  const workerWith = (overlay: readonly OverlayTable[]) => room.pool.worker(context, workClock.onWait, overlay);
  const python = sandbox && { sandbox, context_dir: task.context_dir, on_wait: workClock.onWait };
  const images = contextImages(task.context_dir);
  const log = openTrialLog(room.runFolder, identity, attempt);
  try {
    return await runTrial(begin, profile, {
      model: room.model,
      runTool: (call, overlay, signal, shown_images) => {
        const seen = { images, shown_images };
        return runTool(call, {
          context,
          worker: workerWith(overlay),
          overlay,
          python,
          limits: profile.tools,
          ...seen,
          signal,
        });
      },
      images,
      workerWith,
      log,
      clock: room.clock,
      workClock,
      cancel: room.cancel,
      deadline: room.deadline.signal,
      onState,
    });
  } finally {
    await log.close();
  }
}
