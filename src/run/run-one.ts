import { languageOf, PROMPTS_VERSION } from "../agent/prompt.js";
import { type CompiledContext, compileContext } from "../context/compile.js";
import { knowledgeOf } from "../context/documents.js";
import type { QueryPool } from "../context/query-pool.js";
import { lightCatalog } from "../core/catalog.js";
import type { ClaimCheck } from "../core/claim-check.js";
import type { TrialEventBody, TrialStarted } from "../core/event.js";
import { type TrialIdentity, trialSeed } from "../core/identity.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import type { Task } from "../core/task.js";
import { runTool, toolSchemas } from "../tools/registry.js";
import type { Deadline } from "./deadline.js";
import { runTrial } from "./run-trial.js";
import { openTrialLog } from "./trial-log.js";
import { createWorkClock } from "./work-clock.js";

/** What all trials of a run share. */
export interface RunRoom {
  readonly runFolder: string;
  readonly seed: number;
  readonly claimChecks: readonly ClaimCheck[];
  readonly cacheDir: string;
  readonly pool: QueryPool;
  /** Compiled contexts of this process by folder: repeats share one. */
  readonly contexts: Map<string, Promise<CompiledContext>>;
  readonly clock: Clock;
  readonly cancel: AbortSignal;
  readonly deadline: Deadline;
}

/** And what an arm's trials have of their own. */
export interface TrialRoom extends RunRoom {
  readonly profile: Profile;
  readonly model: ChatModel;
}

/** A task's data could not be compiled: the trial cannot start. Infrastructure, not the agent. */
export class ContextError extends Error {
  readonly code = "context";
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
  const context = await compile(task, room);
  const begin: TrialStarted = {
    type: "trial-started",
    trial: identity,
    attempt,
    seed: trialSeed(room.seed, identity.task_id, identity.k),
    question: task.question,
    catalog: lightCatalog(context.catalog),
    knowledge: await knowledgeOf(context),
    tools: toolSchemas(),
    prompts: PROMPTS_VERSION,
    language: languageOf(task.question),
    context_digest: context.digest,
    claim_checks: room.claimChecks,
  };
  const workClock = createWorkClock(room.clock);
  const worker = room.pool.worker(context, workClock.onWait);
  const log = await openTrialLog(room.runFolder, identity, attempt);
  try {
    return await runTrial(begin, profile, {
      model: room.model,
      runTool: (call, signal) => runTool(call, { context, worker, limits: profile.tools, signal }),
      worker,
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

async function compile(task: Task, room: RunRoom): Promise<CompiledContext> {
  const running =
    room.contexts.get(task.context_dir) ??
    compileContext(task.context_dir, { cache_dir: room.cacheDir, signal: room.cancel });
  room.contexts.set(task.context_dir, running);
  try {
    return await running;
  } catch (error) {
    room.contexts.delete(task.context_dir);
    if (room.cancel.aborted) throw error;
    throw new ContextError(`${task.context_dir}: ${error instanceof Error ? error.message : error}`);
  }
}
