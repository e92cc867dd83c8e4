import { z } from "zod";
import {
  DISCIPLINES,
  ERROR_POLICIES,
  type Profile,
  PYTHON_SANDBOXES,
  SCORER_NAMES,
  VALIDATION_MODES,
} from "../core/profile.js";

/*
 * What a profile file may say, with every default. The message of a check is what is allowed, in words; the loader
 * says where and what stood there instead. Strict at every depth: an unknown key is an error.
 */

const section = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape, "a section of keys");

const whole = (least: number, orNull = "") => {
  const allowed = `a whole number of at least ${least}${orNull}`;
  return z.int(allowed).min(least, allowed);
};
const positive = (unit: string, orNull = "") => {
  const allowed = `a number of ${unit} above 0${orNull}`;
  return z.number(allowed).positive(allowed);
};
const between = (least: number, most: number, orNull = "") => {
  const allowed = `a number from ${least} to ${most}${orNull}`;
  return z.number(allowed).min(least, allowed).max(most, allowed);
};
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `one of ${names.join(", ")}`);
const flag = () => z.boolean("true or false");
const OR_NULL = ", or null";

const URL_RULE = "an http or https URL without user, password or query (a key belongs in the environment: api_key_env)";
const VARIABLE_RULE = "the name of an environment variable, for example MODEL_API_KEY, never the key itself";

const REASONING_RULE = 'a whole number of turns of at least 0, or "all"';
const PROXY_RULE = `an http URL without user and password, or a reference to one, for example "\${HTTPS_PROXY}"`;

const isEndpoint = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return /^https?:$/.test(url?.protocol ?? "") && !url?.username && !url?.password && !url?.search && !url?.hash;
};

const isProxy = (text: string): boolean => text.includes("${") || (isEndpoint(text) && /^http:/.test(text));

const retries = section({
  max: whole(0).default(4),
  min_wait_ms: whole(0).default(500),
  max_wait_ms: whole(0).default(60_000),
});

const price = section({
  input: between(0, 1_000_000),
  output: between(0, 1_000_000),
  cached_input: between(0, 1_000_000, OR_NULL).nullable().default(null),
});

const model = section({
  provider: oneOf(["lexical", "openai"]),
  name: z.string("the model's name").min(1, "the model's name"),
  temperature: between(0, 2, OR_NULL).nullable().default(0.2),
  max_output_tokens: whole(1, OR_NULL).nullable().default(null),
  base_url: z.string(URL_RULE).refine(isEndpoint, URL_RULE).nullable().default(null),
  api_key_env: z
    .string(VARIABLE_RULE)
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, VARIABLE_RULE)
    .nullable()
    .default(null),
  timeout_seconds: positive("seconds").default(300),
  proxy: z.string(PROXY_RULE).refine(isProxy, PROXY_RULE).nullable().default(null),
  ca_file: z.string("a PEM file's path, or null").min(1, "a PEM file's path, or null").nullable().default(null),
  headers: z.record(z.string(), z.string("text"), "a map of header names to text").default({}),
  extra_body: z.record(z.string(), z.unknown(), "a map of keys for the request's body").default({}),
  send_seed: flag().default(true),
  reasoning_history: z.union([whole(0), z.literal("all")], REASONING_RULE).default(0),
  cache_responses: flag().default(false),
  retries: retries.prefault({}),
  requests_per_minute: whole(1, OR_NULL).nullable().default(null),
  tokens_per_minute: whole(1, OR_NULL).nullable().default(null),
  price: price.nullable().default(null),
}).refine(({ provider, base_url }) => provider !== "openai" || base_url !== null, {
  path: ["base_url"],
  error: `${URL_RULE} where provider is openai`,
});

const roles = section({
  process_validator: model.nullable().default(null),
  answer_validator: model.nullable().default(null),
});

const processValidation = section({
  mode: oneOf(VALIDATION_MODES).default("off"),
  checkpoint_interval: whole(1).default(12),
  retry_limit: whole(0).default(1),
  recent_steps: whole(1).default(200),
  max_items: whole(1).default(100),
  max_string_tokens: whole(1).default(10_000),
  max_list_items: whole(1).default(200),
  on_error: oneOf(ERROR_POLICIES).default("release"),
  mechanical: oneOf(VALIDATION_MODES).default("enforce"),
  log_packets: flag().default(false),
  strict_visual: flag().default(false),
});

const answerValidation = section({
  mode: oneOf(VALIDATION_MODES).default("off"),
  retry_limit: whole(0).default(2),
  on_error: oneOf(ERROR_POLICIES).default("release"),
});

const claims = section({
  mode: oneOf(VALIDATION_MODES).default("off"),
  checks: z.string("a checks file's path, or null").min(1, "a checks file's path, or null").nullable().default(null),
}).refine(({ mode, checks }) => mode === "off" || checks !== null, {
  path: ["checks"],
  error: "a checks file's path where claims.mode is not off",
});

const agent = section({
  strategy: oneOf(["react"]).default("react"),
  max_steps: whole(1).default(32),
  repair_limit: whole(0).default(3),
});

const limits = section({
  seconds: positive("seconds").default(600),
  tokens: whole(1, OR_NULL).nullable().default(null),
  cost_usd: positive("US dollars", OR_NULL).nullable().default(null),
  run_seconds: positive("seconds", OR_NULL).nullable().default(null),
});

const python = section({
  sandbox: oneOf(PYTHON_SANDBOXES).default("auto"),
  timeout_seconds: positive("seconds").default(60),
  // pandas does not start with less.
  memory_mb: whole(256).default(2048),
});

const tools = section({
  max_result_characters: whole(200).default(20_000),
  query_timeout_seconds: positive("seconds").default(30),
  max_answer_rows: whole(1).default(100_000),
  python: python.prefault({}),
});

const scoring = section({
  primary: oneOf(SCORER_NAMES).default("kdd-columns"),
  scorers: z
    .array(oneOf(SCORER_NAMES), `a list of ${SCORER_NAMES.join(", ")}`)
    .default(["kdd-columns", "exact-table", "cell-f1"]),
  penalty: between(0, 1).default(0.1),
  names: oneOf(["accept", "strict"]).default("accept"),
  thousands: flag().default(false),
  pass_min_score: between(0, 1, OR_NULL).nullable().default(null),
}).refine(({ primary, scorers }) => scorers.includes(primary), {
  path: ["primary"],
  error: "one of scoring.scorers",
});

const gate = section({
  min_pass: between(0, 1, OR_NULL).nullable().default(null),
  max_infra: whole(0).default(0),
  must_pass: z.array(z.string("a task id"), "a list of task ids").default([]),
});

/** Reads the merged layers of a profile into a `Profile`; the loader gives `name` where no layer does. */
export const profileSchema = section({
  name: z.string("text").min(1, "text"),
  model,
  roles: roles.prefault({}),
  agent: agent.prefault({}),
  process_validation: processValidation.prefault({}),
  answer_validation: answerValidation.prefault({}),
  claims: claims.prefault({}),
  discipline: oneOf(DISCIPLINES).default("none"),
  limits: limits.prefault({}),
  repeats: whole(1).default(3),
  concurrency: whole(1).default(4),
  seed: whole(0).default(0),
  tools: tools.prefault({}),
  scoring: scoring.prefault({}),
  gate: gate.prefault({}),
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
