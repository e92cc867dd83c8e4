import pLimit from "p-limit";
import { armsDigest } from "../config/load-profile.js";
import type { Arm, ClaimsConfig } from "../core/profile.js";
import { type PlannedTask, type RunEnd, type RunStart, SCHEMA_VERSION } from "../core/run-record.js";
import { dealt, type Shard } from "../core/shard.js";
import type { Suite, TaskSelection } from "../core/task.js";
import { findSandboxes, recordedSandboxes } from "./arm-sandboxes.js";
import { checkAdditions, describeAdditions } from "./check-additions.js";
import { executeRun, type RunSurroundings } from "./execute-run.js";
import { liveTrials } from "./live-trials.js";
import { inNewFolder } from "./log/new-folder.js";
import { openTrials } from "./open-trials.js";
import { planTask } from "./plan.js";
import { gitState, versions } from "./provenance.js";
import { deliveryChecks } from "./scores/claim-checks.js";

export interface NewRun {
  /** The whole plan, of which a shard takes its part. */
  readonly suite: Suite;
  readonly shard: Shard | null;
  /** How `suite` was taken from the tasks that are there. */
  readonly selection: TaskSelection;
  readonly arms: readonly [Arm, ...Arm[]];
  readonly run_id: string;
  /** Does not exist yet. */
  readonly runFolder: string;
  readonly argv: readonly string[];
}

/** Starts a run in a new folder and runs it to its end. Throws UsageError where the folder exists. */
export async function startRun(run: NewRun, surroundings: RunSurroundings): Promise<RunEnd> {
  const { runFolder, suite, shard } = run;
  checkAdditions(surroundings.additions);
  const start = await runStart(run, surroundings);
  return inNewFolder(runFolder, start, surroundings.clock, async (state, log) => {
    const open = await openTrials(runFolder, state, false);
    const tasks = shard === null ? suite.tasks : dealt(suite.tasks, shard);
    return await executeRun(runFolder, state, tasks, open, log, surroundings, liveTrials);
  });
}

/** Arms may differ in whether they check claims, not in the checks. */
function claimsOf(arms: readonly [Arm, ...Arm[]]): ClaimsConfig {
  return (arms.find(({ profile }) => profile.claims.mode !== "off") ?? arms[0]).profile.claims;
}

async function runStart(run: NewRun, surroundings: RunSurroundings): Promise<RunStart> {
  const limit = pLimit(4);
  const { arms, shard } = run;
  const [sandboxes, tasks] = await Promise.all([
    findSandboxes(new Map(arms.map(({ name, profile }) => [name, profile]))),
    Promise.all(run.suite.tasks.map((task): Promise<PlannedTask> => limit(() => planTask(task)))),
  ]);
  const [{ profile }] = arms;
  return {
    record: "run-start",
    schema_version: SCHEMA_VERSION,
    run_id: run.run_id,
    at: surroundings.clock.iso(),
    profile,
    arm_profiles: arms.length === 1 ? {} : Object.fromEntries(arms.map((arm) => [arm.name, arm.profile])),
    profile_digest: armsDigest(arms),
    suite: { name: run.suite.name, path: run.suite.path },
    tasks: shard === null ? tasks : dealt(tasks, shard),
    shard: shard === null ? null : { ...shard, tasks },
    selection: run.selection,
    arms: arms.map(({ name }) => name),
    repeats: profile.repeats,
    seed: profile.seed,
    ...recordedSandboxes(sandboxes),
    git: await gitState(run.suite.path),
    versions: await versions(),
    argv: run.argv,
    replay_of: null,
    additions: describeAdditions(surroundings.additions),
    imported: null,
    claim_checks: await deliveryChecks(claimsOf(arms)),
  };
}
