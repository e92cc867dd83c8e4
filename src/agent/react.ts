import type { Effect } from "../core/effect.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { forceAnswer, overdue, repair, settled } from "./ending.js";
import { agentRequest } from "./messages.js";

/**
 * The react strategy: ask the model, run the tools that it calls, until a submission stands. Pure: says what to do next from
 * the state alone, so that resuming a trial is deciding again.
 */
export function decide(state: TrialState, profile: Profile): Effect {
  return settled(state, profile) ?? openCalls(state) ?? overdue(state, profile) ?? nextTurn(state, profile);
}

function openCalls({ turn }: TrialState): Effect | null {
  return turn.kind === "calls" ? { kind: "call-tools", calls: turn.pending } : null;
}

function nextTurn(state: TrialState, profile: Profile): Effect {
  if (state.step >= profile.agent.max_steps && state.forced_at === null) return forceAnswer(state);
  return repair(state) ?? { kind: "call-model", request: agentRequest(state, profile) };
}
