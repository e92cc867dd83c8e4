import type { CandidateSubmitted, PendingCall, TrialStarted } from "./event.js";
import type { Message, ModelFailure, Usage } from "./message.js";
import type { TrialLimit, TrialOutcome } from "./outcome.js";

/** A trial at one moment: the fold of its events, nothing else. */
export interface TrialState {
  readonly phase: "new" | "open" | "suspended" | "finished";
  /** How many events were folded: the `seq` of the next one. */
  readonly events: number;
  readonly started: TrialStarted | null;
  /** The agent's conversation after the opening messages; only ever grows at the end. */
  readonly history: readonly Message[];
  /** Main-model calls that brought a response. */
  readonly step: number;
  /** What the last model turn left to be done. */
  readonly turn: Turn;
  /** Unusable turns in a row. */
  readonly repairs: number;
  /** A submitted table that is not yet validated or finished. */
  readonly candidate: CandidateSubmitted | null;
  /** The step after which the one forced last turn was asked for; null while there is none. */
  readonly forced_at: number | null;
  /** `at` of the newest event; null before the first. */
  readonly last_at: string | null;
  /** A failure that ends the trial; retries are over. */
  readonly failure: ModelFailure | null;
  readonly limit: TrialLimit | null;
  /** The last failing call (tool, arguments, error) and how often it came in a row. */
  readonly repeated_failure: { readonly key: string; readonly count: number } | null;
  readonly outcome: TrialOutcome | null;
  readonly prediction: string | null;
  readonly signature: string | null;
  readonly totals: TrialTotals;
}

export type Turn =
  /** The model is to be asked. */
  | { readonly kind: "ask" }
  /** Calls of the last response that have no result yet, in the model's order. */
  | { readonly kind: "calls"; readonly pending: readonly PendingCall[] }
  /** The last response cannot be used. */
  | {
      readonly kind: "fault";
      readonly reason: "no-tool-call" | "bad-arguments" | "empty-reply" | "refusal";
      /** What was wrong, quoting the model where that helps it. */
      readonly detail: string;
    };

/** Sums over the events, all attempts of a request included. */
export interface TrialTotals {
  readonly usage: Readonly<Record<string, UsageRow>>;
  readonly cost_usd: number | null;
  /** `ok` and failure classes → requests. */
  readonly requests: Readonly<Record<string, number>>;
  readonly model_ms: number;
  readonly tool_ms: number;
  /** From event to event, without the gaps in which no process worked on the trial. */
  readonly wall_ms: number;
  /** Tool name → calls. */
  readonly tools: Readonly<Record<string, number>>;
  /** A probe query (or Python) returned before the standing candidate. */
  readonly recomputed: boolean;
}

export interface UsageRow extends Usage {
  readonly purpose: string;
  readonly model: string;
}
