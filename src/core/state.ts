import type {
  AnswerDelivered,
  CandidateSubmitted,
  CommandReturned,
  ModelResponded,
  PendingCall,
  ToolReturned,
  TrialStarted,
} from "./event.js";
import type { Validator } from "./event-validation.js";
import type { ExtractorState } from "./extraction.js";
import type { Message, ModelFailure, Usage } from "./message.js";
import type { TrialLimit, TrialOutcome } from "./outcome.js";
import type { PlanState, PlanWork } from "./plan-state.js";
import type { ValidationState } from "./validation-state.js";

/** A trial at one moment: the fold of its events, nothing else. */
export interface TrialState {
  readonly phase: "new" | "open" | "suspended" | "finished";
  /** How many events were folded: the `seq` of the next one. */
  readonly events: number;
  readonly started: TrialStarted | null;
  /** The agent's conversation after the opening messages; only ever grows at the end. Each execution of a plan, and its finalizer, begins a new one. */
  readonly history: readonly Message[];
  /** Reasoning of each assistant message of `history`, in their order; only `model.reasoning_history` sends it back. */
  readonly reasoning: readonly (string | null)[];
  /** Main-model calls that brought a response: of the agent, or of a plan's executor. */
  readonly step: number;
  /** What the agent did, a step each, oldest first: what validators judge and evidence is taken from. */
  readonly trajectory: readonly TrajectoryStep[];
  /** What the last model turn left to be done. */
  readonly turn: Turn;
  /** Unusable turns in a row. */
  readonly repairs: number;
  readonly extractor: ExtractorState;
  /** A submitted table that is not yet validated or finished. */
  readonly candidate: CandidateSubmitted | null;
  readonly validation: ValidationState;
  readonly plan: PlanState;
  readonly plan_work: PlanWork;
  /** The program that is the agent; null where it was not started, and for agents of our own. */
  readonly command: CommandState | null;
  /** The table that an agent of its own handed over. */
  readonly delivered: AnswerDelivered | null;
  /** How many turns the trajectory had when the one forced last turn was asked for; null while there is none. */
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
  /** An executor's last word on its sub-goal. */
  | { readonly kind: "said"; readonly text: string }
  /** The last response cannot be used. */
  | {
      readonly kind: "fault";
      readonly reason: "no-tool-call" | "bad-arguments" | "empty-reply";
      /** What was wrong, quoting the model where that helps it. */
      readonly detail: string;
    }
  /** The model or its endpoint declined: nothing mends that. */
  | { readonly kind: "fault"; readonly reason: "refusal"; readonly detail: string };

/** A program that is the agent, over all of its starts. */
export interface CommandState {
  /** What the model answered it, oldest first: a start after a kill is given the same again for the same requests. */
  readonly served: readonly Pick<ModelResponded, "request_digest" | "response">[];
  /** The last request to fail for good, while no later one was answered. */
  readonly failure: ModelFailure | null;
  readonly returned: CommandReturned | null;
}

/** One turn of the agent, or of a plan's executor or finalizer, and what its tool calls returned. Holds no reasoning text. */
export interface TrajectoryStep {
  /** From 1. */
  readonly step: number;
  readonly finish_reason: string | null;
  /** What the model said beside its calls. */
  readonly content: string | null;
  /** Names of the tools that it called, in its order. */
  readonly tools: readonly string[];
  /** What came back so far, in the order of the calls. */
  readonly returns: readonly (ToolReturned | CandidateSubmitted)[];
}

/** Sums over the events, all attempts of a request included. */
export interface TrialTotals {
  readonly usage: Readonly<Record<string, UsageRow>>;
  readonly cost_usd: number | null;
  /** `ok`, `cached` and failure classes → requests. */
  readonly requests: Readonly<Record<string, number>>;
  readonly model_ms: number;
  readonly tool_ms: number;
  /** From event to event, without the gaps in which no process worked on the trial. */
  readonly wall_ms: number;
  /** Tool name → calls. */
  readonly tools: Readonly<Record<string, number>>;
  /** A probe query (or Python) returned before the standing candidate. */
  readonly recomputed: boolean;
  /** The part of the sums above that each validator took. */
  readonly validators: Readonly<Record<Validator, ValidatorShare>>;
}

export interface UsageRow extends Usage {
  readonly purpose: string;
  readonly model: string;
  /** Responses that were paid for. */
  readonly calls: number;
  readonly ms: number;
}

export interface ValidatorShare {
  readonly wall_ms: number;
  /** Input and output tokens that the endpoint counted. */
  readonly tokens: number;
  readonly cost_usd: number;
}
