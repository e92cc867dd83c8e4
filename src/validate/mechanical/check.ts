import type { CandidateSubmitted, QueryAnswer, TrialStarted } from "../../core/event.js";
import type { EvidencePacket } from "../../core/evidence.js";
import type { Finding } from "../../core/finding.js";
import type { TrajectoryStep } from "../../core/state.js";
import type { FindingWords } from "../wording/wording.js";
import type { Facts } from "./facts.js";

/**
 * One rule (or a family of rules that share their queries) that code can decide about a candidate. Pure. A check that must look at the
 * data says which queries it needs; it is called again when their answers are in `facts`, until it says what it found. The same input
 * must always bring the same answer: a resumed trial calls it again.
 */
export type MechanicalCheck = (input: CheckInput) => CheckOutcome;

export type CheckOutcome =
  /** At least one query that `facts` does not answer yet. */
  { readonly need: readonly CheckQuery[] } | { readonly findings: readonly Finding[] };

export interface CheckQuery {
  readonly sql: string;
  /** `rows`: at most 1,000 of them, so aggregate; `tree`: DuckDB's syntax tree; `signature`: the whole result's shape and column signature. */
  readonly answer: QueryAnswer;
}

export interface CheckInput {
  /** The question, knowledge.md, and the light catalog with the tables that the trial extracted. */
  readonly started: TrialStarted;
  readonly candidate: CandidateSubmitted;
  /**
   * The SQL that the candidate was made by, in the order in which it ran; the last one is the answer where the source is SQL. A Python
   * source counts by the queries that it issued.
   */
  readonly queries: readonly string[];
  /** Everything that the agent did, also what failed. */
  readonly trajectory: readonly TrajectoryStep[];
  /** What of it is evidence. */
  readonly packet: EvidencePacket;
  readonly facts: Facts;
  /** How findings are said, in the question's language. */
  readonly say: FindingWords;
}

/** A check has found nothing. */
export const NOTHING_FOUND: CheckOutcome = { findings: [] };
