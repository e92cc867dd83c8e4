import { assertNever } from "../core/errors.js";
import type { TrialOutcome } from "../core/outcome.js";

/** How a trial ended, in words. */
export function outcomeSentence(outcome: TrialOutcome): string {
  switch (outcome.kind) {
    case "answered":
      return `answered${outcome.forced ? " in the forced last turn" : ""}${outcome.degraded ? ", not fully verified" : ""}`;
    case "no-answer":
      return `no answer: ${outcome.reason}`;
    case "limit-reached":
      return `limit reached: ${outcome.limit}`;
    case "agent-error":
      return `agent error: ${outcome.reason}: ${outcome.message}`;
    case "infra-error":
      return `infra-error: ${outcome.class}: ${outcome.message}`;
    default:
      return assertNever(outcome);
  }
}
