import type { TrialEventBody } from "../core/event.js";
import type { TrialState } from "../core/state.js";

/** What a trial is at after an event, in a few words. */
export function activityOf(event: TrialEventBody, { turn, candidate }: TrialState): string {
  if (event.type === "trial-finished") return "scoring";
  if (event.type === "trial-suspended") return "suspended";
  if (event.type === "model-failed") return `${event.failure.class}, ${event.final ? "given up" : "asking again"}`;
  if (turn.kind === "calls") {
    const [first, ...others] = turn.pending;
    if (first !== undefined) return `${first.call.name}${others.length > 0 ? ` and ${others.length} more` : ""}`;
  }
  return candidate === null ? "asking the model" : "checking the answer";
}
