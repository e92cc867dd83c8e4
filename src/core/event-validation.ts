import type { EvidencePacket } from "./evidence.js";
import type { Finding } from "./finding.js";
import type { SemanticLedger } from "./ledger.js";

export const VALIDATORS = ["process", "answer"] as const;
/** The two auditors of a trial: of the evidence behind an answer, and of the answer's form. */
export type Validator = (typeof VALIDATORS)[number];

export const TRIGGERS = ["periodic", "candidate"] as const;
/** Why a check of the evidence runs: so many steps since the last one, or a submitted table. */
export type Trigger = (typeof TRIGGERS)[number];

/** Whether a verdict is acted upon. */
export type EnforcedMode = "observe" | "enforce";

export const VERDICTS = ["passed", "rejected", "released"] as const;
/** `released`: the validator failed technically and the trial goes on unchecked. */
export type Verdict = (typeof VERDICTS)[number];

/** What a rejection asks of the agent. */
export interface Demands {
  readonly issues: readonly string[];
  readonly required_next_actions: readonly string[];
}

interface Judgement extends Demands {
  readonly mode: EnforcedMode;
  readonly verdict: Verdict;
  /** What code found before the model was asked. */
  readonly findings: readonly Finding[];
  /** Why the validator could not be heard; null where it was. */
  readonly validator_error: string | null;
  /** The user message that goes into the agent's conversation; null where the verdict is not acted upon or needs no word. */
  readonly message: string | null;
}

/** The end of one check of the evidence that was carried out. */
export interface ProcessValidated extends Judgement {
  readonly type: "process-validated";
  readonly trigger: Trigger;
  /** Main-model calls so far. */
  readonly step: number;
  /** `code`: a red finding rejected before the model was asked. */
  readonly by: "code" | "model";
  /** The model said valid while its ledger held unverified assumptions: an `inconsistent-verdict`, taken as a rejection. */
  readonly inconsistent: boolean;
  /** The ledger from now on. */
  readonly ledger: SemanticLedger | null;
  /** SHA-256 of the evidence packet (stable JSON); the packet itself is a function of the events before. */
  readonly packet_digest: string;
  /** Only where the profile asks for it (`process_validation.log_packets`). */
  readonly packet?: EvidencePacket;
  /** File of the candidate that was judged; null where the check was periodic. */
  readonly candidate: string | null;
}

export const ANSWER_JUDGES = ["claims", "code", "model"] as const;
/**
 * `claims`: the conclusion was reconciled with the data's own values, and went back, or nothing else was to be checked; `code`: a
 * red finding of a rule rejected before the model was asked.
 */
export type AnswerJudge = (typeof ANSWER_JUDGES)[number];

/** The end of one check of an answer's form that was carried out. */
export interface AnswerValidated extends Judgement {
  readonly type: "answer-validated";
  readonly step: number;
  readonly by: AnswerJudge;
  /** File of the candidate that was judged. */
  readonly candidate: string;
}

export const SKIP_REASONS = [
  /** The trial's rejections are used up. */
  "retry-limit",
  /** The answer came in the forced last turn: there is none to mend it in. */
  "forced-answer",
  /** The evidence passed before in this trial; only the mechanical checks ran. */
  "passed-before",
  /** The trial's tokens, money or time are used up. */
  "limit-reached",
] as const;
/** Why a check that was due did not ask its model. */
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface ValidationSkipped {
  readonly type: "validation-skipped";
  readonly validator: Validator;
  readonly trigger: Trigger;
  readonly mode: EnforcedMode;
  readonly reason: SkipReason;
  readonly step: number;
  /** What the mechanical checks found; recorded, not acted upon. */
  readonly findings: readonly Finding[];
  /** File of the candidate; null where the check was periodic. */
  readonly candidate: string | null;
}

/** A rejected table and its source no longer stand. */
export interface CandidateCleared {
  readonly type: "candidate-cleared";
  readonly by: Validator;
  readonly candidate: string;
}
