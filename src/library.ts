import path from "node:path";
import { cacheFolder, newRunId, runSurroundings, systemClock } from "./cli/surroundings.js";
import { loadArms } from "./config/load-profile.js";
import { loadSuite } from "./config/load-suite.js";
import { selectTasks } from "./config/select-tasks.js";
import type { Environment } from "./core/environment.js";
import type { RunEnd } from "./core/run-record.js";
import { checkModels } from "./models/role-models.js";
import { type RunSummary, summariseRun } from "./report/summary.js";
import type { Additions } from "./run/additions.js";
import { checkAdditions } from "./run/check-additions.js";
import type { RunSurroundings } from "./run/execute-run.js";
import { runLogFile } from "./run/log/run-folder.js";
import { readRunLog, readRunStart } from "./run/log/run-log.js";
import { resumeRun } from "./run/resume-run.js";
import { rescoreRun } from "./run/scores/rescore.js";
import { startRun } from "./run/start-run.js";
import type { Scorer } from "./score/scorer.js";

/*
 * What a program can use of daw-eval: `import { … } from "daw-eval"`. Everything else may change between versions. What the functions
 * write is what the command line writes, so `report`, `diff`, `show` and `score` read it.
 */

export { UsageError } from "./core/errors.js";
export type { Message, ModelRequest, ModelResponse, ToolCall, ToolSchema } from "./core/message.js";
export type { ChatModel, ModelCall, ModelReply } from "./core/ports/chat-model.js";
export type { Score } from "./core/score.js";
export type { Gold } from "./score/gold.js";
export type { Answer, Scorer, ScorerOptions } from "./score/scorer.js";
export { scored, unscored } from "./score/table-scorer.js";
export { defineTool, failure, type Tool, type ToolEnvironment, type ToolOutcome } from "./tools/tool.js";

export interface RunOptions extends Partial<Additions> {
  /** A suite, a folder of task folders, or one task folder. */
  readonly tasks: string;
  /** A YAML file or the name of a packaged profile; default: `builtin`. */
  readonly profile?: string;
  /** `key=value` lines that override the profile. */
  readonly set?: readonly string[];
  /** Task ids or globs; default: all. */
  readonly only?: readonly string[];
  /** Parent folder of the run; default: `runs`. */
  readonly out?: string;
  /** Name of the run's folder; default: time and suite. */
  readonly run_id?: string;
  /** Where keys and URLs are: `process.env`. */
  readonly env: Environment;
  /** Aborted: trials in flight are suspended, and `resumeSuite` goes on with them. */
  readonly cancel?: AbortSignal;
}

export interface RunOutcome {
  readonly folder: string;
  readonly end: RunEnd;
  readonly summary: RunSummary;
}

/**
 * Runs a suite with a program's own tools, scorers or model, scores it and writes its log. Throws UsageError for everything that is
 * wrong with the call, before anything is created.
 */
export async function runSuite(options: RunOptions): Promise<RunOutcome> {
  const additions = additionsOf(options);
  const arms = await loadArms({ file: options.profile ?? null, overrides: options.set ?? [], env: options.env });
  const selection = { only: options.only ?? [], tags: [], limit: null };
  const suite = selectTasks(await loadSuite(options.tasks), selection);
  checkAdditions(additions);
  for (const { profile } of arms) checkModels(profile, options.env, additions.model);
  const run_id = options.run_id ?? newRunId(suite.name, new Date());
  const folder = path.resolve(options.out ?? "runs", run_id);
  const end = await startRun(
    { suite, selection, shard: null, arms, run_id, runFolder: folder, argv: [] },
    surroundings(options, additions),
  );
  return { folder, end, summary: await summaryOf(folder) };
}

export interface ResumeOptions extends Partial<Additions> {
  readonly folder: string;
  /** Try infrastructure errors again, each as a new attempt. */
  readonly retry_failed?: boolean;
  readonly env: Environment;
  readonly cancel?: AbortSignal;
}

/** Goes on with a run where it stopped, with the same additions. Throws UsageError where anything else is not as it was. */
export async function resumeSuite(options: ResumeOptions): Promise<RunOutcome> {
  const folder = path.resolve(options.folder);
  const additions = additionsOf(options);
  const start = await readRunStart(runLogFile(folder));
  const suite = await loadSuite(start.suite.path);
  const end = await resumeRun(
    {
      runFolder: folder,
      suite,
      arms: null,
      force: false,
      retryFailed: options.retry_failed === true,
      decision: null,
      argv: [],
      onWarning: () => {},
    },
    surroundings(options, additions),
  );
  return { folder, end, summary: await summaryOf(folder) };
}

/**
 * Scores a stored run with a program's own scorers too: no model, no key, no network. Returns how many scores were appended; doing it
 * twice appends none.
 */
export async function scoreRun(options: {
  readonly folder: string;
  readonly scorers: readonly Scorer[];
  readonly env: Environment;
}): Promise<{ readonly appended: number; readonly summary: RunSummary }> {
  const folder = path.resolve(options.folder);
  checkAdditions({ tools: [], scorers: options.scorers, model: null });
  const { suite } = await readRunStart(runLogFile(folder));
  const { appended } = await rescoreRun({
    onlyChanged: false,
    runFolder: folder,
    scorers: null,
    own: options.scorers,
    tasks: (await loadSuite(suite.path)).tasks,
    clock: systemClock,
    env: options.env,
    cacheDir: cacheFolder(undefined),
    onWarning: () => {},
  });
  return { appended: appended.length, summary: await summaryOf(folder) };
}

function additionsOf({ tools = [], scorers = [], model = null }: Partial<Additions>): Additions {
  return { tools, scorers, model };
}

function surroundings({ env, cancel }: Pick<RunOptions, "env" | "cancel">, additions: Additions): RunSurroundings {
  return { ...runSurroundings(undefined, cancel ?? new AbortController().signal), env, additions };
}

function summaryOf(folder: string): Promise<RunSummary> {
  return summariseRun(
    readRunLog(runLogFile(folder), () => {}),
    { metric: "pass_rate", min_pass: null },
  );
}
