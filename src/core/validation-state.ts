import type { CandidateSubmitted, DataQueried } from "./event.js";
import type {
  AnswerJudge,
  AnswerValidated,
  Demands,
  SkipReason,
  Trigger,
  Validator,
  Verdict,
} from "./event-validation.js";
import type { Finding } from "./finding.js";
import type { SemanticLedger } from "./ledger.js";
import type { ModelFailure, ModelResponse } from "./message.js";
import type { ValidationStatus } from "./outcome.js";

/** What the checks of a trial have come to. */
export interface ValidationState {
  readonly process: ProcessState;
  readonly answer: AnswerState;
  /** What the last rejection of the evidence asked for, until a data or document call succeeds; null where nothing is outstanding. */
  readonly outstanding: Demands | null;
  /**
   * The last candidate that only the answer validator refused. It is the answer if the trial ends without another one: a validator
   * that keeps refusing must not lose an answer.
   */
  readonly kept: KeptCandidate | null;
  /** Checks by code on the standing candidate's data, so far. */
  readonly facts: readonly DataQueried[];
  /** What the model of the check in progress answered, so far; empty between checks. */
  readonly replies: readonly ValidatorReply[];
  /** Every check that came to an end, oldest first. */
  readonly ended: readonly EndedCheck[];
}

export interface ProcessState {
  readonly rejections: number;
  /** `step` at the last check that came to an end. */
  readonly last_validated_step: number;
  /** A latch: set by a pass, never reset. */
  readonly passed: boolean;
  readonly ledger: SemanticLedger | null;
  readonly candidate: CandidateStanding;
}

export interface AnswerState {
  readonly rejections: number;
  /** Verdicts of this trial so far: the history that the answer validator is shown. */
  readonly history: readonly AnswerValidated[];
  readonly candidate: CandidateStanding;
}

/** What a validator made of the standing candidate; null while it has not been checked. */
export type CandidateStanding = Exclude<ValidationStatus, "off"> | "rejected" | null;

export interface KeptCandidate {
  readonly candidate: CandidateSubmitted;
  readonly process: CandidateStanding;
}

export type ValidatorReply =
  | { readonly ok: true; readonly response: ModelResponse }
  | { readonly ok: false; readonly failure: ModelFailure };

/** One line a check, for the trial's record: what was checked, what came of it. */
export interface EndedCheck {
  readonly seq: number;
  readonly validator: Validator;
  readonly trigger: Trigger;
  readonly mode: "observe" | "enforce";
  /** A verdict, or why there is none. */
  readonly verdict: Verdict | SkipReason;
  /** Null where no verdict was given. */
  readonly by: AnswerJudge | null;
  readonly step: number;
  /** File and column signature of the candidate that was checked; null where the check was periodic. */
  readonly candidate: { readonly file: string; readonly signature: string } | null;
  readonly findings: readonly Pick<Finding, "rule" | "level">[];
  readonly inconsistent: boolean;
}

export const NO_VALIDATION: ValidationState = {
  process: { rejections: 0, last_validated_step: 0, passed: false, ledger: null, candidate: null },
  answer: { rejections: 0, history: [], candidate: null },
  outstanding: null,
  kept: null,
  facts: [],
  replies: [],
  ended: [],
};
