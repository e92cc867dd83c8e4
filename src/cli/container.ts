import { access, constants, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { loadProfile } from "../config/load-profile.js";
import { loadSuite } from "../config/load-suite.js";
import { UsageError } from "../core/errors.js";
import { MAIN_ARM } from "../core/identity.js";
import type { Profile } from "../core/profile.js";
import type { RunEnd, RunStart } from "../core/run-record.js";
import type { Suite } from "../core/task.js";
import { checkModels } from "../models/role-models.js";
import type { RunProgress, RunSurroundings } from "../run/execute-run.js";
import { newestEnds } from "../run/export-predictions.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunLog, readRunStart } from "../run/log/run-log.js";
import { resumeRun } from "../run/resume-run.js";
import { startRun } from "../run/start-run.js";
import { submissionWriter } from "../run/submission-writer.js";
import { finishRun } from "./finish-run.js";
import { pausedTrials } from "./paused-trials.js";
import { progressKind, progressReporter } from "./progress.js";
import { keepHeapSmall } from "./small-heap.js";
import { onInterrupt, runSurroundings } from "./surroundings.js";
import { warn } from "./text.js";

interface ContainerOptions {
  readonly input: string;
  readonly output: string;
  readonly logs: string;
  readonly profile: string;
  readonly set: readonly string[];
  readonly cacheDir?: string;
}

const RUN_ID = "run";

/**
 * `daw-eval container`: the entry point of a competition's container. The run is `<logs>/run`: begun where there is none, else continued, failed
 * trials anew, within what is left of its time since it began. Each prediction is in `<output>` as soon as its trial has ended.
 */
export async function container(options: ContainerOptions): Promise<number> {
  keepHeapSmall();
  const suite = await loadSuite(options.input);
  const profile = await loadProfile({ file: options.profile, overrides: options.set, env: process.env });
  checkModels(profile, process.env);
  await Promise.all([writable("--output", options.output), writable("--logs", options.logs)]);
  const runFolder = path.resolve(options.logs, RUN_ID);
  const before = await begunRun(runFolder);
  const ends = before === null ? [] : await newestEnds(readRunLog(runLogFile(runFolder), warn));
  const ids = suite.tasks.map(({ task_id }) => task_id);
  const submissions = submissionWriter(runFolder, path.resolve(options.output), ids, ends);
  const progress = progressReporter(profile, process.stderr, progressKind({}));
  const interrupt = onInterrupt(() => progress.warn("stopping: what is in flight goes on after a restart"));
  const surroundings: RunSurroundings = {
    ...runSurroundings(options.cacheDir ?? path.join(options.logs, "cache"), interrupt.signal),
    spent_ms: before === null ? 0 : Math.max(0, Date.now() - Date.parse(before.at)),
    onProgress: (one: RunProgress) => {
      if (one.kind === "trial-ended") submissions.ended(one.end);
      progress.onProgress(one);
    },
  };
  try {
    const end = await (before === null
      ? begin(suite, profile, runFolder, surroundings)
      : goOn(suite, runFolder, surroundings, progress.warn));
    await submissions.settled();
    progress.end();
    return await finishRun(end, runFolder, runFolder, before?.profile ?? profile, pausedTrials().found, {});
  } finally {
    progress.end();
    interrupt.release();
  }
}

async function writable(flag: string, folder: string): Promise<void> {
  try {
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `${flag} ${folder}: cannot be written to (${error instanceof Error ? error.message : error}): mount a folder there that this user may write to`,
    );
  }
}

/** The start of a run that an earlier start of this container began; null where it was stopped before it had written a line. */
async function begunRun(runFolder: string): Promise<RunStart | null> {
  const log = runLogFile(runFolder);
  const written = await readFile(log).catch(() => null);
  if (written === null || !written.includes("\n")) {
    await rm(runFolder, { recursive: true, force: true });
    return null;
  }
  // Whoever held the run was in this container, which has been stopped: its process number says nothing any more.
  await rm(path.join(runFolder, "run.lock"), { force: true });
  return readRunStart(log);
}

function begin(suite: Suite, profile: Profile, runFolder: string, surroundings: RunSurroundings): Promise<RunEnd> {
  return startRun(
    {
      suite,
      shard: null,
      selection: { only: [], tags: [], limit: null },
      arms: [{ name: MAIN_ARM, profile }],
      run_id: RUN_ID,
      runFolder,
      argv: process.argv.slice(2),
    },
    surroundings,
  );
}

function goOn(
  suite: Suite,
  runFolder: string,
  surroundings: RunSurroundings,
  onWarning: (message: string) => void,
): Promise<RunEnd> {
  return resumeRun(
    {
      runFolder,
      suite,
      arms: null,
      force: false,
      retryFailed: true,
      decision: null,
      argv: process.argv.slice(2),
      onWarning,
    },
    surroundings,
  );
}
