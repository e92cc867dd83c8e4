import type { Effect } from "../core/effect.js";
import type { TrialStarted } from "../core/event.js";
import type { TrialState } from "../core/state.js";
import { refusalContent } from "./feedback.js";

const SUBMIT_TOOL = "submit_tool_result";

/** Takes back a candidate that a validator rejected. */
export function clearRejected({ candidate, validation }: TrialState): Effect | null {
  if (candidate === null) return null;
  const by =
    validation.process.candidate === "rejected"
      ? "process"
      : validation.answer.candidate === "rejected"
        ? "answer"
        : null;
  if (by === null) return null;
  return { kind: "record", event: { type: "candidate-cleared", by, candidate: candidate.candidate.file } };
}

/**
 * Refuses a submission while the actions that the last rejection requires are outstanding: since it, no call that reads data or a
 * document has succeeded. Calls of the same turn run first, for they may be those actions. The forced last turn is let through:
 * what it submits is the only answer that there will be.
 */
export function holdSubmission(state: TrialState, started: TrialStarted): Effect | null {
  const { turn, validation, forced_at, limit } = state;
  if (validation.outstanding === null || turn.kind !== "calls" || forced_at !== null || limit !== null) return null;
  const submission = turn.pending.find(({ call }) => call.name === SUBMIT_TOOL);
  if (submission === undefined) return null;
  const others = turn.pending.filter(({ call }) => call.name !== SUBMIT_TOOL);
  if (others.length > 0) return { kind: "call-tools", calls: others };
  return {
    kind: "record",
    event: {
      type: "tool-returned",
      call_id: submission.call.id,
      tool: SUBMIT_TOOL,
      args: submission.args,
      ok: false,
      content: refusalContent(started.language, validation.outstanding),
      truncated: false,
      error: "actions-outstanding",
      ms: 0,
    },
  };
}
