import path from "node:path";
import { loadArms } from "../config/load-profile.js";
import { loadSuite } from "../config/load-suite.js";
import { UsageError } from "../core/errors.js";
import { profileOf } from "../core/run-record.js";
import { checkModels } from "../models/role-models.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunStart } from "../run/log/run-log.js";
import { resumeRun } from "../run/resume-run.js";
import { findRun } from "./find-run.js";
import { finishRun } from "./finish-run.js";
import { pausedTrials } from "./paused-trials.js";
import { type DecisionOptions, decisionFrom } from "./person-says.js";
import { progressKind, progressReporter } from "./progress.js";
import { keepHeapSmall } from "./small-heap.js";
import { onInterrupt, runSurroundings } from "./surroundings.js";

interface ResumeOptions extends DecisionOptions {
  readonly profile?: string;
  readonly force?: boolean;
  readonly retryFailed?: boolean;
  readonly cacheDir?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly progress?: boolean;
}

/** `daw-eval resume`: goes on where the run stopped, with the run's own profile and suite. */
export async function resume(run: string, options: ResumeOptions): Promise<number> {
  keepHeapSmall();
  const { folder: runFolder, log } = await findRun(run);
  if (log !== runLogFile(runFolder)) throw new UsageError(`${run}: a lone log cannot go on: give the run's folder`);
  const start = await readRunStart(log);
  const decision = await decisionFrom(options);
  const arms =
    options.profile === undefined ? null : await loadArms({ file: options.profile, overrides: [], env: process.env });
  const suite = await loadSuite(start.suite.path);
  // A replay is refused by the run itself, which needs no key for that.
  if (start.replay_of === null) {
    for (const arm of start.arms) checkModels(profileOf(start, arm), process.env);
  }
  const progress = progressReporter(start.profile, process.stderr, progressKind(options));
  const paused = pausedTrials();
  const interrupt = onInterrupt(() =>
    progress.warn("stopping: trials in flight are being suspended (again to quit at once)"),
  );
  try {
    const end = await resumeRun(
      {
        runFolder,
        suite,
        arms,
        force: options.force === true,
        retryFailed: options.retryFailed === true,
        decision,
        argv: process.argv.slice(2),
        onWarning: (message) => progress.warn(`warning: ${message}`),
      },
      runSurroundings(options.cacheDir, interrupt.signal, (one) => {
        paused.note(one);
        progress.onProgress(one);
      }),
    );
    progress.end();
    const shown = path.relative(process.cwd(), runFolder) || runFolder;
    return await finishRun(end, runFolder, shown, start.profile, paused.found, options);
  } finally {
    progress.end();
    interrupt.release();
  }
}
