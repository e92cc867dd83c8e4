import path from "node:path";
import { UsageError } from "../../core/errors.js";
import type { TrialEvent } from "../../core/event.js";
import { formatIdentity, shortIdentity, type TrialIdentity } from "../../core/identity.js";
import type { RunEnd, RunStart } from "../../core/run-record.js";
import type { Suite } from "../../core/task.js";
import { executeRun, type RunSurroundings } from "../execute-run.js";
import { inNewFolder } from "../log/new-folder.js";
import { attemptFolder, runLogFile } from "../log/run-folder.js";
import { readRunLog } from "../log/run-log.js";
import { readEvents } from "../log/trial-log.js";
import { versions } from "../provenance.js";
import { type EndedTrial, type RunState, readRunState } from "../run-state.js";
import { type Comparison, changedScores, compareTrials } from "./compare-trials.js";
import { replayedTrials } from "./replayed-trials.js";

export interface Replay {
  readonly storedFolder: string;
  /** Null: all that have ended. */
  readonly trial: TrialIdentity | null;
  /** Where the tasks, and with them their golds, are now. */
  readonly suite: Suite;
  readonly run_id: string;
  /** Does not exist yet. */
  readonly runFolder: string;
  readonly argv: readonly string[];
  readonly onWarning: (message: string) => void;
}

export type ReplayedTrial = Comparison & {
  readonly trial: string;
  /** Scorers that give another value than the stored run has. */
  readonly changed_scores: readonly string[];
};

export interface Replayed {
  readonly end: RunEnd;
  readonly trials: readonly ReplayedTrial[];
  /** Trials of the stored plan that have not ended, or have no events. */
  readonly left_out: number;
}

/**
 * Gives today's code everything that a stored run was answered, into a run of its own: what it asks must be what was asked then. No model,
 * no key, no data, no sandbox; scoring reads the golds. Throws UsageError where there is nothing to replay.
 */
export async function replayRun(replay: Replay, surroundings: RunSurroundings): Promise<Replayed> {
  const { storedFolder, runFolder, trial } = replay;
  const stored = await readRunState(readRunLog(runLogFile(storedFolder), replay.onWarning));
  if (stored.start.imported !== null) {
    throw new UsageError(`${storedFolder}: was imported: our code did not run it, hence cannot run it again`);
  }
  const chosen = await replayable(storedFolder, stored, trial);
  const ids = new Set(chosen.map(({ task_id }) => task_id));
  const tasks = replay.suite.tasks.filter(({ task_id }) => ids.has(task_id));
  const gone = [...ids].filter((id) => !tasks.some(({ task_id }) => task_id === id));
  if (gone.length > 0) throw new UsageError(gone.map((id) => `task ${id} is gone from ${replay.suite.path}`));
  const start = await replayStart(replay, stored.start, ids, surroundings);
  const folders = new Map(chosen.map((end) => [formatIdentity(end), attemptFolder(storedFolder, end, end.attempt)]));
  const runner = replayedTrials((identity) => folders.get(formatIdentity(identity)) ?? storedFolder);
  const open = chosen.map(({ arm, task_id, k }) => ({ identity: { arm, task_id, k }, attempt: 1 }));
  const end = await inNewFolder(runFolder, start, surroundings.clock, (state, log) =>
    executeRun(runFolder, state, tasks, open, log, surroundings, runner),
  );
  const replayed = await readRunState(readRunLog(runLogFile(runFolder), replay.onWarning));
  const trials: ReplayedTrial[] = [];
  for (const one of chosen) {
    const key = formatIdentity(one);
    const comparison = compareTrials(
      await eventsIn(folders.get(key) ?? storedFolder),
      await eventsIn(attemptFolder(runFolder, one, 1)),
    );
    const changed_scores = changedScores(stored.scores.get(key), replayed.scores.get(key));
    trials.push({ trial: key, ...comparison, changed_scores });
  }
  const { tasks: plan, arms, repeats } = stored.start;
  return { end, trials, left_out: trial === null ? plan.length * arms.length * repeats - chosen.length : 0 };
}

/** The chosen trials that ended and have their events. */
async function replayable(folder: string, stored: RunState, trial: TrialIdentity | null): Promise<EndedTrial[]> {
  const wanted = trial === null ? null : formatIdentity(trial);
  const found: EndedTrial[] = [];
  for (const [key, end] of stored.ends) {
    if (wanted !== null && key !== wanted) continue;
    const events = await eventsIn(attemptFolder(folder, end, end.attempt));
    if (events.at(-1)?.type === "trial-finished") found.push(end);
  }
  if (found.length > 0) return found;
  if (trial === null)
    throw new UsageError(`${folder}: no trial has ended with its events there: there is nothing to replay`);
  throw new UsageError(
    `${shortIdentity(trial)}: no trial of ${folder} that has ended with its events there (show lists them)`,
  );
}

const eventsIn = (folder: string): Promise<TrialEvent[]> => readEvents(path.join(folder, "events.jsonl"));

async function replayStart(
  replay: Replay,
  stored: RunStart,
  ids: ReadonlySet<string>,
  { clock }: RunSurroundings,
): Promise<RunStart> {
  return {
    ...stored,
    run_id: replay.run_id,
    at: clock.iso(),
    suite: { name: replay.suite.name, path: replay.suite.path },
    tasks: stored.tasks.filter(({ task_id }) => ids.has(task_id)),
    versions: await versions(),
    argv: replay.argv,
    replay_of: { run_id: stored.run_id, folder: replay.storedFolder },
  };
}
