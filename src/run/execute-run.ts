import pLimit from "p-limit";
import { createQueryPool } from "../context/query-pool.js";
import type { Environment } from "../core/environment.js";
import type { TrialEventBody } from "../core/event.js";
import { formatIdentity, type TrialIdentity } from "../core/identity.js";
import { isValid } from "../core/outcome.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { Profile, ScoringConfig } from "../core/profile.js";
import { profileOf, type RunEnd, type ScoreRecord, type TrialEnd } from "../core/run-record.js";
import type { TrialState } from "../core/state.js";
import type { Task } from "../core/task.js";
import { createModels } from "../models/role-models.js";
import { candidateScores, type KnownCandidates } from "./candidate-scores.js";
import { runDeadline } from "./deadline.js";
import type { OpenTrial } from "./open-trials.js";
import type { RunLogWriter } from "./run-log.js";
import { ContextError, type RunRoom, runOne } from "./run-one.js";
import { type RunState, runCounts } from "./run-state.js";
import { scoreRecords } from "./score-records.js";
import { type TaskDomains, taskDomains } from "./task-domains.js";
import { trialEnd, unstartedTrialEnd } from "./trial-end.js";

/** What the surroundings give a run. */
export interface RunSurroundings {
  readonly env: Environment;
  readonly clock: Clock;
  /** Where compiled contexts are kept. */
  readonly cacheDir: string;
  /** Aborted by Ctrl-C: trials in flight are suspended, the others do not start. */
  readonly cancel: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
}

export type RunProgress =
  | { readonly kind: "planned"; readonly trials: number; readonly done: number }
  | { readonly kind: "trial-started"; readonly trial: TrialIdentity }
  | {
      readonly kind: "trial-event";
      readonly trial: TrialIdentity;
      readonly event: TrialEventBody;
      readonly state: TrialState;
    }
  | {
      readonly kind: "trial-ended";
      readonly trial: TrialIdentity;
      readonly end: TrialEnd;
      readonly scores: readonly ScoreRecord[];
    }
  | { readonly kind: "trial-suspended"; readonly trial: TrialIdentity };

/**
 * Runs what a run still lacks: trials without a trial-end, and scores that a kill left out. Appends to the run's log as it goes and
 * closes with a run-end, whose counts add up to the plan. Rejects on a bug or a full disk, after a run-end `failed` where that can
 * still be written.
 */
export async function executeRun(
  runFolder: string,
  run: RunState,
  tasks: readonly Task[],
  open: readonly OpenTrial[],
  log: RunLogWriter,
  surroundings: RunSurroundings,
): Promise<RunEnd> {
  const { clock } = surroundings;
  const failed = new AbortController();
  const cancel = AbortSignal.any([surroundings.cancel, failed.signal]);
  const pool = createQueryPool({});
  const deadline = runDeadline(run.start.profile, clock);
  const room: RunRoom = {
    runFolder,
    seed: run.start.seed,
    claimChecks: run.start.claim_checks,
    cacheDir: surroundings.cacheDir,
    pool,
    contexts: new Map(),
    clock,
    cancel,
    deadline,
  };
  const planned = run.start.tasks.length * run.start.arms.length * run.start.repeats;
  const ends = new Map(run.ends);
  const timeout_ms = run.start.profile.tools.query_timeout_seconds * 1000;
  const domains = taskDomains({ env: surroundings.env, cacheDir: surroundings.cacheDir, pool, timeout_ms });
  const profiles = new Map(run.start.arms.map((arm) => [arm, profileOf(run.start, arm)]));
  const models = createModels(profiles, surroundings.env, clock);
  const { scoring, concurrency } = run.start.profile;
  const stage = {
    room,
    profiles,
    models,
    scoring,
    concurrency,
    log,
    tasks: new Map(tasks.map((task) => [task.task_id, task])),
    ends,
    surroundings,
    domains,
  };
  surroundings.onProgress({ kind: "planned", trials: planned, done: planned - open.length });
  const close = async (status: RunEnd["status"], suspended: number): Promise<RunEnd> => {
    const counts = runCounts(planned, ends.values(), suspended);
    const end: RunEnd = { record: "run-end", at: clock.iso(), status, counts };
    await log.append(end);
    return end;
  };
  try {
    await scoreWhatIsUnscored(run, stage);
    const suspended = await runTrials(open, stage, failed);
    return await close(surroundings.cancel.aborted ? "interrupted" : "completed", suspended);
  } catch (error) {
    failed.abort(error);
    await close("failed", 0).catch(() => {});
    throw error;
  } finally {
    deadline.callOff();
    await pool.close();
  }
}

interface Stage {
  readonly room: RunRoom;
  /** By arm. */
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly models: ReadonlyMap<string, ChatModel>;
  /** What is the same in all arms. */
  readonly scoring: ScoringConfig;
  readonly concurrency: number;
  readonly log: RunLogWriter;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly ends: Map<string, TrialEnd>;
  readonly surroundings: RunSurroundings;
  readonly domains: TaskDomains;
}

/** Returns how many trials were suspended. The first that throws stops the others. */
async function runTrials(open: readonly OpenTrial[], stage: Stage, failed: AbortController): Promise<number> {
  const { cancel, deadline } = stage.room;
  const limit = pLimit(stage.concurrency);
  let left = open.length;
  let suspended = 0;
  const settled = await Promise.allSettled(
    open.map((trial) =>
      limit(async () => {
        const own = deadline.shareFor(ofArm(stage.profiles, trial.identity.arm), left);
        if (cancel.aborted || own === null) return;
        try {
          if (!(await runToEnd(trial, own, stage))) suspended++;
        } catch (error) {
          failed.abort(error);
          throw error;
        } finally {
          left--;
        }
      }),
    ),
  );
  for (const one of settled) if (one.status === "rejected") throw one.reason;
  return suspended;
}

function ofArm<Value>(values: ReadonlyMap<string, Value>, arm: string): Value {
  const value = values.get(arm);
  if (value === undefined) throw new Error(`the run has no arm ${arm}`);
  return value;
}

/** False where the trial was suspended. */
async function runToEnd({ identity, attempt }: OpenTrial, profile: Profile, stage: Stage): Promise<boolean> {
  const { room, log, surroundings } = stage;
  const task = stage.tasks.get(identity.task_id);
  if (task === undefined) throw new Error(`the plan has ${identity.task_id}, the suite has not`);
  surroundings.onProgress({ kind: "trial-started", trial: identity });
  let end: TrialEnd;
  try {
    const state = await runOne(
      task,
      identity,
      attempt,
      { ...room, profile, model: ofArm(stage.models, identity.arm) },
      (now, event) => surroundings.onProgress({ kind: "trial-event", trial: identity, event, state: now }),
    );
    if (state.phase !== "finished") {
      surroundings.onProgress({ kind: "trial-suspended", trial: identity });
      return false;
    }
    end = trialEnd(identity, attempt, room.clock.iso(), state);
  } catch (error) {
    if (!(error instanceof ContextError)) {
      if (room.cancel.aborted) return false;
      throw error;
    }
    const outcome = { kind: "infra-error", class: "context", message: error.message } as const;
    end = unstartedTrialEnd(identity, attempt, room.clock.iso(), outcome);
  }
  await log.append(end);
  stage.ends.set(formatIdentity(identity), end);
  const scores = await appendScores(end, task, stage, stage.scoring.scorers);
  await appendCandidateScores(end, task, stage);
  surroundings.onProgress({ kind: "trial-ended", trial: identity, end, scores });
  return true;
}

async function appendScores(
  end: TrialEnd,
  task: Task,
  stage: Stage,
  scorers: readonly string[],
): Promise<ScoreRecord[]> {
  if (!isValid(end.outcome) || scorers.length === 0) return [];
  const { runFolder, clock } = stage.room;
  const scores = await scoreRecords(end, task, stage.scoring, scorers, runFolder, clock, stage.domains(task));
  for (const score of scores) await stage.log.append(score);
  return scores;
}

async function appendCandidateScores(end: TrialEnd, task: Task, stage: Stage, known?: KnownCandidates): Promise<void> {
  const { runFolder, clock } = stage.room;
  const place = { task, scoring: stage.scoring, runFolder, clock, domains: stage.domains(task) };
  for (const score of await candidateScores(end, place, known)) await stage.log.append(score);
}

async function scoreWhatIsUnscored(run: RunState, stage: Stage): Promise<void> {
  for (const [key, end] of run.ends) {
    const task = stage.tasks.get(end.task_id);
    const missing = stage.scoring.scorers.filter((scorer) => !run.scores.get(key)?.has(scorer));
    if (task === undefined) continue;
    await appendScores(end, task, stage, missing);
    await appendCandidateScores(end, task, stage, run.candidateScores.get(key));
  }
}
