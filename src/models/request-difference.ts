import { type Message, type ModelRequest, textOf } from "../core/message.js";
import type { TrialState } from "../core/state.js";

/** Characters of a text that are shown before and after the place where two texts part. */
const BEFORE = 30;
const AFTER = 60;

/**
 * How a request of today differs from the one that a stored trial made after the same events, in one sentence. `before` is the fold of
 * the stored events. Stored requests are digests; but all of the agent's conversation except its opening stands in the events.
 */
export function requestDifference(before: TrialState, request: ModelRequest, prompts: string): string {
  const opening = request.messages.findIndex(({ role }) => role === "user") + 1;
  if (request.purpose === "agent") {
    const difference = firstDifference(before.history, request.messages.slice(opening), opening);
    if (difference !== null) return difference;
  }
  const stored = before.started?.prompts ?? "unknown";
  const what =
    request.purpose === "agent"
      ? "its opening messages or settings differ"
      : `the ${request.purpose}'s request differs`;
  return stored === prompts
    ? `${what}, though the conversation before is the same and the prompts have the same versions (${prompts})`
    : `${what}: the prompts were versions "${stored}", now they are "${prompts}"`;
}

function firstDifference(stored: readonly Message[], now: readonly Message[], offset: number): string | null {
  for (let index = 0; index < Math.max(stored.length, now.length); index++) {
    const before = stored[index];
    const after = now[index];
    const which = `message ${offset + index + 1} (${(before ?? after)?.role})`;
    if (before === undefined) return `${which} was not there: ${excerpt(wordsOf(after), 0)}`;
    if (after === undefined) return `${which} is not there any more: ${excerpt(wordsOf(before), 0)}`;
    const [was, is] = [wordsOf(before), wordsOf(after)];
    if (was !== is) {
      const from = commonStart(was, is);
      return `${which} was ${excerpt(was, from)}, now is ${excerpt(is, from)}`;
    }
  }
  return null;
}

/** A message as text; reasoning is left out, since whether it is sent back is for the profile to say. */
function wordsOf(message: Message | undefined): string {
  if (message === undefined) return "";
  if (message.role !== "assistant") return textOf(message);
  const calls = message.tool_calls.map((call) => `${call.name}(${call.arguments})`);
  return [message.content ?? "", ...calls].join(" ");
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length++;
  return length;
}

function excerpt(text: string, from: number): string {
  const start = Math.max(0, from - BEFORE);
  const end = from + AFTER;
  return `${JSON.stringify(`${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`)}`;
}
