import { withDegradedNote } from "../agent/plan/degraded-note.js";
import { repeatedFailureNote } from "../agent/prompt.js";
import { conclusionOf } from "../core/conclusion.js";
import type { CandidateSubmitted, ExtractionRequested, PendingCall, ToolReturned } from "../core/event.js";
import { askedBy } from "../core/extraction.js";
import type { ImageReference } from "../core/message.js";
import { type OverlayTable, overlayOf } from "../core/overlay.js";
import type { TrialLog } from "../core/ports/trial-log.js";
import { imagesBefore, imagesShown } from "../core/shown-images.js";
import type { TrialState } from "../core/state.js";
import type { ExtractorSoFar } from "../tools/read-prose.js";
import type { ToolQuestion, ToolResult } from "../tools/registry.js";
import { during, type WorkClock } from "./work-clock.js";

/** What a tool call comes to, or what it has to have read first, as the event to append. `state` is asked when the call has returned. Rejects as the tools do. */
export type CallTool = (
  pending: PendingCall,
  state: () => TrialState,
  signal: AbortSignal,
) => Promise<ToolReturned | CandidateSubmitted | ExtractionRequested>;

/** What a trial's earlier calls brought that later ones can use. */
export interface MadeSoFar {
  /** Tables that its calls made. */
  readonly overlay: readonly OverlayTable[];
  /** Images that its model has seen. */
  readonly shown_images: readonly ImageReference[];
  /** Calls of the same turn, before this one, that read an image. */
  readonly images_before: number;
  readonly extractor: ExtractorSoFar;
}

/** Calls tools for real, with what the trial made so far; a submitted table is on disk before its event is returned. */
export function toolCaller(
  runTool: (call: PendingCall, made: MadeSoFar, signal: AbortSignal) => Promise<ToolResult | ToolQuestion>,
  log: TrialLog,
  workClock: WorkClock,
): CallTool {
  return async (pending, state, signal) => {
    const before = workClock.worked();
    const made = madeSoFar(state(), pending);
    const result = await during(workClock, () => runTool(pending, made, signal));
    const ms = workClock.worked() - before;
    if ("ask" in result) return { type: "extraction-requested", call_id: pending.call.id, ...result.ask };
    const about = { call_id: pending.call.id, tool: pending.call.name, args: result.args, ms };
    if (result.submission === undefined) {
      const { ok, truncated, error, queries, table, image } = result;
      const note = ok ? "" : repeatedFailureNote(state(), pending.call.name, result.args, error);
      const returned = { ...about, ok, content: result.content + note, truncated, error };
      const more = {
        ...(queries === undefined ? {} : { queries }),
        ...(table === undefined ? {} : { table }),
        ...(image === undefined ? {} : { image }),
      };
      return { type: "tool-returned", ...returned, ...more };
    }
    const { table, source, conclusion: given } = result.submission;
    const candidate = await log.writeCandidate(table);
    const conclusion = withDegradedNote(conclusionOf(given, about.call_id, state()), state());
    return { type: "candidate-submitted", ...about, content: result.content, candidate, source, conclusion };
  };
}

function madeSoFar(state: TrialState, { call }: PendingCall): MadeSoFar {
  const { trajectory, extractor } = state;
  const { calls, tokens } = extractor;
  return {
    overlay: overlayOf(trajectory),
    shown_images: imagesShown(trajectory),
    images_before: imagesBefore(state, call.id),
    extractor: { asked: askedBy(call.id, extractor), calls, tokens },
  };
}
