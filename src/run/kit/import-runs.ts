import path from "node:path";
import { profileDigest } from "../../config/load-profile.js";
import { profileSchema } from "../../config/profile-schema.js";
import { UsageError } from "../../core/errors.js";
import { MAIN_ARM } from "../../core/identity.js";
import { naturalOrder } from "../../core/natural-order.js";
import type { Profile } from "../../core/profile.js";
import { type PlannedTask, type RunEnd, type RunStart, SCHEMA_VERSION } from "../../core/run-record.js";
import type { Suite, Task } from "../../core/task.js";
import { executeRun, type RunSurroundings } from "../execute-run.js";
import { inNewFolder } from "../log/new-folder.js";
import { plannedTrials, planTask } from "../plan.js";
import { versions } from "../provenance.js";
import { importedTrials } from "./imported-trials.js";
import { type KitRun, readKitRun } from "./kit-run.js";

export interface Import {
  /** Folders of runs of the starter kit, one a repeat. */
  readonly folders: readonly string[];
  /** Where the tasks are, and with them their golds; null: not known. */
  readonly suite: Suite | null;
  /** What the user says was asked; null: it is in no file of the kit. */
  readonly model: string | null;
  readonly run_id: string;
  /** Does not exist yet. */
  readonly runFolder: string;
  readonly argv: readonly string[];
}

export interface Imported {
  readonly end: RunEnd;
  readonly tasks: number;
  readonly runs: readonly KitRun[];
  /** What was amiss with the files and what was made of it. */
  readonly notes: readonly string[];
}

/**
 * Writes runs of the official starter kit of KDD Cup 2026 as one run of ours, a repeat each, scored where the tasks' golds are there. Nothing
 * is run, and no gold is copied. Throws UsageError where a folder is no such run or the run's folder exists.
 */
export async function importRuns(given: Import, surroundings: RunSurroundings): Promise<Imported> {
  const runs: KitRun[] = [];
  for (const folder of given.folders) runs.push(await readKitRun(folder));
  checkDistinct(runs);
  const ids = [...new Set(runs.flatMap(({ tasks }) => [...tasks.keys()]))].sort(naturalOrder);
  const known = new Map((given.suite?.tasks ?? []).map((task) => [task.task_id, task]));
  if (given.suite !== null && !ids.some((id) => known.has(id))) {
    throw new UsageError(`${given.suite.path}: has none of the run's tasks (${ids.slice(0, 5).join(", ")}, …)`);
  }
  const strange = given.suite === null ? [] : ids.filter((id) => !known.has(id));
  const notes = [
    ...runs.flatMap((run) => run.notes.map((note) => (runs.length === 1 ? note : `${run.run_id}: ${note}`))),
    ...strange.map((id) => `${id}: not among the tasks of ${given.suite?.path}: it stays unscored`),
  ];
  const tasks = ids.map((id) => known.get(id) ?? unknownTask(id, runs));
  const start = await importStart(given, runs, tasks, notes, surroundings);
  const open = plannedTrials(ids, [MAIN_ARM], runs.length)
    .filter(({ task_id, k }) => runs[k - 1]?.tasks.get(task_id)?.open === false)
    .map((identity) => ({ identity, attempt: 1 }));
  const end = await inNewFolder(given.runFolder, start, surroundings.clock, (state, log) =>
    executeRun(given.runFolder, state, tasks, open, log, surroundings, importedTrials(runs)),
  );
  return { end, tasks: ids.length, runs, notes };
}

/** The same run twice is no repeat: it would count as perfect agreement. */
function checkDistinct(runs: readonly KitRun[]): void {
  for (const [index, run] of runs.entries()) {
    const same = runs.slice(0, index).find(({ digest }) => digest === run.digest);
    if (same === undefined) continue;
    throw new UsageError(`${run.folder}: holds the same files as ${same.folder}: a run is no repeat of itself`);
  }
}

/** Where nobody says what the task is: there is no gold beside what a run wrote. */
function unknownTask(task_id: string, runs: readonly KitRun[]): Task {
  const holder = runs.find(({ tasks }) => tasks.has(task_id))?.folder ?? "";
  const folder = path.join(holder, task_id);
  const context_dir = path.join(folder, "context");
  return { task_id, question: "", difficulty: "unknown", tags: [], folder, context_dir, extra: {} };
}

async function importStart(
  { run_id, suite, model, argv }: Import,
  runs: readonly KitRun[],
  tasks: readonly Task[],
  notes: readonly string[],
  { clock }: RunSurroundings,
): Promise<RunStart> {
  const known = new Set(suite?.tasks);
  const planned: PlannedTask[] = [];
  for (const task of tasks) planned.push(known.has(task) ? await planTask(task) : unknownPlan(task));
  const profile = importedProfile(model, runs.length);
  return {
    record: "run-start",
    schema_version: SCHEMA_VERSION,
    run_id,
    at: clock.iso(),
    profile,
    arm_profiles: {},
    profile_digest: profileDigest(profile),
    suite: { name: suite?.name ?? "imported", path: suite?.path ?? path.dirname(runs[0]?.folder ?? "") },
    tasks: planned,
    shard: null,
    selection: null,
    arms: [MAIN_ARM],
    repeats: runs.length,
    seed: profile.seed,
    sandbox: { python: null, reason: "the trials ran elsewhere" },
    arm_sandboxes: {},
    git: null,
    versions: await versions(),
    argv,
    replay_of: null,
    additions: [],
    imported: {
      tool: KIT,
      runs: runs.map(({ run_id: id, folder, digest }) => ({ run_id: id, folder, digest })),
      notes,
    },
    claim_checks: [],
  };
}

const KIT = "kddcup2026-starter-kit";

function unknownPlan({ task_id, difficulty, tags }: Task): PlannedTask {
  return { task_id, difficulty, tags, input_digest: null, gold_digest: null };
}

/** All that is known of how the trials ran: by a program that was not ours. */
function importedProfile(model: string | null, repeats: number): Profile {
  return profileSchema.parse({
    name: "imported",
    model: { provider: "none", name: model ?? "not recorded", temperature: null },
    agent: { strategy: "command", command: { argv: [KIT] } },
    repeats,
  });
}
