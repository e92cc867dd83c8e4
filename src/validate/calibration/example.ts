import type { AnswerMaterial } from "../answer-request.js";
import type { ProcessMaterial } from "../process-request.js";
import type { CitedEvidence } from "../verification/evidence-layer.js";

export const JUDGES = ["goal", "process", "answer"] as const;
/** Whose tightness is measured: the verification of outputs in its layers, or one of a trial's two validators. */
export type JudgeName = (typeof JUDGES)[number];

export type Label = "good" | "bad";

/** Something to judge of which a person, or a score, has said whether it is good. */
export interface Example {
  /** Where it stands, for messages: `file:line`, or the trial that it was made from. */
  readonly at: string;
  readonly label: Label;
  /** What is wrong with a bad one, kebab-case; null where nobody says. */
  readonly failure_mode: string | null;
  /** Not to be looked at while a threshold is chosen. */
  readonly held_out: boolean;
  readonly judged: Judged;
}

/** What the judge gets to see. */
export type Judged =
  | {
      readonly judge: "goal";
      readonly task: string;
      readonly sub_goal: string | null;
      readonly accept: string | null;
      readonly output: string;
      /** Null: outputs cite nothing, and there is no evidence layer. */
      readonly evidence: readonly CitedEvidence[] | null;
    }
  | { readonly judge: "process"; readonly material: ProcessMaterial }
  | { readonly judge: "answer"; readonly material: AnswerMaterial };

/** One word of a judge on an example. */
export type Ruling =
  | {
      readonly kind: "passed" | "refused";
      /** 0 … 1 by a judge that gives one; null by code, and by validators that only say yes or no. */
      readonly score: number | null;
      readonly by: "code" | "model";
      readonly reason: string;
    }
  /** The judge answered something that is no verdict: neither a pass nor an interception. */
  | { readonly kind: "malformed"; readonly error: string }
  /** The endpoint failed: the judge was not heard, and nothing is known of it. */
  | { readonly kind: "unheard"; readonly error: string };

export interface RuledExample {
  readonly example: Example;
  /** One a repeat; one where code decided. */
  readonly rulings: readonly Ruling[];
}
