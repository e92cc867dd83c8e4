import path from "node:path";
import { loadArms } from "../config/load-profile.js";
import { loadSuite } from "../config/load-suite.js";
import { selectArms } from "../config/select-arms.js";
import { selectTasks } from "../config/select-tasks.js";
import { UsageError } from "../core/errors.js";
import { isSafeName } from "../core/identity.js";
import type { Arm, Profile } from "../core/profile.js";
import type { RunEnd } from "../core/run-record.js";
import { dealt, type Shard } from "../core/shard.js";
import { checkModels } from "../models/role-models.js";
import { counted } from "../report/numbers.js";
import { refuseBadChecks } from "../score/refuse-bad-checks.js";
import { EXIT } from "./exit.js";
import { rate, wholeNumber } from "./option-values.js";
import { type PausedTrial, pausedTrials } from "./paused-trials.js";
import { printPlan } from "./print-plan.js";
import { progressKind, progressReporter } from "./progress.js";
import { keepHeapSmall } from "./small-heap.js";
import { newRunId, onInterrupt, runSurroundings } from "./surroundings.js";

interface RunOptions {
  readonly profile?: string;
  readonly repeats?: string;
  readonly only: readonly string[];
  readonly tag: readonly string[];
  readonly limit?: string;
  readonly shard?: string;
  readonly arm: readonly string[];
  readonly concurrency?: string;
  readonly seed?: string;
  readonly set: readonly string[];
  readonly out: string;
  readonly runId?: string;
  readonly cacheDir?: string;
  readonly dryRun?: boolean;
  readonly minPass?: string;
  readonly pause?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly progress?: boolean;
}

/** `daw-eval run`. */
export async function run(tasks: string, options: RunOptions): Promise<number> {
  keepHeapSmall();
  const ran = await runTasks(tasks, options);
  if (ran === null) return EXIT.fine;
  const { finishRun } = await import("./finish-run.js");
  return await finishRun(ran.end, ran.runFolder, ran.shown, ran.profile, ran.paused, options);
}

interface Ran {
  readonly end: RunEnd;
  readonly runFolder: string;
  /** The folder as a person would type it. */
  readonly shown: string;
  readonly profile: Profile;
  readonly paused: readonly PausedTrial[];
}

/**
 * Null for a dry run. Everything that can be wrong with the call is found before anything is created. A function of its own, so that the
 * tasks are gone from memory when the report is made.
 */
async function runTasks(tasks: string, options: RunOptions): Promise<Ran | null> {
  const profiles = await loadArms({
    file: options.profile ?? null,
    overrides: [...options.set, ...shorthands(options)],
    env: process.env,
  });
  const arms = selectArms(profiles, options.arm);
  const [{ profile }] = arms;
  const selection = {
    only: options.only,
    tags: options.tag,
    limit: options.limit === undefined ? null : wholeNumber("--limit", options.limit, 1),
  };
  const suite = selectTasks(await loadSuite(tasks), selection);
  const shard = options.shard === undefined ? null : shardOf(options.shard, suite.tasks.length);
  for (const arm of arms) checkModels(arm.profile, process.env);
  await refuseBadChecks(suite.tasks);
  const runId = options.runId ?? newRunId(suite.name, new Date());
  if (!isSafeName(runId))
    throw new UsageError(`--run-id "${runId}": a run id is a folder name of letters, digits, ".", "_" and "-"`);
  if (options.dryRun === true) {
    await printPlan(suite, arms, shard, runId);
    return null;
  }

  // The engine is loaded after everything that a person may have to mend was said.
  const { startRun } = await import("../run/start-run.js");
  const runFolder = path.resolve(options.out, runId);
  const shown = path.relative(process.cwd(), runFolder) || runFolder;
  const progress = progressReporter(profile, process.stderr, progressKind(options));
  const paused = pausedTrials();
  const interrupt = onInterrupt(() =>
    progress.warn("stopping: trials in flight are being suspended (again to quit at once)"),
  );
  if (options.quiet !== true) process.stderr.write(`${size(suite.tasks, arms, shard)} → ${shown}\n`);
  try {
    const end = await startRun(
      { suite, shard, selection, arms, run_id: runId, runFolder, argv: process.argv.slice(2) },
      runSurroundings(options.cacheDir, interrupt.signal, (one) => {
        paused.note(one);
        progress.onProgress(one);
      }),
    );
    return { end, runFolder, shown, profile, paused: paused.found };
  } finally {
    progress.end();
    interrupt.release();
  }
}

/** Flags that stand for keys of the profile. */
function shorthands(options: RunOptions): string[] {
  const found: string[] = [];
  if (options.repeats !== undefined) found.push(`repeats=${wholeNumber("-n", options.repeats, 1)}`);
  if (options.concurrency !== undefined)
    found.push(`concurrency=${wholeNumber("--concurrency", options.concurrency, 1)}`);
  if (options.seed !== undefined) found.push(`seed=${wholeNumber("--seed", options.seed, 0)}`);
  if (options.pause !== undefined) found.push(`pause=[${options.pause}]`);
  if (options.minPass !== undefined) found.push(`gate.min_pass=${rate("--min-pass", options.minPass)}`);
  return found;
}

/** `12 tasks × 3`, `6 of 12 tasks × 3 × 2 arms`. */
function size(tasks: readonly unknown[], arms: readonly [Arm, ...Arm[]], shard: Shard | null): string {
  const own = shard === null ? "" : `${dealt(tasks, shard).length} of `;
  const times = arms.length === 1 ? "" : ` × ${arms.length} arms`;
  return `${own}${counted(tasks.length, "task")} × ${arms[0].profile.repeats}${times}`;
}

function shardOf(text: string, tasks: number): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index === undefined || shard.index < 1 || shard.index > shard.count) {
    throw new UsageError(`--shard ${text}: give i/n with 1 ≤ i ≤ n, e.g. 1/4`);
  }
  if (shard.index > tasks) throw new UsageError(`no task is left of ${tasks} for --shard ${text}`);
  return shard;
}
