import type { LightCatalog } from "./catalog.js";
import type { ClaimCheck } from "./claim-check.js";
import type { PausePoint, PlanEvent } from "./event-plan.js";
import type {
  AnswerValidated,
  CandidateCleared,
  ProcessValidated,
  ValidationSkipped,
  Validator,
} from "./event-validation.js";
import type { PassageQuestion } from "./extraction.js";
import type { TrialIdentity } from "./identity.js";
import type { ImageReference, ModelFailure, ModelResponse, Purpose, ToolCall, ToolSchema } from "./message.js";
import type { TrialLimit, TrialOutcome } from "./outcome.js";
import type { OverlayTable } from "./overlay.js";
import type { QueryResult } from "./ports/query-worker.js";
import type { IssuedQuery, SandboxKind } from "./ports/sandbox.js";
import type { AgentNetwork } from "./profile.js";

/**
 * A trial is a list of these. One line of events.jsonl each: `{"seq":3,"at":"…","type":"tool-returned",…}`. The list is at once
 * the trace, the checkpoint, the replay tape and the report's input. All milliseconds are work, never waiting for a slot.
 */
export type TrialEvent = TrialEventBody & {
  /** Position in the trial, from 0, without gaps. */
  readonly seq: number;
  /** When it was written, ISO 8601, UTC. */
  readonly at: string;
  /** Milliseconds since the event before in which all of the trial's calls only waited for their turn; absent where none. */
  readonly waited_ms?: number;
};

export type TrialEventBody =
  | TrialStarted
  | ModelResponded
  | ModelFailed
  | ToolReturned
  | ExtractionRequested
  | CandidateSubmitted
  | DataQueried
  | ProcessValidated
  | AnswerValidated
  | ValidationSkipped
  | CandidateCleared
  | PlanEvent
  | RepairRequested
  | AnswerForced
  | LimitReached
  | CommandStarted
  | StepReported
  | AnswerDelivered
  | CommandReturned
  | TrialSuspended
  | TrialResumed
  | TrialFinished;

/** Everything that the trial's requests are made from, so that they need not be stored. */
export interface TrialStarted {
  readonly type: "trial-started";
  readonly trial: TrialIdentity;
  readonly attempt: number;
  readonly seed: number;
  readonly question: string;
  readonly catalog: LightCatalog;
  /** knowledge.md in full; null where the task has none. */
  readonly knowledge: string | null;
  readonly tools: readonly ToolSchema[];
  /** Tools that are not offered here, and why. */
  readonly absent_tools: readonly AbsentTool[];
  /** Version of our prompt texts; `NO_PROMPTS` where the agent is not ours. */
  readonly prompts: string;
  /** Language of the prompts, by the question's script. */
  readonly language: "en" | "zh";
  /** Digest of the compiled context that tools read. */
  readonly context_digest: string;
  /** Made of the conclusion before it leaves, where the profile's `claims` say so: never those beside gold. */
  readonly claim_checks: readonly ClaimCheck[];
}

export const NO_PROMPTS = "none";

export interface AbsentTool {
  readonly name: string;
  /** One sentence. */
  readonly reason: string;
}

export interface ModelResponded {
  readonly type: "model-responded";
  readonly purpose: Purpose;
  /** SHA-256 of the request (stable JSON); the request itself is a function of the events before. */
  readonly request_digest: string;
  /** Size of the request's stable JSON in UTF-8 bytes. */
  readonly request_bytes: number;
  readonly response: ModelResponse;
  /** From the response cache: paid for before, so that its tokens and cost are in no sum. */
  readonly cached?: true;
  readonly ms: number;
}

/** One request that failed. While `final` is false it is going to be made again. */
export interface ModelFailed {
  readonly type: "model-failed";
  readonly purpose: Purpose;
  readonly request_digest: string;
  readonly failure: ModelFailure;
  readonly final: boolean;
  readonly ms: number;
}

export interface ToolReturned {
  readonly type: "tool-returned";
  readonly call_id: string;
  readonly tool: string;
  /** Parsed arguments; the raw object where they did not fit the schema. */
  readonly args: unknown;
  readonly ok: boolean;
  /** What the model reads: JSON or text, cut where `truncated`. */
  readonly content: string;
  /** Something was left out of `content`; it says so itself. */
  readonly truncated: boolean;
  /** kebab-case kind of failure, null where `ok`. */
  readonly error: string | null;
  /** What Python asked of the tables, in its order; only of `execute_python`. */
  readonly queries?: readonly IssuedQuery[];
  /** The table that the call added to the trial's data; only of `extract_structured_doc`. */
  readonly table?: OverlayTable;
  /** What the agent's next request shows; only of `read_context_image`. */
  readonly image?: ImageReference;
  readonly ms: number;
}

/**
 * A call wants a passage of a document read by the extractor, whose reply comes next. The call stays open, and is made again with the replies
 * that it has, until it returns.
 */
export interface ExtractionRequested extends PassageQuestion {
  readonly type: "extraction-requested";
  readonly call_id: string;
}

/** A submitted table on disk, beside the events. */
export interface CandidateFile {
  /** File name in the trial's folder: `candidate-<first 12 of digest>.csv`. */
  readonly file: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Digest of the multiset of column signatures: equal for equal answers whatever their order and names. */
  readonly signature: string;
  /** First five rows. */
  readonly preview: readonly (readonly (string | null)[])[];
  /** What each column holds, in the columns' order. */
  readonly structure: readonly ColumnStructure[];
}

/** What a validator of form may know of a column: no full rows. */
export interface ColumnStructure {
  /** DuckDB type of the source's column. */
  readonly type: string;
  readonly nulls: number;
  /** Distinct non-null values, counted up to 1,000; 1,001 is "more". */
  readonly distinct: number;
  /** The first five distinct values in row order, each cut at 100 characters. */
  readonly examples: readonly string[];
  /** Cells such as `12.5%`. */
  readonly percent_cells: number;
  /** Cells that are a date but not YYYY-MM-DD, such as `2024/3/1`. */
  readonly loose_date_cells: number;
  /** Position of the first column with the same cells; null where there is none before this one. */
  readonly same_as: number | null;
}

/** The successful return of `submit_tool_result`: a tool's return and a candidate in one event, so that no kill can part them. */
export interface CandidateSubmitted {
  readonly type: "candidate-submitted";
  readonly call_id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly content: string;
  readonly candidate: CandidateFile;
  readonly source: CandidateSource;
  readonly conclusion: string | null;
  readonly ms: number;
}

/** What was run again to make a candidate's table. */
export interface CandidateSource {
  readonly tool: string;
  readonly args: unknown;
  /** What Python asked of the tables, in its order; only of `execute_python`. */
  readonly queries?: readonly IssuedQuery[];
}

/** What a check by code asks of a query: its rows, DuckDB's syntax tree of it, or its shape and column signature without the cells. */
export type QueryAnswer = "rows" | "tree" | "signature";

/** A check by code on the task's data, asked for by a decider. */
export interface DataQueried {
  readonly type: "data-queried";
  /** Whose check asked. */
  readonly validator: Validator;
  readonly why: string;
  readonly answer: QueryAnswer;
  readonly queries: readonly string[];
  /** One a query, in their order. */
  readonly results: readonly CheckAnswer[];
  readonly ms: number;
}

export type CheckAnswer =
  | QueryResult
  | { readonly ok: true; readonly tree: unknown }
  | { readonly ok: true; readonly columns: readonly string[]; readonly rows: number; readonly signature: string };

/** The model's turn could not be used; `message` goes to it as a user message. */
export interface RepairRequested {
  readonly type: "repair-requested";
  readonly reason: "no-tool-call" | "bad-arguments" | "empty-reply";
  readonly message: string;
}

/** The step limit is reached: one last turn with only the submit tool. */
export interface AnswerForced {
  readonly type: "answer-forced";
  readonly message: string;
}

export interface LimitReached {
  readonly type: "limit-reached";
  readonly limit: TrialLimit;
  /** What was used, in words with numbers. */
  readonly detail: string;
}

/** A program that is the agent begins, from nothing, also where an earlier process of this trial had begun it before. */
export interface CommandStarted {
  readonly type: "command-started";
  readonly argv: readonly string[];
  readonly sandbox: SandboxKind;
  readonly network: AgentNetwork;
  /** Names of environment variables that it was given; never their values. */
  readonly env: readonly string[];
}

/**
 * A step of an agent that is not ours, as its own trace tells it: nothing here was seen by us, so that no check takes it for evidence.
 */
export interface StepReported {
  readonly type: "step-reported";
  /** What the agent said beside its calls. */
  readonly content: string | null;
  readonly calls: readonly ReportedCall[];
}

export interface ReportedCall {
  readonly tool: string;
  readonly args: unknown;
  /** Null where the trace has no return of it. */
  readonly ok: boolean | null;
  /** What came back, as text or JSON. */
  readonly content: string;
}

/** A table that an agent of its own handed over as a file. */
export interface AnswerDelivered {
  readonly type: "answer-delivered";
  readonly candidate: CandidateFile;
  readonly conclusion: string | null;
}

/** The program that is the agent has ended, and nothing of it is left. */
export interface CommandReturned {
  readonly type: "command-returned";
  /** How it ended, in words; null for exit code 0. */
  readonly failure: string | null;
  /** What became of the prediction that it was to write, and what is wrong with it. */
  readonly prediction: { readonly status: "delivered" | "missing" | "invalid"; readonly reason: string | null };
  /** What of its trace could not be read, a sentence each. */
  readonly notes: readonly string[];
  /** The end of what it wrote, for whoever looks for its fault. */
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface TrialSuspended {
  readonly type: "trial-suspended";
  readonly why: "cancelled" | "paused";
  /** Where a person is waited for; only of a paused trial. */
  readonly pause?: PausePoint;
}

/** Another process took the trial up, or a person let a paused one go on. */
export interface TrialResumed {
  readonly type: "trial-resumed";
}

export interface TrialFinished {
  readonly type: "trial-finished";
  readonly outcome: TrialOutcome;
  /** Path of prediction.csv relative to the run folder; null where the trial brought no answer. */
  readonly prediction: string | null;
  readonly signature: string | null;
}

/** A tool call whose arguments parse, with the id that its result will carry. */
export interface PendingCall {
  readonly call: ToolCall;
  readonly args: unknown;
}
