import type { Effect } from "../core/effect.js";
import { assertNever } from "../core/errors.js";
import type { ModelFailure } from "../core/message.js";
import type { TrialOutcome } from "../core/outcome.js";
import type { Profile } from "../core/profile.js";
import type { TrialState, Turn } from "../core/state.js";
import { spentLimit } from "./limits.js";
import { agentRequest } from "./messages.js";
import { texts } from "./prompt.js";

type Fault = Extract<Turn, { kind: "fault" }>;

/**
 * The react strategy: ask the model, run the tools that it calls, until a submission stands. Pure: says what to do next from
 * the state alone, so that resuming a trial is deciding again.
 */
export function decide(state: TrialState, profile: Profile): Effect {
  const { turn } = state;
  const callsAreOpen = turn.kind === "calls" && state.limit === null;
  if (state.candidate !== null && !callsAreOpen) return finish(answered(state));
  if (state.limit !== null) return finish({ kind: "limit-reached", limit: state.limit });
  if (state.failure !== null) return afterFailure(state.failure);
  if (turn.kind === "calls") return { kind: "call-tools", calls: turn.pending };
  if (turn.kind === "fault" && turn.reason === "refusal") return finish({ kind: "no-answer", reason: "refusal" });
  if (forcedTurnIsOver(state)) return finish({ kind: "no-answer", reason: isEmpty(turn) ? "empty" : "max-steps" });
  const spent = spentLimit(state, profile);
  if (spent !== null) return { kind: "record", event: { type: "limit-reached", ...spent } };
  if (turn.kind === "fault" && state.repairs >= profile.agent.repair_limit) return giveUp(state, turn);
  if (state.step >= profile.agent.max_steps && state.forced_at === null) {
    return { kind: "record", event: { type: "answer-forced", message: text(state).forced } };
  }
  if (turn.kind === "fault") return repair(state, turn);
  return { kind: "call-model", request: agentRequest(state, profile) };
}

function finish(outcome: TrialOutcome): Effect {
  return { kind: "finish", outcome };
}

function answered(state: TrialState): TrialOutcome {
  return {
    kind: "answered",
    forced: state.forced_at !== null,
    degraded: false,
    validation: { process: "off", answer: "off" },
  };
}

function afterFailure(failure: ModelFailure): Effect {
  // The agent read more than its model can hold: its own doing, hence a valid trial.
  return failure.class === "context-window"
    ? { kind: "record", event: { type: "limit-reached", limit: "context-window", detail: failure.message } }
    : finish({ kind: "infra-error", class: failure.class, message: failure.message });
}

function forcedTurnIsOver(state: TrialState): boolean {
  return state.forced_at !== null && state.step > state.forced_at;
}

function isEmpty(turn: Turn): boolean {
  return turn.kind === "fault" && turn.reason === "empty-reply";
}

function giveUp(state: TrialState, fault: Fault): Effect {
  return finish({
    kind: "agent-error",
    reason: "repair-limit",
    message: `${state.repairs} repairs asked for; last: ${fault.reason}`,
  });
}

function repair(state: TrialState, fault: Fault): Effect {
  const say = text(state);
  switch (fault.reason) {
    case "no-tool-call":
      return { kind: "record", event: { type: "repair-requested", reason: fault.reason, message: say.noToolCall } };
    case "empty-reply":
      return { kind: "record", event: { type: "repair-requested", reason: fault.reason, message: say.emptyReply } };
    case "bad-arguments":
      return {
        kind: "record",
        event: { type: "repair-requested", reason: fault.reason, message: say.badArguments(fault.detail) },
      };
    case "refusal":
      return finish({ kind: "no-answer", reason: "refusal" });
    default:
      return assertNever(fault.reason);
  }
}

function text(state: TrialState) {
  return texts(state.started?.language ?? "en");
}
