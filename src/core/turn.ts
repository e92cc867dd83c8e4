import type { PendingCall } from "./event.js";
import type { ModelResponse, Purpose } from "./message.js";
import type { Turn } from "./state.js";

/** What a response leaves to be done. Text alone is an executor's output; of the others it is a fault, for they act by tools only. */
export function turnOf({ tool_calls, content, finish_reason }: ModelResponse, purpose: Purpose): Turn {
  if (finish_reason === "content_filter" || finish_reason === "refusal") {
    return { kind: "fault", reason: "refusal", detail: content ?? "" };
  }
  if (tool_calls.length === 0) return turnOfText(content?.trim() ?? "", purpose);
  const pending: PendingCall[] = [];
  for (const call of tool_calls) {
    const parsed = parseArguments(call.arguments);
    if ("error" in parsed) {
      return {
        kind: "fault",
        reason: "bad-arguments",
        detail: `${call.name}: ${parsed.error}; you wrote: ${call.arguments.slice(0, 500)}`,
      };
    }
    pending.push({ call, args: parsed.value });
  }
  return { kind: "calls", pending };
}

function turnOfText(text: string, purpose: Purpose): Turn {
  if (text === "") return { kind: "fault", reason: "empty-reply", detail: "" };
  return purpose === "executor" ? { kind: "said", text } : { kind: "fault", reason: "no-tool-call", detail: text };
}

function parseArguments(text: string): { value: unknown } | { error: string } {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
