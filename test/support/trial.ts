import type { TrialEvent, TrialEventBody } from "../../src/core/event.js";
import { fold } from "../../src/core/reduce.js";
import type { TrialState } from "../../src/core/state.js";
import { respond, toolReturned } from "./events.js";

/** Bodies as the events of one trial, a second apart. */
export function eventsOf(bodies: readonly TrialEventBody[]): TrialEvent[] {
  return bodies.map((body, seq) => ({ seq, at: new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString(), ...body }));
}

export function stateAfter(...bodies: readonly TrialEventBody[]): TrialState {
  return fold(eventsOf(bodies));
}

/** So many steps of the agent, from step `first` on: each probes the data once, with success. */
export function steps(count: number, first = 1): TrialEventBody[] {
  return Array.from({ length: count }, (_, index) => `s${first + index}`).flatMap((id) => [
    respond({ calls: [id] }),
    toolReturned(id, { args: { queries: [`SELECT '${id}'`] } }),
  ]);
}
