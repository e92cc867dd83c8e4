import type { Effect } from "../core/effect.js";
import type { CommandReturned } from "../core/event.js";
import { spentLimit } from "../core/limits.js";
import type { TrialOutcome } from "../core/outcome.js";
import type { Profile } from "../core/profile.js";
import type { CommandState, TrialState } from "../core/state.js";
import { validationOf } from "../core/validated.js";

/**
 * The command strategy: the agent is a program, and there is one thing to do, to run it from its start to its end. Pure. A trial that was
 * killed runs it from its start again; what the model had answered is in the state, and is given to it once more.
 */
export function decide(state: TrialState, profile: Profile): Effect {
  const { command } = profile.agent;
  if (command === null) throw new Error("the command strategy without a command");
  if (state.limit !== null) return { kind: "finish", outcome: { kind: "limit-reached", limit: state.limit } };
  const returned = state.command?.returned ?? null;
  if (state.command !== null && returned !== null) {
    return { kind: "finish", outcome: outcomeOf(state, state.command, returned, profile) };
  }
  const spent = spentLimit(state, profile);
  if (spent !== null) return { kind: "record", event: { type: "limit-reached", ...spent } };
  return { kind: "run-command", command };
}

/**
 * A program that ended well and handed over a table has answered, whatever its model did. Without one it is the endpoint's trouble where the
 * last thing that the model said was a failure, else the program's.
 */
function outcomeOf(
  state: TrialState,
  command: CommandState,
  returned: CommandReturned,
  profile: Profile,
): TrialOutcome {
  if (state.delivered !== null) {
    const forced = state.forced_at !== null;
    return { kind: "answered", forced, degraded: false, validation: validationOf(state, profile) };
  }
  return failureOf(command) ?? faultOf(state, returned);
}

function failureOf({ failure }: CommandState): TrialOutcome | null {
  // A request that no endpoint could serve is the program's own.
  if (failure === null || failure.class === "bad-request") return null;
  return failure.class === "context-window"
    ? { kind: "limit-reached", limit: "context-window" }
    : { kind: "infra-error", class: failure.class, message: failure.message };
}

function faultOf({ forced_at }: TrialState, { failure, prediction, stderr }: CommandReturned): TrialOutcome {
  if (failure !== null) {
    const said = stderr.trim().split("\n").at(-1) ?? "";
    return { kind: "agent-error", reason: "crashed", message: said === "" ? failure : `${failure}: ${said}` };
  }
  if (prediction.status === "invalid") {
    return { kind: "agent-error", reason: "invalid-prediction", message: prediction.reason ?? "no table" };
  }
  return { kind: "no-answer", reason: forced_at === null ? "empty" : "max-steps" };
}
