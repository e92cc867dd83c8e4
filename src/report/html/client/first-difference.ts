import type { TrialEvent } from "../../../core/event.js";

/** Where two trials part. */
export interface FirstDifference {
  /** `calls`: one called something else, or nothing more; `returns`: all calls are the same, and a return is not. */
  readonly kind: "calls" | "returns";
  /** `seq` of the event on each side; null where that side has no more. */
  readonly left: number | null;
  readonly right: number | null;
  /** Calls before it, the same on both sides. */
  readonly same: number;
}

interface Call {
  readonly seq: number;
  readonly what: string;
  readonly content: string;
}

/**
 * The first tool call that is not the same (tool and arguments) in two trials, or, where all are, the first return that is not; null where nothing differs. What models said
 * beside their calls, times and ids do not count.
 */
export function firstDifference(left: readonly TrialEvent[], right: readonly TrialEvent[]): FirstDifference | null {
  const [one, other] = [callsOf(left), callsOf(right)];
  const length = Math.max(one.length, other.length);
  for (const kind of ["calls", "returns"] as const) {
    for (let at = 0; at < length; at++) {
      const [a, b] = [one[at], other[at]];
      const key = kind === "calls" ? "what" : "content";
      if (a?.[key] !== b?.[key]) return { kind, left: a?.seq ?? null, right: b?.seq ?? null, same: at };
    }
  }
  return null;
}

function callsOf(events: readonly TrialEvent[]): Call[] {
  return events.flatMap((event) =>
    event.type === "tool-returned" || event.type === "candidate-submitted"
      ? [{ seq: event.seq, what: `${event.tool} ${JSON.stringify(sorted(event.args))}`, content: event.content }]
      : [],
  );
}

/** With keys in one order, so that equal arguments are equal text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
