import path from "node:path";
import { profileDigest } from "../config/load-profile.js";
import { isSelected } from "../config/select-tasks.js";
import { changedKeys } from "../core/changed-keys.js";
import { UsageError } from "../core/errors.js";
import type { PersonSays } from "../core/event-plan.js";
import { formatIdentity, shortIdentity, type TrialIdentity } from "../core/identity.js";
import type { SandboxFound } from "../core/ports/sandbox.js";
import type { Arm } from "../core/profile.js";
import { fold } from "../core/reduce.js";
import { profileOf, type RunEnd, type RunResume, type RunStart, sandboxOf, withAdded } from "../core/run-record.js";
import type { Suite, Task } from "../core/task.js";
import { type Scorer, scorerVersion } from "../score/scorer.js";
import { changedSandboxes, findSandboxes, recordedSandboxes } from "./arm-sandboxes.js";
import { changedAdditions } from "./check-additions.js";
import { executeRun, type RunSurroundings } from "./execute-run.js";
import { liveTrials } from "./live-trials.js";
import { attemptFolder, runLogFile } from "./log/run-folder.js";
import { lockRun } from "./log/run-lock.js";
import { openRunLog, readRunLog } from "./log/run-log.js";
import { readEvents } from "./log/trial-log.js";
import { type OpenTrial, openTrials } from "./open-trials.js";
import { planTask } from "./plan.js";
import { type RunState, readRunState } from "./run-state.js";

export interface Resumption {
  readonly runFolder: string;
  /** The suite as it is now. */
  readonly suite: Suite;
  /** Those of the profile that the caller names; null: the run's own. */
  readonly arms: readonly Arm[] | null;
  /** Go on in spite of differences, and record them. */
  readonly force: boolean;
  /** Try infra-errors again, each as a new attempt. */
  readonly retryFailed: boolean;
  /** What a person says to a trial that waits for it; null: nothing. */
  readonly decision: { readonly trial: TrialIdentity; readonly says: PersonSays } | null;
  readonly argv: readonly string[];
  readonly onWarning: (message: string) => void;
}

/**
 * Continues a run: trials that are open go on from their events, missing ones run, also those of tasks that joined the suite; nothing else
 * is touched. A complete run is left as it is. Throws UsageError where profile, tasks or scorers differ from those of the run, naming what changed.
 */
export async function resumeRun(resumption: Resumption, surroundings: RunSurroundings): Promise<RunEnd> {
  const unlock = await lockRun(resumption.runFolder, surroundings.clock.iso());
  try {
    return await resumeLocked(resumption, surroundings);
  } finally {
    await unlock();
  }
}

async function resumeLocked(resumption: Resumption, surroundings: RunSurroundings): Promise<RunEnd> {
  const { runFolder } = resumption;
  const run = await readRunState(readRunLog(runLogFile(runFolder), resumption.onWarning));
  if (run.start.replay_of !== null) {
    throw new UsageError(
      `${runFolder}: a replay of ${run.start.replay_of.run_id} is not continued: replay that run again, it costs nothing`,
    );
  }
  if (run.start.imported !== null) {
    throw new UsageError(`${runFolder}: was imported and is not continued: import it again`);
  }
  const { suite, argv } = resumption;
  const joined = joinedTasks(run.start, suite);
  const resume: RunResume = {
    record: "run-resume",
    at: surroundings.clock.iso(),
    forced: [],
    added: await Promise.all(joined.map(planTask)),
    argv,
  };
  const start = withAdded(run.start, resume);
  const open = await openTrials(runFolder, { ...run, start }, resumption.retryFailed);
  if (resumption.decision !== null) await requirePaused(runFolder, resumption.decision.trial, open);
  const sandboxes = await sandboxesToday(start, open);
  const differences = [
    ...(await changes(run, resumption.arms, suite, surroundings.additions.scorers)),
    ...changedSandboxes(start, sandboxes),
    ...changedAdditions(start.additions, surroundings.additions),
  ];
  if (differences.length > 0 && !resumption.force) {
    throw new UsageError([
      ...differences.map((difference) => `${runFolder}: ${difference}`),
      "the run cannot be continued as it was: start a new one, or pass --force to go on and have the difference recorded",
    ]);
  }
  if (run.end?.status === "completed" && open.length === 0) return run.end;
  if (joined.length > 0) resumption.onWarning(joinedSentence(joined, suite));
  const log = openRunLog(runFolder);
  try {
    await log.append({ ...resume, forced: differences });
    const now = { ...run, start: { ...start, ...recordedSandboxes(sandboxes) } };
    const here = new Set(suite.tasks.map(({ task_id }) => task_id));
    // A task that is gone can only be gone on without (--force): what it lacks stays not run.
    const runnable = open.filter(({ identity }) => here.has(identity.task_id)).map((one) => heard(one, resumption));
    return await executeRun(runFolder, now, suite.tasks, runnable, log, surroundings, liveTrials);
  } finally {
    await log.close();
  }
}

/**
 * Tasks that the suite has now, the plan has not, and the run's selection would have taken. None where the plan is a fixed part of the
 * suite: a shard, a limit, or a log that does not say what was selected.
 */
function joinedTasks({ tasks, selection, shard }: RunStart, suite: Suite): Task[] {
  if (selection === null || selection.limit !== null || shard !== null) return [];
  const planned = new Set(tasks.map(({ task_id }) => task_id));
  return suite.tasks.filter(isSelected(selection)).filter(({ task_id }) => !planned.has(task_id));
}

function joinedSentence(joined: readonly Task[], suite: Suite): string {
  const names = joined.slice(0, 5).map(({ task_id }) => task_id);
  const more = joined.length > names.length ? `, … (${joined.length} in all)` : "";
  return `new in ${suite.path} since the run was planned, and run too: ${names.join(", ")}${more}`;
}

/** The trial with what is said to it. */
function heard(trial: OpenTrial, { decision }: Resumption): OpenTrial {
  const isMeant = decision !== null && formatIdentity(trial.identity) === formatIdentity(decision.trial);
  return isMeant ? { ...trial, says: decision.says } : trial;
}

/** Throws UsageError where the trial does not wait for a person. */
async function requirePaused(runFolder: string, trial: TrialIdentity, open: readonly OpenTrial[]): Promise<void> {
  const found = open.find(({ identity }) => formatIdentity(identity) === formatIdentity(trial));
  const file = found && path.join(attemptFolder(runFolder, found.identity, found.attempt), "events.jsonl");
  const state = file === undefined ? null : fold(await readEvents(file));
  if (state?.plan_work.paused === undefined || state.plan_work.paused === null) {
    throw new UsageError(`${shortIdentity(trial)}: not a trial of ${runFolder} that waits for a person`);
  }
}

/** By arm; where nothing is left to run, those of the run. */
async function sandboxesToday(start: RunStart, open: readonly unknown[]): Promise<ReadonlyMap<string, SandboxFound>> {
  if (open.length === 0) return new Map(start.arms.map((arm) => [arm, sandboxOf(start, arm)]));
  return findSandboxes(new Map(start.arms.map((arm) => [arm, profileOf(start, arm)])));
}

async function changes(
  run: RunState,
  arms: readonly Arm[] | null,
  suite: Suite,
  own: readonly Scorer[],
): Promise<string[]> {
  const found = arms === null ? [] : changedArms(run.start, arms);
  const now = new Map(suite.tasks.map((task) => [task.task_id, task]));
  for (const before of run.start.tasks) {
    const task = now.get(before.task_id);
    if (task === undefined) {
      found.push(`task ${before.task_id} is gone from ${suite.path}`);
      continue;
    }
    const after = await planTask(task);
    if (after.input_digest !== before.input_digest) found.push(`the input of task ${before.task_id} changed`);
    if (after.gold_digest !== before.gold_digest) found.push(`gold or checks of task ${before.task_id} changed`);
  }
  return [...found, ...changedScorers(run, own)];
}

/** Arms that the profile has and the run has not are no difference: a run may be of some of them. */
function changedArms(start: RunStart, arms: readonly Arm[]): string[] {
  return start.arms.flatMap((name) => {
    const now = arms.find((arm) => arm.name === name);
    if (now === undefined)
      return [`the profile has no arm ${name}: its arms are ${arms.map((arm) => arm.name).join(", ")}`];
    const before = profileOf(start, name);
    if (profileDigest(now.profile) === profileDigest(before)) return [];
    const where = start.arms.length > 1 ? ` of arm ${name}` : "";
    return [
      `the profile${where} changed: ${changedKeys(before, now.profile)
        .map(({ key }) => key)
        .join(", ")}`,
    ];
  });
}

function changedScorers(run: RunState, own: readonly Scorer[]): string[] {
  const versions = new Map<string, string>();
  for (const scores of run.scores.values()) {
    for (const [scorer, { scorer_version }] of scores) versions.set(scorer, scorer_version);
  }
  const versionNow = (name: string) => scorerVersion(name) ?? own.find((scorer) => scorer.name === name)?.version;
  return [...versions]
    .filter(([scorer, version]) => versionNow(scorer) !== version)
    .map(([scorer, version]) => `scorer ${scorer} is version ${versionNow(scorer) ?? "unknown"} now, was ${version}`);
}
