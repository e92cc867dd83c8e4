/** Rules that code checks on a candidate before the process validator is asked. The meaning of each stands in its file in `validate/mechanical`. */
export const MECHANICAL_RULES = [
  "unseen-table",
  "unseen-column",
  "unseen-value",
  "unproven-join",
  "fan-out",
  "preview-submitted",
  "unasked-limit",
  "not-reproducible",
  "empty-source",
  "truncated-basis",
  "document-ignored",
  "similar-columns",
  "image-without-receipt",
] as const;

/** Rules that code checks on a candidate's form before the answer validator is asked. */
export const FORM_RULES = [
  "empty-table",
  "percent-sign",
  "loose-date",
  "constant-column",
  "duplicate-column",
  "unasked-limit",
  "retyped-table",
  "claim-outside-domain",
] as const;

export type MechanicalRule = (typeof MECHANICAL_RULES)[number];
export type FormRule = (typeof FORM_RULES)[number];

/** `red` rejects where checks are enforced, `warn` goes to the model with the others, `note` is for reports only. */
export const FINDING_LEVELS = ["red", "warn", "note"] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** What a rule found wrong with a candidate. */
export interface Finding {
  readonly rule: MechanicalRule | FormRule;
  readonly level: FindingLevel;
  /** Ids of the evidence items that it rests on, `step_<n>:call_<id>`; empty where it rests on the candidate and the data alone. */
  readonly evidence: readonly string[];
  /** One sentence for the agent and the validator: what, where, and what would settle it. */
  readonly detail: string;
}
