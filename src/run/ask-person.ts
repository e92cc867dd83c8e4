import { decisionOf } from "../agent/plan/decision.js";
import type { TrialEvent } from "../core/event.js";
import type { Decision, PausePoint, PersonSays } from "../core/event-plan.js";
import type { TrialState } from "../core/state.js";

/** Asks a person at a pause; null: nobody is there, and the trial is suspended until somebody is. */
export type AskPerson = (pause: PausePoint, state: TrialState) => Decision | null;

/** Somebody who says one thing, to the first pause that asks; nobody where nothing is said. */
export function personWhoSays(says: PersonSays | undefined): AskPerson {
  let left = says;
  return (_, state) => {
    if (left === undefined) return null;
    const decision = decisionOf(left, state);
    left = undefined;
    return decision;
  };
}

/** Says again what was said in a stored trial, in its order. */
export function personOf(events: readonly TrialEvent[]): AskPerson {
  const decisions = events.flatMap((event) => (event.type === "person-decided" ? [event] : []));
  let next = 0;
  return (pause) => {
    const stored = decisions[next];
    if (stored?.pause !== pause) return null;
    next++;
    return stored.decision;
  };
}
