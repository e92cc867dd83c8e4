import path from "node:path";
import { loadSuite } from "../config/load-suite.js";
import { UsageError } from "../core/errors.js";
import { isSafeName, parseIdentity, shortIdentity } from "../core/identity.js";
import { counted } from "../report/numbers.js";
import { oneLine } from "../report/text-width.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunStart } from "../run/log/run-log.js";
import { type Replayed, type ReplayedTrial, replayRun } from "../run/replay/replay-run.js";
import { EXIT } from "./exit.js";
import { findRun } from "./find-run.js";
import { newRunId, onInterrupt, runSurroundings } from "./surroundings.js";
import { printJson, printLines, warn } from "./text.js";

interface ReplayOptions {
  readonly out: string;
  readonly runId?: string;
  readonly tasks?: string;
  readonly cacheDir?: string;
  readonly json?: boolean;
}

/**
 * `daw-eval replay`: a stored run through today's code, from its log alone, into a run of its own. Exits 3 where today's code asks for
 * something else, 1 where it does or scores something else with the same answers.
 */
export async function replay(run: string, trial: string | undefined, options: ReplayOptions): Promise<number> {
  const { folder, log } = await findRun(run);
  if (log !== runLogFile(folder)) {
    throw new UsageError(`${run}: a lone log has no events to replay: give the run's folder`);
  }
  const start = await readRunStart(log);
  const suite = await loadSuite(options.tasks ?? start.suite.path).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError([...error.lines, "the tasks are needed for their golds: say where they are with --tasks DIR"]);
  });
  const runId = options.runId ?? newRunId("replay", new Date());
  if (!isSafeName(runId)) {
    throw new UsageError(`--run-id "${runId}": a run id is a folder name of letters, digits, ".", "_" and "-"`);
  }
  const runFolder = path.resolve(options.out, runId);
  const interrupt = onInterrupt(() => process.stderr.write("\nstopping (again to quit at once)\n"));
  try {
    const replayed = await replayRun(
      {
        storedFolder: folder,
        trial: trial === undefined ? null : parseIdentity(trial),
        suite,
        run_id: runId,
        runFolder,
        argv: process.argv.slice(2),
        onWarning: warn,
      },
      runSurroundings(options.cacheDir, interrupt.signal),
    );
    if (options.json === true) printJson({ run_id: runId, replay_of: start.run_id, ...withoutEnd(replayed) });
    else print(replayed, start.run_id, path.relative(process.cwd(), runFolder) || runFolder);
    return exitCode(replayed);
  } finally {
    interrupt.release();
  }
}

const withoutEnd = ({ end: _end, ...replayed }: Replayed) => replayed;

function exitCode({ end, trials }: Replayed): number {
  if (end.status === "interrupted") return EXIT.interrupted;
  if (trials.some(({ kind }) => kind === "diverged")) return EXIT.incomplete;
  return trials.every(isSame) ? EXIT.fine : EXIT.gateFailed;
}

const isSame = (trial: ReplayedTrial): boolean => trial.kind === "same" && trial.changed_scores.length === 0;

function print({ trials, left_out }: Replayed, storedId: string, shown: string): void {
  const others = trials.filter((trial) => !isSame(trial));
  printLines([
    `${counted(trials.length, "trial")} of ${storedId} replayed into ${shown}: ${trials.length - others.length} the same, ${others.length} not`,
    ...others.map((trial) => `  ${lineOf(trial)}`),
    ...(left_out > 0 ? [`${counted(left_out, "trial")} of the run not ended or without events: left out`] : []),
  ]);
}

function lineOf(trial: ReplayedTrial): string {
  const name = oneLine(shortIdentity(parseIdentity(trial.trial)));
  const how = trial.kind === "same" ? [] : [`${trial.kind}: ${trial.how}`];
  const scores = trial.changed_scores.length === 0 ? [] : [`other scores by ${trial.changed_scores.join(", ")}`];
  return oneLine(`${name} ${[...how, ...scores].join("; ")}`);
}
