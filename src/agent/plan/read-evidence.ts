import { z } from "zod";
import type { PendingCall, ToolReturned } from "../../core/event.js";
import type { ToolSchema } from "../../core/message.js";
import { fullEvidence } from "../../core/plan-outputs.js";
import type { TrialState } from "../../core/state.js";
import { planTexts } from "./prompts.js";

/** Offered to executors only, and answered from the trial's own events: it reads no data anew, so what it returns is no new evidence. */
export const READ_EVIDENCE = "read_evidence";

const argumentsShape = z.object({ ids: z.array(z.string()).min(1) });

export function readEvidenceSchema(language: "en" | "zh"): ToolSchema {
  const { $schema: _, ...parameters } = z.toJSONSchema(argumentsShape);
  return { name: READ_EVIDENCE, description: planTexts(language).readEvidence, parameters };
}

/** `{"evidence": [{"id", "tool", "args", "content"}]}`, or which id there is none of. */
export function readEvidence(state: TrialState, { call, args }: PendingCall): ToolReturned {
  const text = planTexts(state.started?.language ?? "en");
  const returned = {
    type: "tool-returned",
    call_id: call.id,
    tool: READ_EVIDENCE,
    args,
    truncated: false,
    ms: 0,
  } as const;
  const failed = (error: string, message: string): ToolReturned => ({
    ...returned,
    ok: false,
    content: JSON.stringify({ error, message }),
    error,
  });
  const parsed = argumentsShape.safeParse(args);
  if (!parsed.success) return failed("bad-arguments", z.prettifyError(parsed.error));
  const wanted = [...new Set(parsed.data.ids)];
  const found = wanted.map((id) => {
    const entry = state.plan.evidence.find((one) => one.id === id);
    return entry === undefined ? null : fullEvidence(state.trajectory, entry);
  });
  const missing = wanted.find((_, index) => found[index] === null);
  if (missing !== undefined) return failed("unknown-evidence", text.unknownEvidence(missing));
  return { ...returned, ok: true, content: JSON.stringify({ evidence: found }), error: null };
}
