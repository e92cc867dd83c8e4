import type { Effect } from "../core/effect.js";
import type { TrialStarted } from "../core/event.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { checkAnswer } from "./check-answer.js";
import { checkOutput } from "./check-output.js";
import { checkProcess } from "./check-process.js";
import { clearRejected, holdSubmission } from "./rejection.js";

/**
 * What checking has to do next, or null where nothing is due: then the agent's strategy decides. Pure. The order is the rule: a
 * rejected candidate is cleared, a submission waits for the actions that the last rejection requires, and a candidate is checked for
 * its evidence first and for its form after that; what a plan's executor wrote is verified before the plan goes on.
 */
export function decide(state: TrialState, profile: Profile): Effect | null {
  const { started } = state;
  if (state.phase !== "open" || started === null) return null;
  return clearRejected(state) ?? holdSubmission(state, started) ?? nextCheck(state, started, profile);
}

/** Nothing is checked while calls are open, and nothing after a limit or a failure that ends the trial. */
function nextCheck(state: TrialState, started: TrialStarted, profile: Profile): Effect | null {
  if (state.turn.kind !== "ask" || state.limit !== null || state.failure !== null) return null;
  return (
    checkProcess(state, started, profile) ??
    checkAnswer(state, started, profile) ??
    checkOutput(state, started, profile)
  );
}
