import { setMaxListeners } from "node:events";
import { createQueryPool } from "../context/query-pool.js";
import type { Environment } from "../core/environment.js";
import type { TrialEventBody } from "../core/event.js";
import type { PausePoint } from "../core/event-plan.js";
import type { TrialIdentity } from "../core/identity.js";
import { isValid } from "../core/outcome.js";
import type { Clock } from "../core/ports/clock.js";
import type { SandboxFound } from "../core/ports/sandbox.js";
import type { Profile } from "../core/profile.js";
import {
  profileOf,
  type RunEnd,
  type RunStart,
  type ScoreRecord,
  sandboxOf,
  type TrialEnd,
} from "../core/run-record.js";
import type { TrialState } from "../core/state.js";
import type { Task } from "../core/task.js";
import type { Additions } from "./additions.js";
import { type Deadline, runDeadline } from "./deadline.js";
import type { RunLogWriter } from "./log/run-log.js";
import type { OpenTrial } from "./open-trials.js";
import { endedTrial, type RunState } from "./run-state.js";
import { appendScores, appendUnscored, type ScoreRoom } from "./scores/append-scores.js";
import { ContextError } from "./task-data.js";
import { taskDomains } from "./task-domains.js";
import { type TrialCounts, trialCounts } from "./trial-counts.js";
import { trialEnd, unstartedTrialEnd } from "./trial-end.js";
import type { OpenRunner, TrialRequest, TrialRunner } from "./trial-runner.js";

/** What the surroundings give a run. */
export interface RunSurroundings {
  readonly env: Environment;
  readonly clock: Clock;
  /** Where compiled contexts are kept. */
  readonly cacheDir: string;
  /** Aborted by Ctrl-C: trials in flight are suspended, the others do not start. */
  readonly cancel: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
  /** Of the program that runs it. */
  readonly additions: Additions;
  /** Of the run's time (`limits.run_seconds`): what is over already. None unless given: a run that a person continues has its time again. */
  readonly spent_ms?: number;
}

export type RunProgress =
  | { readonly kind: "sandbox-found"; readonly found: SandboxFound }
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
  /** `pause`: it waits for a person there; null: it was cancelled. */
  | { readonly kind: "trial-suspended"; readonly trial: TrialIdentity; readonly pause: PausePoint | null };

/**
 * Runs what a run still lacks: trials without a trial-end, and scores that a kill left out. Appends to the run's log as it goes and
 * closes with a run-end, whose counts add up to the plan. Rejects on a bug or a full disk, after a run-end `failed` where that can
 * still be written. Holds nothing of a trial that has ended but its count.
 */
export async function executeRun(
  runFolder: string,
  run: RunState,
  tasks: readonly Task[],
  open: readonly OpenTrial[],
  log: RunLogWriter,
  surroundings: RunSurroundings,
  openRunner: OpenRunner,
): Promise<RunEnd> {
  const { clock, env, cacheDir, onProgress, additions } = surroundings;
  const { start } = run;
  const { profile } = start;
  const failed = new AbortController();
  const cancel = AbortSignal.any([surroundings.cancel, failed.signal]);
  const pool = createQueryPool({});
  const deadline = runDeadline(profile, clock, surroundings.spent_ms ?? 0);
  // Every trial in flight listens to both.
  setMaxListeners(0, cancel, deadline.signal);
  const planned = start.tasks.length * start.arms.length * start.repeats;
  const timeout_ms = profile.tools.query_timeout_seconds * 1000;
  const domains = taskDomains({ env, cacheDir, pool, timeout_ms });
  const runner = openRunner({
    ...{ runFolder, start, env, cacheDir, pool, clock, cancel, additions },
    deadline: deadline.signal,
  });
  const stage: Stage = {
    start,
    runner,
    deadline,
    clock,
    cancel,
    scores: { runFolder, scoring: profile.scoring, log, clock, domains, own: additions.scorers },
    tasks: new Map(tasks.map((task) => [task.task_id, task])),
    trials: trialCounts(planned, run.ends.values()),
    onProgress,
  };
  for (const found of new Set(start.arms.map((arm) => sandboxOf(start, arm)))) {
    onProgress({ kind: "sandbox-found", found });
  }
  onProgress({ kind: "planned", trials: planned, done: planned - open.length });
  const close = async (status: RunEnd["status"]): Promise<RunEnd> => {
    const end: RunEnd = { record: "run-end", at: clock.iso(), status, counts: stage.trials.counts() };
    await log.append(end);
    return end;
  };
  try {
    await appendUnscored(run, stage.tasks, stage.scores);
    await runTrials(open, stage, failed);
    return await close(surroundings.cancel.aborted ? "interrupted" : "completed");
  } catch (error) {
    failed.abort(error);
    await close("failed").catch(() => {});
    throw error;
  } finally {
    deadline.callOff();
    await Promise.all([pool.close(), runner.close()]);
  }
}

interface Stage {
  readonly start: RunStart;
  readonly runner: TrialRunner;
  readonly deadline: Deadline;
  readonly clock: Clock;
  readonly cancel: AbortSignal;
  readonly scores: ScoreRoom;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly trials: TrialCounts;
  readonly onProgress: RunSurroundings["onProgress"];
}

/** As many at once as the profile says, in the plan's order. The first that throws stops the others. */
async function runTrials(open: readonly OpenTrial[], stage: Stage, failed: AbortController): Promise<void> {
  const { cancel, deadline, start } = stage;
  const queue = open.values();
  let left = open.length;
  const takeTurns = async () => {
    for (const trial of queue) {
      const own = deadline.shareFor(profileOf(start, trial.identity.arm), left);
      if (cancel.aborted || own === null) return;
      await runToEnd(trial, own, stage);
      left--;
    }
  };
  const settled = await Promise.allSettled(
    Array.from({ length: Math.min(start.profile.concurrency, open.length) }, () =>
      takeTurns().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  for (const one of settled) if (one.status === "rejected") throw one.reason;
}

async function runToEnd(trial: OpenTrial, profile: Profile, stage: Stage): Promise<void> {
  const { scores, trials, onProgress } = stage;
  const { identity, attempt } = trial;
  const task = stage.tasks.get(identity.task_id);
  if (task === undefined) throw new Error(`the plan has ${identity.task_id}, the suite has not`);
  onProgress({ kind: "trial-started", trial: identity });
  const end = await endOf({ ...trial, task, profile }, stage);
  if ("pause" in end) {
    trials.suspended(attempt);
    return onProgress({ kind: "trial-suspended", trial: identity, pause: end.pause });
  }
  const [, appended] = await Promise.all([
    scores.log.append(end),
    isValid(end.outcome) ? appendScores(endedTrial(end), task, scores) : [],
  ]);
  trials.ended(attempt, end.outcome);
  onProgress({ kind: "trial-ended", trial: identity, end, scores: appended });
}

/** A trial that was suspended has no end yet. */
interface Suspended {
  readonly pause: PausePoint | null;
}

async function endOf(
  trial: Omit<TrialRequest, "onState">,
  { runner, clock, cancel, onProgress }: Stage,
): Promise<TrialEnd | Suspended> {
  const { identity, attempt } = trial;
  try {
    const state = await runner.run({
      ...trial,
      onState: (now, event) => onProgress({ kind: "trial-event", trial: identity, event, state: now }),
    });
    if (state.phase !== "finished") return { pause: state.plan_work.paused };
    return trialEnd(identity, attempt, clock.iso(), state);
  } catch (error) {
    if (error instanceof ContextError) {
      const outcome = { kind: "infra-error", class: "context", message: error.message } as const;
      return unstartedTrialEnd(identity, attempt, clock.iso(), outcome);
    }
    if (cancel.aborted) return { pause: null };
    throw error;
  }
}
