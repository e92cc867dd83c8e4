import path from "node:path";
import { loadProfile } from "../config/load-profile.js";
import { loadSuite } from "../config/load-suite.js";
import { selectTasks } from "../config/select-tasks.js";
import { UsageError } from "../core/errors.js";
import { isSafeName } from "../core/identity.js";
import type { Profile } from "../core/profile.js";
import type { Suite } from "../core/task.js";
import { checkModels } from "../models/role-models.js";
import { bytes } from "../report/numbers.js";
import { EXIT } from "./exit.js";
import { folderSize } from "./folder-size.js";
import { rate, wholeNumber } from "./option-values.js";
import { progressReporter } from "./progress.js";
import { cacheFolder, newRunId, onInterrupt, systemClock } from "./surroundings.js";

interface RunOptions {
  readonly profile?: string;
  readonly repeats?: string;
  readonly only: readonly string[];
  readonly tag: readonly string[];
  readonly limit?: string;
  readonly shard?: string;
  readonly concurrency?: string;
  readonly seed?: string;
  readonly set: readonly string[];
  readonly out: string;
  readonly runId?: string;
  readonly cacheDir?: string;
  readonly dryRun?: boolean;
  readonly minPass?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `daw-eval run`. Everything that can be wrong with the call is found before anything is created. */
export async function run(tasks: string, options: RunOptions): Promise<number> {
  const profile = await loadProfile({
    file: options.profile ?? null,
    overrides: [...options.set, ...shorthands(options)],
    env: process.env,
  });
  const suite = selectTasks(await loadSuite(tasks), {
    only: options.only,
    tags: options.tag,
    limit: options.limit === undefined ? null : wholeNumber("--limit", options.limit, 1),
    shard: options.shard === undefined ? null : shard(options.shard),
  });
  checkModels(profile, process.env);
  const runId = options.runId ?? newRunId(suite.name, new Date());
  if (!isSafeName(runId))
    throw new UsageError(`--run-id "${runId}": a run id is a folder name of letters, digits, ".", "_" and "-"`);
  if (options.dryRun === true) return await printPlan(suite, profile, runId);

  // The engine is loaded after everything that a person may have to mend was said.
  const [{ startRun }, { finishRun }] = await Promise.all([import("../run/start-run.js"), import("./finish-run.js")]);
  const runFolder = path.resolve(options.out, runId);
  const shown = path.relative(process.cwd(), runFolder) || runFolder;
  const interrupt = onInterrupt(() =>
    process.stderr.write("\nstopping: trials in flight are being suspended (again to quit at once)\n"),
  );
  const progress = progressReporter(profile, process.stderr, options.quiet === true);
  if (options.quiet !== true) process.stderr.write(`${suite.tasks.length} tasks × ${profile.repeats} → ${shown}\n`);
  try {
    const end = await startRun(
      { suite, profile, run_id: runId, runFolder, argv: process.argv.slice(2) },
      {
        env: process.env,
        clock: systemClock,
        cacheDir: cacheFolder(options.cacheDir),
        cancel: interrupt.signal,
        onProgress: progress.onProgress,
      },
    );
    progress.end();
    return await finishRun(end, runFolder, shown, profile, options.json === true);
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
  if (options.minPass !== undefined) found.push(`gate.min_pass=${rate("--min-pass", options.minPass)}`);
  return found;
}

function shard(text: string): { index: number; count: number } {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const parsed = { index: Number(index), count: Number(count) };
  if (index === undefined || parsed.index < 1 || parsed.index > parsed.count) {
    throw new UsageError(`--shard ${text}: give i/n with 1 ≤ i ≤ n, e.g. 1/4`);
  }
  return parsed;
}

async function printPlan(suite: Suite, profile: Profile, runId: string): Promise<number> {
  const trials = suite.tasks.length * profile.repeats;
  const sizes = await Promise.all(suite.tasks.map((task) => folderSize(task.context_dir)));
  const lines = [
    `run ${runId}: ${suite.tasks.length} tasks × ${profile.repeats} = ${trials} trials, ${profile.concurrency} at once`,
    `data: ${bytes(sizes.reduce((sum, size) => sum + size, 0))}`,
    `model ${profile.model.provider}/${profile.model.name}, at most ${profile.agent.max_steps} steps and ${profile.limits.seconds} s a trial`,
    costLine(profile, trials),
    ...suite.tasks.map((task, index) => `  ${task.task_id}  ${task.difficulty}  ${bytes(sizes[index] ?? 0)}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return EXIT.fine;
}

/** Rough on purpose, and says so: what a trial of 8 steps with a growing conversation of about 6,000 tokens a step would cost. */
function costLine(profile: Profile, trials: number): string {
  if (profile.model.provider === "lexical") return "cost: none (embedded model)";
  const { price } = profile.model;
  if (price === null) return "cost: unknown (the profile has no model.price)";
  const perTrial = (8 * 6000 * price.input + 8 * 300 * price.output) / 1e6;
  const most =
    profile.limits.cost_usd === null
      ? ""
      : `, at most $${(profile.limits.cost_usd * trials).toFixed(2)} by limits.cost_usd`;
  return `cost: about $${(perTrial * trials).toFixed(2)} if a trial takes 8 steps of 6,000 input and 300 output tokens${most}`;
}
