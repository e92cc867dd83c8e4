import type { Effect } from "../core/effect.js";
import { openQuestion } from "../core/extraction.js";
import { spentLimit } from "../core/limits.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { extractorRequest } from "./extractor-request.js";

/**
 * Asks the extractor what a tool call waits for; null where none does. Pure, and the same for every strategy: the call stays open until
 * it has its answers, and is then made again with them.
 */
export function decide(state: TrialState, profile: Profile): Effect | null {
  const question = openQuestion(state);
  const { phase, limit, failure, started } = state;
  if (question === null || phase !== "open" || limit !== null || failure !== null || started === null) return null;
  const spent = spentLimit(state, profile);
  if (spent !== null) return { kind: "record", event: { type: "limit-reached", ...spent } };
  return { kind: "call-model", request: extractorRequest(question, started, profile) };
}
