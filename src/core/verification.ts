/** What is said of one output of a plan: whether it may stand, and what is to be done where it may not (seed 3). */

export const LAYERS = ["structure", "evidence", "goal"] as const;
/** Where a verification stopped: the first layer that found fault, or `goal`, which is the last. The first two are code. */
export type Layer = (typeof LAYERS)[number];

export const SCOPES = ["local", "global"] as const;
/** What a failure is a fault of: of this output (try the sub-goal again), or of the plan (make another one). */
export type Scope = (typeof SCOPES)[number];

export const OUTPUT_RULES = [
  /** The output says that the data it needs do not exist: `INSUFFICIENT: …`. */
  "insufficient",
  "too-short",
  "missing-part",
  "no-citation",
  "line-format",
  "unknown-citation",
  "number-not-in-evidence",
  "date-not-in-evidence",
  "quote-not-in-evidence",
  /** Named by the judge of the goal layer; does not by itself speak against the output. */
  "problem",
] as const;
export type OutputRule = (typeof OUTPUT_RULES)[number];

export interface OutputFinding {
  readonly rule: OutputRule;
  /** One sentence: what, and where. */
  readonly detail: string;
}

export interface OutputVerdict {
  readonly passed: boolean;
  /** 0 … 1 by the judge of the goal layer; null where code decided and nobody was asked. */
  readonly score: number | null;
  readonly layer: Layer;
  /** Why, in one or a few sentences: what the next try is told first. */
  readonly reason: string;
  /** Null where it passed. */
  readonly scope: Scope | null;
  readonly findings: readonly OutputFinding[];
}

/** The end of a verification: a verdict, or that there is none, which is never taken for a pass. */
export type Verification =
  | { readonly kind: "verdict"; readonly verdict: OutputVerdict }
  | { readonly kind: "malformed"; readonly error: string };

/** Where scores part. The judge is told fixed bands (met, partly, not met); these say what follows from its score. */
export interface VerificationThresholds {
  /** The least score that passes. */
  readonly passed_at: number;
  /** The least score of a failure that is local; below it the plan is at fault. */
  readonly local_at: number;
}
