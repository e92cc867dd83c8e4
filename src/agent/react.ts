import type { Effect } from "../core/effect.js";
import { assertNever } from "../core/errors.js";
import { spentLimit } from "../core/limits.js";
import type { ModelFailure } from "../core/message.js";
import type { TrialOutcome } from "../core/outcome.js";
import type { Profile } from "../core/profile.js";
import type { TrialState, Turn } from "../core/state.js";
import { answerOf, validationOf } from "../core/validated.js";
import { agentRequest } from "./messages.js";
import { texts } from "./prompt.js";

type Fault = Extract<Turn, { kind: "fault" }>;
type Refusal = Extract<Turn, { reason: "refusal" }>;
type Mendable = Exclude<Fault, Refusal>;

/**
 * The react strategy: ask the model, run the tools that it calls, until a submission stands. Pure: says what to do next from
 * the state alone, so that resuming a trial is deciding again.
 */
export function decide(state: TrialState, profile: Profile): Effect {
  const { turn } = state;
  const end = (outcome: Unanswered) => ending(state, profile, outcome);
  if (state.failure !== null && state.limit === null) return afterFailure(state.failure);
  const callsAreOpen = turn.kind === "calls" && state.limit === null;
  if (state.candidate !== null && !callsAreOpen) return answered(state, profile);
  if (state.limit !== null) return end({ kind: "limit-reached", limit: state.limit });
  if (turn.kind === "calls") return { kind: "call-tools", calls: turn.pending };
  if (isRefusal(turn)) return end({ kind: "no-answer", reason: "refusal" });
  if (forcedTurnIsOver(state)) return end({ kind: "no-answer", reason: isEmpty(turn) ? "empty" : "max-steps" });
  const spent = spentLimit(state, profile);
  if (spent !== null) return { kind: "record", event: { type: "limit-reached", ...spent } };
  if (turn.kind === "fault" && state.repairs >= profile.agent.repair_limit) return end(givingUp(state, turn));
  if (state.step >= profile.agent.max_steps && state.forced_at === null) {
    return { kind: "record", event: { type: "answer-forced", message: text(state).forced } };
  }
  if (turn.kind === "fault") return repair(state, turn);
  return { kind: "call-model", request: agentRequest(state, profile) };
}

type Unanswered = Exclude<TrialOutcome, { kind: "answered" | "infra-error" }>;

/** The end without a standing candidate: an earlier one that only its form spoke against is then the answer. */
function ending(state: TrialState, profile: Profile, outcome: Unanswered): Effect {
  return answerOf(state) === null ? { kind: "finish", outcome } : answered(state, profile);
}

function answered(state: TrialState, profile: Profile): Effect {
  const forced = state.candidate !== null && state.forced_at !== null;
  const outcome = { kind: "answered", forced, degraded: false, validation: validationOf(state, profile) } as const;
  return { kind: "finish", outcome };
}

function afterFailure(failure: ModelFailure): Effect {
  // The agent read more than its model can hold: its own doing, hence a valid trial.
  return failure.class === "context-window"
    ? { kind: "record", event: { type: "limit-reached", limit: "context-window", detail: failure.message } }
    : { kind: "finish", outcome: { kind: "infra-error", class: failure.class, message: failure.message } };
}

function forcedTurnIsOver(state: TrialState): boolean {
  return state.forced_at !== null && state.step > state.forced_at;
}

function isRefusal(turn: Turn): turn is Refusal {
  return turn.kind === "fault" && turn.reason === "refusal";
}

function isEmpty(turn: Turn): boolean {
  return turn.kind === "fault" && turn.reason === "empty-reply";
}

function givingUp(state: TrialState, fault: Fault): Unanswered {
  return {
    kind: "agent-error",
    reason: "repair-limit",
    message: `${state.repairs} repairs asked for; last: ${fault.reason}`,
  };
}

function repair(state: TrialState, { reason, detail }: Mendable): Effect {
  const say = text(state);
  const ask = (message: string): Effect => ({ kind: "record", event: { type: "repair-requested", reason, message } });
  switch (reason) {
    case "no-tool-call":
      return ask(say.noToolCall);
    case "empty-reply":
      return ask(say.emptyReply);
    case "bad-arguments":
      return ask(say.badArguments(detail));
    default:
      return assertNever(reason);
  }
}

function text(state: TrialState) {
  return texts(state.started?.language ?? "en");
}
