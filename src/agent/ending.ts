import type { Effect } from "../core/effect.js";
import { assertNever } from "../core/errors.js";
import { spentLimit } from "../core/limits.js";
import type { ModelFailure } from "../core/message.js";
import type { TrialOutcome } from "../core/outcome.js";
import type { Profile } from "../core/profile.js";
import type { TrialState, Turn } from "../core/state.js";
import { answerOf, validationOf } from "../core/validated.js";
import { texts } from "./prompt.js";

/** How trials end and turns are repaired, whatever the strategy. */

type Fault = Extract<Turn, { kind: "fault" }>;
type Refused = Extract<Turn, { reason: "refusal" }>;
type Mendable = Exclude<Fault, Refused>;
type Unanswered = Exclude<TrialOutcome, { kind: "answered" | "infra-error" }>;

/** What follows where nothing is left to do: a failure that ends the trial, an answer that stands, a limit; null where work is left. */
export function settled(state: TrialState, profile: Profile): Effect | null {
  const { turn, failure, limit, candidate } = state;
  if (failure !== null && limit === null) return afterFailure(failure);
  const callsAreOpen = turn.kind === "calls" && limit === null;
  if (candidate !== null && !callsAreOpen) return answered(state, profile);
  return limit === null ? null : ending(state, profile, { kind: "limit-reached", limit });
}

/** The end, or the limit, of a trial whose turns may not or need not go on; null where the next one may be asked for. */
export function overdue(state: TrialState, profile: Profile): Effect | null {
  const { turn } = state;
  if (isRefusal(turn)) return ending(state, profile, { kind: "no-answer", reason: "refusal" });
  if (forcedTurnIsOver(state)) {
    return ending(state, profile, { kind: "no-answer", reason: isEmpty(turn) ? "empty" : "max-steps" });
  }
  const spent = spentLimit(state, profile);
  if (spent !== null) return { kind: "record", event: { type: "limit-reached", ...spent } };
  if (turn.kind === "fault" && state.repairs >= profile.agent.repair_limit) {
    return ending(state, profile, givingUp(state, turn));
  }
  return null;
}

/** One last turn, with only the submission offered. */
export function forceAnswer(state: TrialState): Effect {
  return { kind: "record", event: { type: "answer-forced", message: text(state).forced } };
}

/** What is said to a model whose turn cannot be used; null where it can. */
export function repair(state: TrialState): Effect | null {
  const { turn } = state;
  return turn.kind === "fault" && !isRefusal(turn) ? repairOf(state, turn) : null;
}

/** The end without a standing candidate: an earlier one that only its form spoke against is then the answer. */
export function ending(state: TrialState, profile: Profile, outcome: Unanswered): Effect {
  return answerOf(state) === null ? { kind: "finish", outcome } : answered(state, profile);
}

function answered(state: TrialState, profile: Profile): Effect {
  const forced = state.candidate !== null && state.forced_at !== null;
  const degraded = state.plan_work.degraded !== null;
  return { kind: "finish", outcome: { kind: "answered", forced, degraded, validation: validationOf(state, profile) } };
}

function afterFailure(failure: ModelFailure): Effect {
  // The agent read more than its model can hold: its own doing, hence a valid trial.
  return failure.class === "context-window"
    ? { kind: "record", event: { type: "limit-reached", limit: "context-window", detail: failure.message } }
    : { kind: "finish", outcome: { kind: "infra-error", class: failure.class, message: failure.message } };
}

function forcedTurnIsOver({ forced_at, trajectory }: TrialState): boolean {
  return forced_at !== null && trajectory.length > forced_at;
}

function isRefusal(turn: Turn): turn is Refused {
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

function repairOf(state: TrialState, { reason, detail }: Mendable): Effect {
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
