import type { Effect } from "../core/effect.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";

/**
 * The check that is due now, or null where none is: then the agent's strategy decides. Pure. With every check off, as profiles have
 * it today, nothing is ever due.
 */
export function decide(_state: TrialState, _profile: Profile): Effect | null {
  return null;
}
