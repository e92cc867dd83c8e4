import type { PausePoint } from "./event-plan.js";
import type { Purpose } from "./message.js";
import type { VerificationThresholds } from "./verification.js";

/** Names of the scorers that a profile can ask for. */
export const SCORER_NAMES = ["kdd-columns", "exact-table", "cell-f1", "text", "claims", "line-format"] as const;

/** A profile after `extends`, `${VAR}`, `--set` and defaults: every key is there. Holds names of environment variables, never a key. */
export interface Profile {
  readonly name: string;
  readonly model: ModelConfig;
  /** Models of single roles; null: `model`. */
  readonly roles: RolesConfig;
  readonly agent: AgentConfig;
  readonly process_validation: ProcessValidationConfig;
  readonly answer_validation: AnswerValidationConfig;
  readonly claims: ClaimsConfig;
  readonly verification: VerificationConfig;
  /** What the prompt asks of the conclusion's closing lines. */
  readonly discipline: Discipline;
  readonly limits: LimitsConfig;
  /** n: how often each task runs. */
  readonly repeats: number;
  /** Trials in flight at once. */
  readonly concurrency: number;
  readonly seed: number;
  readonly tools: ToolsConfig;
  readonly scoring: ScoringConfig;
  readonly gate: GateConfig;
  /** Where the trials of a plan wait for a person. */
  readonly pause: readonly PausePoint[];
}

/** One arm of a run: its name, which is also a folder's, and what its trials run with. */
export interface Arm {
  readonly name: string;
  readonly profile: Profile;
}

export interface ModelConfig {
  /** `custom`: a model that the running program brings; `none`: there is no model to ask, only for agents that bring their own. */
  readonly provider: "lexical" | "openai" | "custom" | "none";
  readonly name: string;
  readonly temperature: number | null;
  readonly max_output_tokens: number | null;
  /** openai only, from here on. */
  readonly base_url: string | null;
  /** Name of the environment variable that holds the key. */
  readonly api_key_env: string | null;
  readonly timeout_seconds: number;
  /** `http://host:port` that requests go through; `${VAR}` in it as in headers. */
  readonly proxy: string | null;
  /** PEM file of authorities to trust beside the usual ones, relative to the working directory. */
  readonly ca_file: string | null;
  /** Values may hold `${VAR}`, which stays as written here and is replaced when the model is made: they may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Merged into the request body; `${VAR}` in its texts as in headers. */
  readonly extra_body: Readonly<Record<string, unknown>>;
  readonly send_seed: boolean;
  /**
   * Of how many of the conversation's last turns the model's reasoning is sent back to it; some models want it with their tool calls. With
   * a number the conversation does not only grow at its end, so that a provider's prompt cache misses; with `all` it does.
   */
  readonly reasoning_history: number | "all";
  /** Keep responses on disk and answer equal requests of later runs from there: for work on prompts and scorers, not for measuring. */
  readonly cache_responses: boolean;
  readonly retries: RetryConfig;
  /** Limits of the account over any 60 s, known to the one who pays; null: only what the endpoint's 429s teach. */
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  /** US dollars per million tokens; null: cost is unknown and says so. */
  readonly price: PriceConfig | null;
}

export interface RolesConfig {
  readonly process_validator: ModelConfig | null;
  readonly answer_validator: ModelConfig | null;
  readonly verifier: ModelConfig | null;
  /** Reads prose for `extract_structured_doc`. */
  readonly extractor: ModelConfig | null;
  readonly planner: ModelConfig | null;
  readonly executor: ModelConfig | null;
  readonly finalizer: ModelConfig | null;
  /** Folds old outputs of a plan. */
  readonly condenser: ModelConfig | null;
}

export interface RetryConfig {
  /** Further requests after a first that failed in a way that may pass. */
  readonly max: number;
  readonly min_wait_ms: number;
  readonly max_wait_ms: number;
}

export interface PriceConfig {
  readonly input: number;
  readonly output: number;
  /** Null: cached tokens cost like input. */
  readonly cached_input: number | null;
}

export const STRATEGIES = ["react", "plan", "command"] as const;

export interface AgentConfig {
  readonly strategy: (typeof STRATEGIES)[number];
  /** Main-model calls (the agent's, or a plan's executor's) before the forced last turn. */
  readonly max_steps: number;
  /** Turns in a row that may be unusable; tool progress resets the count. */
  readonly repair_limit: number;
  /** Only of the strategy `plan`. */
  readonly plan: PlanConfig;
  /** The program that is the agent; null only where `strategy` is another. */
  readonly command: CommandConfig | null;
}

/** Budgets of the plan strategy (seed 3). */
export interface PlanConfig {
  /** Executor turns with their verdicts. */
  readonly max_rounds: number;
  /** New plans after one that failed as a whole. */
  readonly max_replans: number;
  /** Tool calls of one execution. */
  readonly max_tool_calls: number;
  /** Fold the two oldest outputs into one short text where more than five are shown. */
  readonly compress_outputs: boolean;
}

export const COMMAND_SANDBOXES = ["auto", "unsafe-none"] as const;

export const AGENT_NETWORKS = ["none", "allow"] as const;
/** `none`: nothing but the model port; `allow`: the machine's network. */
export type AgentNetwork = (typeof AGENT_NETWORKS)[number];

/** A program that is the agent, started once a trial. */
export interface CommandConfig {
  /** The program and its arguments; inside the sandbox, where `folder` is `/agent`. */
  readonly argv: readonly string[];
  /** What the program needs to see of the machine beside its system's programs, relative to the working directory; null: nothing. */
  readonly folder: string | null;
  readonly network: AgentNetwork;
  /** `auto`: in bubblewrap, or not at all; `unsafe-none`: with our own rights. */
  readonly sandbox: (typeof COMMAND_SANDBOXES)[number];
  /** Address space of each of its processes, in MiB. */
  readonly memory_mb: number;
  /** Names of environment variables to hand on. What they hold is kept out of everything that is written. */
  readonly env: readonly string[];
}

export const VALIDATION_MODES = ["off", "observe", "enforce"] as const;
/** `observe`: every check that is due runs and is recorded, and nothing is acted upon. */
export type ValidationMode = (typeof VALIDATION_MODES)[number];

export const ERROR_POLICIES = ["release", "retry", "reject"] as const;
/** What follows when a validator fails technically: go on unchecked; ask once more, then go on; or take it for a rejection. */
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

/** The audit of the evidence behind an answer (seed 1). */
export interface ProcessValidationConfig {
  readonly mode: ValidationMode;
  /** Main-model calls from one check to the next while there is no candidate. */
  readonly checkpoint_interval: number;
  /** Checks after a first rejection; 0: no check asks the model at all. */
  readonly retry_limit: number;
  /** Steps that the request shows, newest last. */
  readonly recent_steps: number;
  /** Evidence items of a packet. */
  readonly max_items: number;
  /** Tokens of one text in an evidence excerpt. */
  readonly max_string_tokens: number;
  /** Members of one list in an evidence excerpt. */
  readonly max_list_items: number;
  readonly on_error: ErrorPolicy;
  /** The checks by code that run before the model is asked; acts only where `mode` does. */
  readonly mechanical: ValidationMode;
  /** Writes whole evidence packets into the log. */
  readonly log_packets: boolean;
  /** A claim from a picture needs a recorded visual receipt beside the frame. */
  readonly strict_visual: boolean;
}

/** The audit of an answer's form. */
export interface AnswerValidationConfig {
  readonly mode: ValidationMode;
  /** Rejections of one trial. */
  readonly retry_limit: number;
  readonly on_error: ErrorPolicy;
}

/** The reconciliation of a conclusion with the data's own values before it leaves (seed 2). */
export interface ClaimsConfig {
  readonly mode: ValidationMode;
  /** A checks.yaml, relative to the working directory; null only where `mode` is off. Never the one beside gold. */
  readonly checks: string | null;
}

/** The verification of single outputs in three layers (seed 3). */
export interface VerificationConfig extends VerificationThresholds {
  /** Characters that an output has at least. */
  readonly min_characters: number;
  /** Rules of one's own for the judge of the goal layer, added to its prompt; null: none. */
  readonly instructions: string | null;
}

/** How answers are checked as a whole: their claims are a part of it, and the whole where the form is not checked. */
export function answerCheckMode({ answer_validation, claims }: Profile): ValidationMode {
  return answer_validation.mode === "off" ? claims.mode : answer_validation.mode;
}

export const DISCIPLINES = ["none", "advice", "line", "template"] as const;
/** `advice` asks for sources, `line` demands a line of them, `template` gives the lines' exact forms (seed 2). */
export type Discipline = (typeof DISCIPLINES)[number];

export interface LimitsConfig {
  /** Work time of a trial in seconds, waiting for slots not counted. */
  readonly seconds: number;
  /** Input + output tokens of a trial; null: no limit. */
  readonly tokens: number | null;
  readonly cost_usd: number | null;
  /** Wall clock of the whole run in seconds, shared over the trials that remain; what has not started by then is not run. Null: no limit. */
  readonly run_seconds: number | null;
}

export interface ToolsConfig {
  /** Characters of a tool result that the model sees. */
  readonly max_result_characters: number;
  readonly query_timeout_seconds: number;
  /** Rows that a submitted answer may have, and that one query inside Python may bring. */
  readonly max_answer_rows: number;
  /** Images that one request shows. */
  readonly max_images: number;
  readonly python: PythonConfig;
  readonly extractor: ExtractorBudget;
}

/** What one trial may have its documents' prose read by the extractor for. */
export interface ExtractorBudget {
  /** Requests that were answered or failed for good; 0: prose is not extracted. */
  readonly max_calls: number;
  /** Input + output tokens: with so many used, no further passage is asked about. */
  readonly max_tokens: number;
}

export const PYTHON_SANDBOXES = ["auto", "unsafe-none", "off"] as const;

/** The tool that runs Python which the model writes. */
export interface PythonConfig {
  /** `auto`: offered where bubblewrap holds it; `unsafe-none`: offered without any sandbox, with our own rights; `off`: not offered. */
  readonly sandbox: (typeof PYTHON_SANDBOXES)[number];
  /** Of one call, its queries included. */
  readonly timeout_seconds: number;
  /** Address space of one process, in MiB. */
  readonly memory_mb: number;
}

export interface ScoringConfig {
  /** The scorer that decides a pass. */
  readonly primary: string;
  readonly scorers: readonly string[];
  /** λ of kdd-columns: not published by the organisers, hence always printed. */
  readonly penalty: number;
  readonly names: "accept" | "strict";
  /** Reads 1,234 as a number. */
  readonly thousands: boolean;
  /** A pass is a score of at least this; null: recall 1 and no extra column. */
  readonly pass_min_score: number | null;
}

export interface GateConfig {
  /** Least pass rate (0 … 1) below which `run` and `report` exit 1; null: no gate. */
  readonly min_pass: number | null;
  /** Trials that may end in infra-error before the exit code becomes 3. */
  readonly max_infra: number;
  /** Ids of tasks of which every trial has to pass: in `run` and `report`, and of the head in a `diff`. */
  readonly must_pass: readonly string[];
}

/** Whose model a request of each purpose asks; the agent's is `model` itself. */
const ROLE_OF: Readonly<Record<Exclude<Purpose, "agent">, keyof RolesConfig>> = {
  planner: "planner",
  executor: "executor",
  verifier: "verifier",
  finalizer: "finalizer",
  condenser: "condenser",
  "process-validator": "process_validator",
  "answer-validator": "answer_validator",
  extractor: "extractor",
};

/** The model that plays a role: its own where the profile gives it one, else `model`. */
export function modelFor({ model, roles }: Profile, purpose: Purpose): ModelConfig {
  return purpose === "agent" ? model : (roles[ROLE_OF[purpose]] ?? model);
}
