import { formatIdentity, shortIdentity } from "../core/identity.js";
import type { Profile } from "../core/profile.js";
import type { TrialEnd } from "../core/run-record.js";
import { tokensOf } from "../core/totals.js";
import type { LiveTrial } from "../report/live-lines.js";
import { isPass } from "../report/task-summary.js";
import type { RunProgress } from "../run/execute-run.js";
import { activityOf } from "./activity.js";

/** What there is to say of a run while it goes on. Changed in place by `count`; holds nothing of a trial that has ended but sums. */
export interface Tally {
  trials: number;
  done: number;
  suspended: number;
  infra: number;
  tokens: number;
  cost: number | null;
  /** Work time of the trials that ended in this process, for the estimate of what is left. */
  wallMs: number;
  ended: number;
  /** By written identity, in the order in which they started. */
  readonly running: Map<string, RunningTrial>;
  /** Tasks of which some repeats are scored. */
  readonly begun: Map<string, { readonly passes: number; readonly valid: number }>;
  /** Tasks of which all are. */
  readonly classes: { solid: number; flaky: number; broken: number };
}

interface RunningTrial extends Omit<LiveTrial, "seconds"> {
  readonly startedMs: number;
  readonly tokens: number;
  readonly cost: number | null;
}

export type EndedTrial = Extract<RunProgress, { kind: "trial-ended" }>;

export function emptyTally(): Tally {
  return {
    trials: 0,
    done: 0,
    suspended: 0,
    infra: 0,
    tokens: 0,
    cost: null,
    wallMs: 0,
    ended: 0,
    running: new Map(),
    begun: new Map(),
    classes: { solid: 0, flaky: 0, broken: 0 },
  };
}

/** Adds what was told of a run; `now` in milliseconds. */
export function count(tally: Tally, progress: RunProgress, profile: Profile, now: number): void {
  switch (progress.kind) {
    case "sandbox-found":
      return;
    case "planned":
      tally.trials = progress.trials;
      tally.done = progress.done;
      return;
    case "trial-started":
      tally.running.set(formatIdentity(progress.trial), {
        name: shortIdentity(progress.trial),
        step: 0,
        doing: "reading the data",
        startedMs: now,
        tokens: 0,
        cost: null,
      });
      return;
    case "trial-event":
      countEvent(tally, progress);
      return;
    case "trial-suspended":
      tally.running.delete(formatIdentity(progress.trial));
      tally.suspended++;
      return;
    case "trial-ended":
      tally.running.delete(formatIdentity(progress.trial));
      tally.done++;
      countEnd(tally, progress.end);
      countPass(tally, progress, profile);
      return;
  }
}

function countEvent(tally: Tally, { trial, event, state }: Extract<RunProgress, { kind: "trial-event" }>): void {
  const key = formatIdentity(trial);
  const running = tally.running.get(key);
  if (running === undefined) return;
  tally.running.set(key, {
    ...running,
    step: state.step,
    doing: activityOf(event, state),
    tokens: Object.values(state.totals.usage).reduce((sum, row) => sum + tokensOf(row), 0),
    cost: state.totals.cost_usd,
  });
}

function countEnd(tally: Tally, end: TrialEnd): void {
  tally.ended++;
  tally.wallMs += end.wall_ms;
  if (end.outcome.kind === "infra-error") tally.infra++;
  for (const row of end.usage) tally.tokens += tokensOf(row);
  if (end.cost_usd !== null) tally.cost = (tally.cost ?? 0) + end.cost_usd;
}

/** Null where the primary scorer did not score the trial. */
export function passed({ scores }: EndedTrial, { scoring }: Profile): boolean | null {
  const primary = scores.find((score) => score.scorer === scoring.primary);
  if (primary === undefined || primary.value === null) return null;
  return isPass(primary, scoring.pass_min_score) && !scores.some(({ details }) => details.gate_failed === true);
}

function countPass(tally: Tally, progress: EndedTrial, profile: Profile): void {
  const pass = passed(progress, profile);
  if (pass === null) return;
  const key = `${progress.trial.task_id}@${progress.trial.arm}`;
  const before = tally.begun.get(key) ?? { passes: 0, valid: 0 };
  const task = { passes: before.passes + (pass ? 1 : 0), valid: before.valid + 1 };
  if (task.valid < profile.repeats) {
    tally.begun.set(key, task);
    return;
  }
  tally.begun.delete(key);
  tally.classes[task.passes === task.valid ? "solid" : task.passes === 0 ? "broken" : "flaky"]++;
}
