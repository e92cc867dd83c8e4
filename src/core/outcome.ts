import type { ModelFailureClass } from "./message.js";

/** What became of a validator's judgement of the final candidate. */
export type ValidationStatus = "passed" | "released" | "exhausted" | "skipped" | "observe" | "off";

export type InfraClass = Exclude<ModelFailureClass, "context-window"> | "sandbox" | "context";

export type TrialLimit = "tokens" | "cost" | "seconds" | "context-window";

export const AGENT_FAULTS = [
  /** Unusable turns in a row. */
  "repair-limit",
  /** A program that is the agent ended with an error. */
  "crashed",
  /** It handed over a file that is no table. */
  "invalid-prediction",
] as const;
export type AgentFault = (typeof AGENT_FAULTS)[number];

/** How a trial ended, fixed before gold is read. `answered` … `agent-error` are valid trials; `infra-error` is counted beside them. */
export type TrialOutcome =
  | {
      readonly kind: "answered";
      /** The answer came in the forced last turn. */
      readonly forced: boolean;
      /** The strategy gave up verifying and said so in the conclusion. */
      readonly degraded: boolean;
      readonly validation: { readonly process: ValidationStatus; readonly answer: ValidationStatus };
    }
  | { readonly kind: "no-answer"; readonly reason: "max-steps" | "refusal" | "empty" }
  | { readonly kind: "limit-reached"; readonly limit: TrialLimit }
  | { readonly kind: "agent-error"; readonly reason: AgentFault; readonly message: string }
  | { readonly kind: "infra-error"; readonly class: InfraClass; readonly message: string };

/** Whether a trial counts in the n of a rate. */
export function isValid(outcome: TrialOutcome): boolean {
  return outcome.kind !== "infra-error";
}
