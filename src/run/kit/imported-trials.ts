import type { TrialEventBody, TrialStarted } from "../../core/event.js";
import type { TrialOutcome } from "../../core/outcome.js";
import type { TrialLog } from "../../core/ports/trial-log.js";
import { NEW_TRIAL, reduce } from "../../core/reduce.js";
import type { TrialState } from "../../core/state.js";
import { openTrialLog } from "../log/trial-log.js";
import { programStarted } from "../program/program-trial.js";
import type { OpenRunner, TrialRequest } from "../trial-runner.js";
import { outcomeOfFailure } from "./kit-outcome.js";
import type { KitRun, KitTask } from "./kit-run.js";
import { readPrediction } from "./read-prediction.js";

/** Trials that another tool has run: `runs[k - 1]` has repeat k. Each becomes the events that it would have had here, as far as its files tell. */
export function importedTrials(runs: readonly KitRun[]): OpenRunner {
  return ({ runFolder, start, clock }) => ({
    run: async (trial) => {
      const run = runs[trial.identity.k - 1];
      const task = run?.tasks.get(trial.identity.task_id);
      if (run === undefined || task === undefined) throw new Error(`no imported run has ${trial.identity.task_id}`);
      const log = openTrialLog(runFolder, trial.identity, trial.attempt);
      try {
        const began = run.began ?? Date.parse(clock.iso());
        return await writeTrial(
          task,
          programStarted(trial.identity, trial.attempt, start.seed, trial.task.question),
          began,
          trial.onState,
          log,
        );
      } finally {
        await log.close();
      }
    },
    close: async () => {},
  });
}

/** Times of single steps are not in the kit's files: all but the end stand at the begin. */
async function writeTrial(
  task: KitTask,
  started: TrialStarted,
  began: number,
  onState: TrialRequest["onState"],
  log: TrialLog,
): Promise<TrialState> {
  let state = NEW_TRIAL;
  const append = async (body: TrialEventBody, at: number) => {
    const event = { seq: state.events, at: new Date(at).toISOString(), ...body };
    state = reduce(state, event);
    onState(state, body);
    await log.append(event);
  };
  await append(started, began);
  for (const step of task.trace?.steps ?? []) await append(step, began);
  const { outcome, table } = await endOf(task);
  const candidate = table === null ? null : await log.writeCandidate(table);
  if (candidate !== null) await append({ type: "answer-delivered", candidate, conclusion: null }, began);
  const prediction = candidate === null ? null : await log.writePrediction(candidate, null);
  const ended = began + Math.round((task.trace?.seconds ?? 0) * 1000);
  await append({ type: "trial-finished", outcome, prediction, signature: candidate?.signature ?? null }, ended);
  return state;
}

async function endOf(task: KitTask) {
  if (task.prediction === null) return { outcome: outcomeOfFailure(task.failure_reason), table: null };
  const read = await readPrediction(task.prediction);
  if (read.ok) return { outcome: ANSWERED, table: read.table };
  const message = `prediction.csv: ${read.reason}`;
  return { outcome: { kind: "agent-error", reason: "invalid-prediction", message } as const, table: null };
}

const ANSWERED: TrialOutcome = {
  kind: "answered",
  forced: false,
  degraded: false,
  validation: { process: "off", answer: "off" },
};
