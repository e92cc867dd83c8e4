import type { TrialEvent } from "../../../core/event.js";
import type { Purpose } from "../../../core/message.js";
import { type Child, h } from "./dom.js";

/** Evidence id → `seq` of the return that it cites. */
export type Evidence = ReadonlyMap<string, number>;

/** Which returns of a trial can be cited, by the ids that validators know them under. */
export function evidenceOf(events: readonly TrialEvent[]): Evidence {
  const seqs = new Map<string, number>();
  let step = 0;
  for (const event of events) {
    if (event.type === "model-responded" && acts(event.purpose)) step++;
    if (event.type === "tool-returned" || event.type === "candidate-submitted") {
      seqs.set(`step_${step}:call_${event.call_id}`, event.seq);
    }
  }
  return seqs;
}

/** Whose turns are steps of the trajectory. */
export const acts = (purpose: Purpose): boolean => ["agent", "executor", "finalizer"].includes(purpose);

/** A text whose evidence ids are links to what they cite; `href` writes a link to an event. */
export function linked(text: string, evidence: Evidence, href: (seq: number) => string): Child[] {
  const parts: Child[] = [];
  let end = 0;
  for (const match of text.matchAll(/step_\d+:call_[^\s,;)\]"']+/g)) {
    const seq = evidence.get(match[0]);
    if (seq === undefined) continue;
    parts.push(text.slice(end, match.index), h("a", { href: href(seq) }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}
