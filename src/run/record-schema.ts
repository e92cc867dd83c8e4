import { z } from "zod";
import type { Profile } from "../core/profile.js";
import type { RunRecord } from "../core/run-record.js";
import { DIFFICULTIES } from "../core/task.js";
import { outcomeSchema, usageSchema } from "./event-schema.js";

/** How a line of run.jsonl is read back. The meaning of each field stands at its type in core/run-record.ts. */

const identity = { arm: z.string(), task_id: z.string(), k: z.int().min(1) };
const counts = z.record(z.string(), z.number());

const retries = z.object({ max: z.number(), min_wait_ms: z.number(), max_wait_ms: z.number() });
const price = z.object({ input: z.number(), output: z.number(), cached_input: z.number().nullable() });

const model = z.object({
  provider: z.enum(["lexical", "openai"]),
  name: z.string(),
  temperature: z.number().nullable(),
  max_output_tokens: z.number().nullable(),
  base_url: z.string().nullable(),
  api_key_env: z.string().nullable(),
  timeout_seconds: z.number(),
  headers: z.record(z.string(), z.string()),
  extra_body: z.record(z.string(), z.unknown()),
  send_seed: z.boolean(),
  retries,
  price: price.nullable(),
});

const profile = z.object({
  name: z.string(),
  model,
  agent: z.object({ strategy: z.literal("react"), max_steps: z.number(), repair_limit: z.number() }),
  limits: z.object({ seconds: z.number(), tokens: z.number().nullable(), cost_usd: z.number().nullable() }),
  repeats: z.number(),
  concurrency: z.number(),
  seed: z.number(),
  tools: z.object({
    max_result_characters: z.number(),
    query_timeout_seconds: z.number(),
    max_answer_rows: z.number(),
  }),
  scoring: z.object({
    primary: z.string(),
    scorers: z.array(z.string()),
    penalty: z.number(),
    names: z.enum(["accept", "strict"]),
    thousands: z.boolean(),
    pass_min_score: z.number().nullable(),
  }),
  gate: z.object({ min_pass: z.number().nullable(), max_infra: z.number() }),
}) satisfies z.ZodType<Profile>;

export const recordSchema = z.discriminatedUnion("record", [
  z.object({
    record: z.literal("run-start"),
    schema_version: z.int(),
    run_id: z.string(),
    at: z.string(),
    profile,
    profile_digest: z.string(),
    suite: z.object({ name: z.string(), path: z.string() }),
    tasks: z.array(
      z.object({
        task_id: z.string(),
        difficulty: z.enum(DIFFICULTIES),
        tags: z.array(z.string()),
        input_digest: z.string(),
        gold_digest: z.string().nullable(),
      }),
    ),
    arms: z.array(z.string()),
    repeats: z.int(),
    seed: z.int(),
    git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
    versions: z.object({ daw_eval: z.string(), node: z.string(), platform: z.string() }),
    argv: z.array(z.string()),
  }),
  z.object({ record: z.literal("run-resume"), at: z.string(), forced: z.array(z.string()), argv: z.array(z.string()) }),
  z.object({
    record: z.literal("trial-end"),
    ...identity,
    at: z.string(),
    attempt: z.int().min(1),
    outcome: outcomeSchema,
    prediction: z.string().nullable(),
    signature: z.string().nullable(),
    usage: z.array(z.object({ purpose: z.string(), model: z.string(), ...usageSchema.shape })),
    cost_usd: z.number().nullable(),
    requests: counts,
    wall_ms: z.number(),
    model_ms: z.number(),
    tool_ms: z.number(),
    steps: z.int(),
    tools: counts,
    path: z.enum(["recall", "recompute"]),
  }),
  z.object({
    record: z.literal("score"),
    ...identity,
    at: z.string(),
    attempt: z.int().min(1),
    scorer: z.string(),
    scorer_version: z.string(),
    basis: z.string(),
    status: z.enum(["perfect", "partial", "none", "missing", "invalid", "unscored"]),
    value: z.number().nullable(),
    reason: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  }),
  z.object({
    record: z.literal("run-end"),
    at: z.string(),
    status: z.enum(["completed", "interrupted", "failed"]),
    counts: z.object({
      planned: z.int(),
      valid: z.int(),
      infra_error: z.int(),
      suspended: z.int(),
      not_run: z.int(),
    }),
  }),
]) satisfies z.ZodType<RunRecord>;
