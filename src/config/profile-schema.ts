import { z } from "zod";
import { PAUSE_POINTS } from "../core/event-plan.js";
import {
  DISCIPLINES,
  ERROR_POLICIES,
  type Profile,
  PYTHON_SANDBOXES,
  SCORER_NAMES,
  STRATEGIES,
  VALIDATION_MODES,
} from "../core/profile.js";
import { command } from "./command-schema.js";
import { between, flag, OR_NULL, oneOf, positive, section, variableName, whole } from "./schema-parts.js";

/*
 * What a profile file may say, with every default. The message of a check is what is allowed, in words; the loader
 * says where and what stood there instead. Strict at every depth: an unknown key is an error.
 */

const URL_RULE = "an http or https URL without user, password or query (a key belongs in the environment: api_key_env)";

const REASONING_RULE = 'a whole number of turns of at least 0, or "all"';
const PROXY_RULE = `an http URL without user and password, or a reference to one, for example "\${HTTPS_PROXY}"`;

const isEndpoint = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return /^https?:$/.test(url?.protocol ?? "") && !url?.username && !url?.password && !url?.search && !url?.hash;
};

const isProxy = (text: string): boolean => text.includes("${") || (isEndpoint(text) && /^http:/.test(text));

const retries = section({
  max: whole(0)
    .default(4)
    .describe("Further requests after a first that failed in a way that may pass: 429, 5xx, timeout, connection."),
  min_wait_ms: whole(0)
    .default(500)
    .describe(
      "First wait before a further request; it doubles, with jitter. Retry-After is kept where an endpoint sends it.",
    ),
  max_wait_ms: whole(0).default(60_000).describe("Longest wait before a further request."),
});

const price = section({
  input: between(0, 1_000_000).describe("US dollars per million input tokens."),
  output: between(0, 1_000_000).describe("US dollars per million output tokens."),
  cached_input: between(0, 1_000_000, OR_NULL)
    .nullable()
    .default(null)
    .describe("US dollars per million input tokens that the endpoint had cached; null: they cost like input."),
});

const model = section({
  provider: oneOf(["lexical", "openai", "custom", "none"]).describe(
    "`lexical`, the embedded baseline; `openai`, any endpoint that speaks the OpenAI chat API; `custom`, a model that a program brings (docs/library.md); `none`, for agents that bring their own.",
  ),
  name: z.string("the model's name").min(1, "the model's name").describe("The model's name at the endpoint."),
  temperature: between(0, 2, OR_NULL)
    .nullable()
    .default(0.2)
    .describe("Null is not sent: some reasoning models take none."),
  max_output_tokens: whole(1, OR_NULL)
    .nullable()
    .default(null)
    .describe("Tokens of one response; null: the endpoint's default."),
  base_url: z
    .string(URL_RULE)
    .refine(isEndpoint, URL_RULE)
    .nullable()
    .default(null)
    .describe("The endpoint up to and without `/chat/completions`."),
  api_key_env: variableName().nullable().default(null).describe("Name of the environment variable that holds the key."),
  timeout_seconds: positive("seconds").default(300).describe("Of one request, until its last byte."),
  proxy: z
    .string(PROXY_RULE)
    .refine(isProxy, PROXY_RULE)
    .nullable()
    .default(null)
    .describe(`\`http://host:port\` that requests go through; \`\${VAR}\` in it is replaced when the model is made.`),
  ca_file: z
    .string("a PEM file's path, or null")
    .min(1, "a PEM file's path, or null")
    .nullable()
    .default(null)
    .describe("PEM file of authorities to trust beside the usual ones, relative to the working directory."),
  headers: z
    .record(z.string(), z.string("text"), "a map of header names to text")
    .default({})
    .describe(`Sent with every request; \`\${VAR}\` in a value is replaced when the model is made, and never logged.`),
  extra_body: z
    .record(z.string(), z.unknown(), "a map of keys for the request's body")
    .default({})
    .describe(`Merged into the request's body; \`\${VAR}\` as in headers.`),
  send_seed: flag().default(true).describe("Send the trial's seed."),
  reasoning_history: z
    .union([whole(0), z.literal("all")], REASONING_RULE)
    .default(0)
    .describe("Of how many of the last turns the model's reasoning is sent back to it, or `all`."),
  cache_responses: flag()
    .default(false)
    .describe("Answer equal requests of later runs from disk: for work on prompts and scorers, not for measuring."),
  retries: retries.prefault({}).describe("How failed requests are tried again."),
  requests_per_minute: whole(1, OR_NULL)
    .nullable()
    .default(null)
    .describe("The account's limit over any 60 s; null: only what 429s teach."),
  tokens_per_minute: whole(1, OR_NULL)
    .nullable()
    .default(null)
    .describe("The account's limit over any 60 s; null: only what 429s teach."),
  price: price.nullable().default(null).describe("What tokens cost; null: the cost of a run is unknown and says so."),
}).refine(({ provider, base_url }) => provider !== "openai" || base_url !== null, {
  path: ["base_url"],
  error: `${URL_RULE} where provider is openai`,
});

const roles = section({
  process_validator: model.nullable().default(null).describe("Null: the agent's model."),
  answer_validator: model.nullable().default(null).describe("Null: the agent's model."),
  verifier: model
    .nullable()
    .default(null)
    .describe("Judges a plan's outputs against their goals. Null: the agent's model."),
  planner: model.nullable().default(null).describe("Makes a plan. Null: the agent's model."),
  executor: model.nullable().default(null).describe("Works on a plan's sub-goals. Null: the agent's model."),
  finalizer: model.nullable().default(null).describe("Hands in a plan's answer. Null: the agent's model."),
  condenser: model.nullable().default(null).describe("Folds old outputs of a plan. Null: the agent's model."),
  extractor: model
    .nullable()
    .default(null)
    .describe("Reads prose for `extract_structured_doc`. Null: the agent's model."),
});

const processValidation = section({
  mode: oneOf(VALIDATION_MODES)
    .default("off")
    .describe("`observe`: every check that is due runs and is recorded, and nothing is acted upon."),
  checkpoint_interval: whole(1)
    .default(12)
    .describe("Model steps from one check to the next while there is no candidate."),
  retry_limit: whole(0).default(1).describe("Checks after a first rejection; 0: no check asks the model at all."),
  recent_steps: whole(1).default(200).describe("Steps that the request shows, the newest last."),
  max_items: whole(1).default(100).describe("Evidence items of a packet."),
  max_string_tokens: whole(1).default(10_000).describe("Tokens of one text in an evidence excerpt."),
  max_list_items: whole(1).default(200).describe("Members of one list in an evidence excerpt."),
  on_error: oneOf(ERROR_POLICIES)
    .default("release")
    .describe(
      "What follows when a validator fails technically: go on unchecked (`release`), ask once more and then go on (`retry`), or take it for a rejection (`reject`).",
    ),
  mechanical: oneOf(VALIDATION_MODES)
    .default("enforce")
    .describe("The checks by code that run before the model is asked; they act only where `mode` does."),
  log_packets: flag().default(false).describe("Write whole evidence packets into the log."),
  strict_visual: flag().default(false).describe("A claim from a picture needs a recorded receipt beside the frame."),
});

const answerValidation = section({
  mode: oneOf(VALIDATION_MODES).default("off").describe("As in `process_validation`."),
  retry_limit: whole(0).default(2).describe("Rejections of one trial."),
  on_error: oneOf(ERROR_POLICIES).default("release").describe("As in `process_validation`."),
});

const claims = section({
  mode: oneOf(VALIDATION_MODES)
    .default("off")
    .describe("Whether a conclusion is reconciled with the data's own values before it leaves."),
  checks: z
    .string("a checks file's path, or null")
    .min(1, "a checks file's path, or null")
    .nullable()
    .default(null)
    .describe("A checks.yaml, relative to the working directory; never the one beside gold."),
}).refine(({ mode, checks }) => mode === "off" || checks !== null, {
  path: ["checks"],
  error: "a checks file's path where claims.mode is not off",
});

const verification = section({
  min_characters: whole(1).default(20).describe("Characters that an output has at least."),
  passed_at: between(0, 1).default(0.8).describe("The least score of the goal layer's judge that passes."),
  local_at: between(0, 1)
    .default(0.5)
    .describe("The least score of a failure that is the output's own; below it the plan is at fault."),
  instructions: z
    .string("text, or null")
    .min(1, "text, or null")
    .nullable()
    .default(null)
    .describe("Rules of one's own for the judge, added to its prompt; null: none."),
}).refine(({ passed_at, local_at }) => local_at <= passed_at, {
  path: ["local_at"],
  error: "at most verification.passed_at",
});

const plan = section({
  max_rounds: whole(1).default(12).describe("Executor turns with their verdicts; after them the answer is degraded."),
  max_replans: whole(0).default(3).describe("New plans after one that failed as a whole."),
  max_tool_calls: whole(1).default(5).describe("Tool calls of one execution of a sub-goal."),
  compress_outputs: flag()
    .default(false)
    .describe(
      "Where more than five outputs are shown, fold the two oldest into about 100 characters by one model call.",
    ),
});

const agent = section({
  strategy: oneOf(STRATEGIES)
    .default("react")
    .describe(
      "How the agent works: `react` asks the model and runs its tools until an answer stands; `plan` plans, executes and verifies; `command` runs a program of your own.",
    ),
  max_steps: whole(1)
    .default(32)
    .describe("Calls of the main model, or of a plan's executor, before the forced last turn."),
  repair_limit: whole(0)
    .default(3)
    .describe("Turns in a row that may be unusable; progress with a tool resets the count."),
  plan: plan.prefault({}).describe("Budgets of the strategy `plan`."),
  command: command.nullable().default(null).describe("The program that is the agent where `strategy` is `command`."),
})
  .refine(({ strategy, command: program }) => strategy !== "command" || program !== null, {
    path: ["command"],
    error: "a section of keys where agent.strategy is command",
  })
  .refine(({ strategy, max_steps, plan: { max_rounds } }) => strategy !== "plan" || max_steps >= 6 * max_rounds, {
    path: ["max_steps"],
    error:
      "at least 6 × agent.plan.max_rounds where agent.strategy is plan (96 for the default 12 leaves room), so that the plan's own budgets end a trial",
  });

const limits = section({
  seconds: positive("seconds").default(600).describe("Work time of a trial; waiting for slots is not counted."),
  tokens: whole(1, OR_NULL).nullable().default(null).describe("Input and output tokens of a trial."),
  cost_usd: positive("US dollars", OR_NULL).nullable().default(null).describe("US dollars of a trial."),
  run_seconds: positive("seconds", OR_NULL)
    .nullable()
    .default(null)
    .describe(
      "Wall clock of the whole run, shared over the trials that remain; what has not started by then is not run.",
    ),
});

const python = section({
  sandbox: oneOf(PYTHON_SANDBOXES)
    .default("auto")
    .describe(
      "`auto`: offered where bubblewrap holds it; `unsafe-none`: offered without any sandbox, with our own rights; `off`: not offered.",
    ),
  timeout_seconds: positive("seconds").default(60).describe("Of one call, its queries included."),
  // pandas does not start with less.
  memory_mb: whole(256).default(2048).describe("Address space of one process, in MiB."),
});

const extractor = section({
  max_calls: whole(0)
    .default(20)
    .describe("Requests of one trial that were answered or failed for good; 0: prose is not extracted."),
  max_tokens: whole(1)
    .default(200_000)
    .describe("Input + output tokens of one trial: with so many used, no further passage is asked about."),
});

const tools = section({
  max_result_characters: whole(200).default(20_000).describe("Characters of a tool's result that the model sees."),
  query_timeout_seconds: positive("seconds").default(30).describe("Of one query."),
  max_answer_rows: whole(1)
    .default(100_000)
    .describe("Rows that a submitted answer may have, and that one query inside Python may bring."),
  max_images: whole(1).default(8).describe("Images that one request shows; calls of a turn beyond them say so."),
  python: python.prefault({}).describe("The tool `execute_python`."),
  extractor: extractor.prefault({}).describe("What one trial may have prose read by a model for."),
});

const scoring = section({
  primary: oneOf(SCORER_NAMES).default("kdd-columns").describe("The scorer that decides a pass."),
  scorers: z
    .array(oneOf(SCORER_NAMES), `a list of ${SCORER_NAMES.join(", ")}`)
    .default(["kdd-columns", "exact-table", "cell-f1"])
    .describe("All scorers that run."),
  penalty: between(0, 1)
    .default(0.1)
    .describe("λ of `kdd-columns` for each extra column: not published by the organisers, hence always printed."),
  names: oneOf(["accept", "strict"]).default("accept").describe("What column names are worth to `kdd-columns`."),
  thousands: flag().default(false).describe("Read 1,234 as a number."),
  pass_min_score: between(0, 1, OR_NULL)
    .nullable()
    .default(null)
    .describe("A pass is a score of at least this; null: recall 1 and no extra column."),
}).refine(({ primary, scorers }) => scorers.includes(primary), {
  path: ["primary"],
  error: "one of scoring.scorers",
});

const gate = section({
  min_pass: between(0, 1, OR_NULL)
    .nullable()
    .default(null)
    .describe("Least pass rate below which `run` and `report` exit 1."),
  max_infra: whole(0)
    .default(0)
    .describe("Trials that may end in infrastructure errors before the exit code becomes 3."),
  must_pass: z
    .array(z.string("a task id"), "a list of task ids")
    .default([])
    .describe("Tasks of which every trial has to pass: in `run` and `report`, and of the head in a `diff`."),
});

const isChecked = ({ process_validation, answer_validation, claims: { mode } }: Profile): boolean =>
  [process_validation.mode, answer_validation.mode, mode].some((one) => one !== "off");

/** Reads the merged layers of a profile into a `Profile`; the loader gives `name` where no layer does. */
export const profileSchema = section({
  name: z.string("text").min(1, "text").describe("The profile's name; the file's where it gives none."),
  model: model.describe("The agent's model."),
  roles: roles.prefault({}).describe("Models of single roles, with the keys of `model`."),
  agent: agent.prefault({}).describe("The loop."),
  process_validation: processValidation.prefault({}).describe("The audit of the evidence behind an answer."),
  answer_validation: answerValidation.prefault({}).describe("The audit of an answer's form."),
  claims: claims.prefault({}).describe("Claims of a conclusion against the data."),
  verification: verification.prefault({}).describe("The verification of single outputs in three layers."),
  discipline: oneOf(DISCIPLINES).default("none").describe("What the prompt asks of the conclusion's closing lines."),
  limits: limits.prefault({}).describe("Where a trial or the run ends."),
  repeats: whole(1).default(3).describe("n: how often each task runs."),
  concurrency: whole(1).default(4).describe("Trials in flight at once."),
  seed: whole(0).default(0).describe("Seed of the run; a trial's is a hash of it, the task and k."),
  tools: tools.prefault({}).describe("What tools give."),
  scoring: scoring.prefault({}).describe("How answers become scores."),
  pause: z
    .array(oneOf(PAUSE_POINTS), `a list of ${PAUSE_POINTS.join(", ")}`)
    .default([])
    .describe("Where the trials of a plan wait for a person: `daw-eval resume` with a decision lets them go on."),
  gate: gate.prefault({}).describe("When a command exits with 1 or 3."),
})
  .refine(({ pause, agent: { strategy } }) => pause.length === 0 || strategy === "plan", {
    path: ["pause"],
    error: "an empty list where agent.strategy is not plan: nothing else pauses",
  })
  .refine(({ agent: { strategy }, model: { provider } }) => strategy === "command" || provider !== "none", {
    path: ["model", "provider"],
    error: "lexical or openai where agent.strategy is not command",
  })
  .refine((profile) => profile.agent.strategy !== "command" || !isChecked(profile), {
    path: ["agent", "strategy"],
    error: "react where process_validation, answer_validation or claims are on: a program cannot be sent back",
  }) satisfies z.ZodType<Profile>;

/** Keys that a file can have beside those of a profile: they say how the profile comes about. */
const OF_THE_FILE: readonly string[] = ["extends", "matrix"];

/** The keys that a section at `path` knows; empty where the path leads to no section. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = profileSchema;
  for (const key of path) {
    const inner = unwrap(schema);
    schema = inner instanceof z.ZodObject ? inner.shape[String(key)] : undefined;
  }
  const inner = unwrap(schema);
  const keys = inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  return path.length === 0 ? [...keys, ...OF_THE_FILE] : keys;
}

function unwrap(schema: unknown): unknown {
  const wrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodNullable;
  return wrapped ? unwrap(schema.unwrap()) : schema;
}
