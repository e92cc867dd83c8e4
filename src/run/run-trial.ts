import * as command from "../agent/command.js";
import * as extraction from "../agent/extraction.js";
import * as plan from "../agent/plan.js";
import * as react from "../agent/react.js";
import { IllegalTransition, RunLogError } from "../core/errors.js";
import type { TrialEvent, TrialEventBody, TrialStarted } from "../core/event.js";
import { formatIdentity } from "../core/identity.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { ImageReader } from "../core/ports/image-reader.js";
import { SandboxError } from "../core/ports/query-worker.js";
import type { TrialLog } from "../core/ports/trial-log.js";
import type { Profile } from "../core/profile.js";
import { NEW_TRIAL, reduce } from "../core/reduce.js";
import type { TrialState } from "../core/state.js";
import * as validate from "../validate/decide.js";
import type { AskPerson } from "./ask-person.js";
import type { CallTool } from "./call-tool.js";
import type { QueryData } from "./check-data.js";
import { perform } from "./perform.js";
import type { RunCommand } from "./program/run-command.js";
import { ReplayDivergedError } from "./replay/stored-trial.js";
import type { WorkClock } from "./work-clock.js";

const STRATEGIES = { react, plan, command };

/** What a trial needs from outside. */
export interface TrialPorts {
  readonly model: ChatModel;
  readonly callTool: CallTool;
  readonly queryData: QueryData;
  readonly runCommand: RunCommand;
  readonly images: ImageReader;
  readonly log: TrialLog;
  readonly clock: Clock;
  readonly workClock: WorkClock;
  /** Aborted when the run is cancelled: the trial is then suspended, to be resumed later. */
  readonly cancel: AbortSignal;
  /** Aborted when the whole run's time is over: the trial is then at its limit. */
  readonly deadline: AbortSignal;
  readonly askPerson: AskPerson;
  /** Told of every new state, for progress. */
  readonly onState: (state: TrialState, event: TrialEventBody) => void;
}

/**
 * The engine: fold the events that are there, then decide, perform, append and fold until the trial is no longer open. Starting and
 * resuming are the same code. Returns the last state: finished, or suspended.
 */
export async function runTrial(begin: TrialStarted, profile: Profile, ports: TrialPorts): Promise<TrialState> {
  let state = folded(await ports.log.read(), begin);
  let onDisk: Promise<void> = Promise.resolve();
  let waited = 0;

  /** Folds an event and hands it to the log. Refused by `reduce` before anything is written. */
  const append = (body: TrialEventBody): void => {
    const waited_ms = Math.round(ports.workClock.waited()) - waited;
    waited += waited_ms;
    const event = { seq: state.events, at: ports.clock.iso(), ...(waited_ms > 0 && { waited_ms }), ...body };
    state = reduce(state, event);
    ports.onState(state, body);
    onDisk = ports.log.append(event);
    // Whoever waits for the disk next hears of it.
    onDisk.catch(() => {});
  };

  if (state.phase === "new") append(begin);
  else if (state.phase !== "finished") {
    const { paused } = state.plan_work;
    const decision = paused === null ? null : ports.askPerson(paused, state);
    // A trial that waits for a person goes on with nothing else.
    if (state.phase === "suspended" && paused !== null && decision === null) return state;
    append({ type: "trial-resumed" });
    if (paused !== null && decision !== null) append({ type: "person-decided", pause: paused, decision });
  }

  while (state.phase === "open") {
    const strategy = STRATEGIES[profile.agent.strategy];
    const effect =
      extraction.decide(state, profile) ?? validate.decide(state, profile) ?? strategy.decide(state, profile);
    try {
      await perform(effect, { state: () => state, profile, ports, append, onDisk: () => onDisk });
    } catch (error) {
      if (!(error instanceof SandboxError || error instanceof ReplayDivergedError)) throw error;
      const outcome = { kind: "infra-error", class: error.code, message: error.message } as const;
      append({ type: "trial-finished", outcome, prediction: null, signature: null });
    }
  }
  await onDisk;
  return state;
}

/** Throws RunLogError where the events do not follow from each other: no run wrote them like that. */
function folded(events: readonly TrialEvent[], { trial, attempt }: TrialStarted): TrialState {
  try {
    return events.reduce(reduce, NEW_TRIAL);
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error;
    throw new RunLogError(
      `the events of ${formatIdentity(trial)}, attempt ${attempt}, were changed since they were written: ${error.message}`,
    );
  }
}
