import type { TrialState } from "../../core/state.js";
import { planTexts } from "./prompts.js";

/** The conclusion with the note that its answer is not fully verified, first, so that lines which must end it still do; as it is where it is. */
export function withDegradedNote(conclusion: string | null, { plan_work, started }: TrialState): string | null {
  if (plan_work.degraded === null) return conclusion;
  const text = planTexts(started?.language ?? "en");
  const note = text.notVerified(text.degraded[plan_work.degraded]);
  return conclusion === null ? note : `${note}\n\n${conclusion}`;
}
