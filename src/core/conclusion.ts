import { textOf } from "./message.js";
import type { TrialState } from "./state.js";

/**
 * The words that go with a submission: its `conclusion`, or, where it has none, what the model said in the turn that submitted
 * (the plain text after the last tool result); null where it said nothing.
 */
export function conclusionOf(given: string | null, callId: string, state: TrialState): string | null {
  if (given !== null && given.trim() !== "") return given;
  const turn = state.history.findLast(
    (message) => message.role === "assistant" && message.tool_calls.some((call) => call.id === callId),
  );
  const said = turn === undefined ? "" : textOf(turn).trim();
  return said === "" ? null : said;
}
