import { z } from "zod";
import { profileSchema } from "../../config/profile-schema.js";
import { INTEGRITY_FLAGS } from "../../core/integrity.js";
import { SANDBOX_KINDS } from "../../core/ports/sandbox.js";
import { ANSWER_PATHS, type RunRecord } from "../../core/run-record.js";
import { DIFFICULTIES } from "../../core/task.js";
import { usageSchema } from "../../models/response-schema.js";
import { claimChecksSchema } from "../scores/claim-checks.js";
import { outcomeSchema } from "./event-schema.js";
import { planRecordSchema } from "./event-schema-plan.js";
import { endedCheckSchema } from "./event-schema-validation.js";

/** How a line of run.jsonl is read back, once it is of today's version. The meaning of each field stands at its type in core/run-record.ts. */

const identity = { arm: z.string(), task_id: z.string(), k: z.int().min(1) };
const counts = z.record(z.string(), z.number());
const score = {
  at: z.string(),
  attempt: z.int().min(1),
  scorer: z.string(),
  scorer_version: z.string(),
  basis: z.string(),
  status: z.enum(["perfect", "partial", "none", "missing", "invalid", "unscored"]),
  value: z.number().nullable(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
};

const plannedTasks = z.array(
  z.object({
    task_id: z.string(),
    difficulty: z.enum(DIFFICULTIES),
    tags: z.array(z.string()),
    input_digest: z.string().nullable(),
    gold_digest: z.string().nullable(),
  }),
);

const sandboxFound = z.object({ python: z.enum(SANDBOX_KINDS).nullable(), reason: z.string().nullable() });

export const recordSchema = z.discriminatedUnion("record", [
  z.object({
    record: z.literal("run-start"),
    schema_version: z.int(),
    run_id: z.string(),
    at: z.string(),
    // The loader's own schema: a log of an older version gets the defaults of the keys that came later.
    profile: profileSchema,
    arm_profiles: z.record(z.string(), profileSchema),
    profile_digest: z.string(),
    suite: z.object({ name: z.string(), path: z.string() }),
    tasks: plannedTasks,
    shard: z.object({ index: z.int(), count: z.int(), tasks: plannedTasks }).nullable(),
    selection: z.object({ only: z.array(z.string()), tags: z.array(z.string()), limit: z.int().nullable() }).nullable(),
    arms: z.array(z.string()),
    repeats: z.int(),
    seed: z.int(),
    sandbox: sandboxFound,
    arm_sandboxes: z.record(z.string(), sandboxFound),
    git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
    versions: z.object({ daw_eval: z.string(), node: z.string(), platform: z.string() }),
    argv: z.array(z.string()),
    replay_of: z.object({ run_id: z.string(), folder: z.string() }).nullable(),
    additions: z.array(z.string()),
    imported: z
      .object({
        tool: z.string(),
        runs: z.array(z.object({ run_id: z.string(), folder: z.string(), digest: z.string() })),
        notes: z.array(z.string()),
      })
      .nullable(),
    claim_checks: claimChecksSchema,
  }),
  z.object({
    record: z.literal("run-resume"),
    at: z.string(),
    forced: z.array(z.string()),
    added: plannedTasks,
    argv: z.array(z.string()),
  }),
  z.object({
    record: z.literal("trial-end"),
    ...identity,
    at: z.string(),
    attempt: z.int().min(1),
    outcome: outcomeSchema,
    prediction: z.string().nullable(),
    signature: z.string().nullable(),
    usage: z.array(
      z.object({ purpose: z.string(), model: z.string(), calls: z.int(), ms: z.number(), ...usageSchema.shape }),
    ),
    cost_usd: z.number().nullable(),
    requests: counts,
    wall_ms: z.number(),
    model_ms: z.number(),
    tool_ms: z.number(),
    steps: z.int(),
    tools: counts,
    checks: z.array(endedCheckSchema),
    plan: planRecordSchema.exactOptional(),
    path: z.enum(ANSWER_PATHS),
    integrity: z.array(z.enum(INTEGRITY_FLAGS)),
  }),
  z.object({ record: z.literal("score"), ...identity, ...score }),
  z.object({ record: z.literal("candidate-score"), ...identity, candidate: z.string(), ...score }),
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
