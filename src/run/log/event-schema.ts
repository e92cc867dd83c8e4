import { z } from "zod";
import type { TrialEvent } from "../../core/event.js";
import { PAUSE_POINTS } from "../../core/event-plan.js";
import { VALIDATORS } from "../../core/event-validation.js";
import { IMAGE_TYPES, MODEL_FAILURE_CLASSES, PURPOSES } from "../../core/message.js";
import { AGENT_FAULTS, type TrialOutcome } from "../../core/outcome.js";
import { OVERLAY_TYPES } from "../../core/overlay.js";
import { responseSchema } from "../../models/response-schema.js";
import { claimChecksSchema } from "../scores/claim-checks.js";
import { candidateFile, commandEvents } from "./event-schema-command.js";
import { planEvents } from "./event-schema-plan.js";
import { position, validationEvents } from "./event-schema-validation.js";

/** How a line of events.jsonl is read back. The meaning of each field stands at its type in core/event.ts. */

const identity = z.object({ arm: z.string(), task_id: z.string(), k: z.int().min(1) });
const toolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
const failure = z.object({ class: z.enum(MODEL_FAILURE_CLASSES), message: z.string(), status: z.number().nullable() });
const lightCatalog = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      source: z.string(),
      rows: z.number(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
    }),
  ),
  relationships: z.array(
    z.object({
      from_table: z.string(),
      from_column: z.string(),
      to_table: z.string(),
      to_column: z.string(),
      kind: z.enum(["declared", "inferred"]),
    }),
  ),
  documents: z.array(z.object({ path: z.string(), characters: z.number() })),
  media: z.array(z.object({ path: z.string(), type: z.string() })),
  uncertainties: z.array(z.string()),
});

const issuedQueries = z.array(z.object({ sql: z.string(), rows: z.int().nullable() })).exactOptional();

const imageReference = z.object({ path: z.string(), digest: z.string(), type: z.enum(IMAGE_TYPES), bytes: z.int() });

const cells = z.array(z.array(z.string().nullable()));
const overlayTable = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.enum(OVERLAY_TYPES) })),
  rows: cells,
});
const checkAnswer = z.union([
  z.object({
    ok: z.literal(true),
    table: z.object({ columns: z.array(z.string()), types: z.array(z.string()), rows: cells }),
    truncated: z.boolean(),
    ms: z.number(),
  }),
  z.object({ ok: z.literal(true), tree: z.unknown() }),
  z.object({ ok: z.literal(true), columns: z.array(z.string()), rows: z.int(), signature: z.string() }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.enum(["refused", "sql-error", "timeout", "worker-lost"]), message: z.string() }),
    ms: z.number(),
  }),
]);

const limit = z.enum(["tokens", "cost", "seconds", "context-window"]);
const validation = z.enum(["passed", "released", "exhausted", "skipped", "observe", "off"]);

export const outcomeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("answered"),
    forced: z.boolean(),
    degraded: z.boolean(),
    validation: z.object({ process: validation, answer: validation }),
  }),
  z.object({ kind: z.literal("no-answer"), reason: z.enum(["max-steps", "refusal", "empty"]) }),
  z.object({ kind: z.literal("limit-reached"), limit }),
  z.object({ kind: z.literal("agent-error"), reason: z.enum(AGENT_FAULTS), message: z.string() }),
  z.object({
    kind: z.literal("infra-error"),
    class: z.enum([...MODEL_FAILURE_CLASSES.filter((name) => name !== "context-window"), "sandbox", "context"]),
    message: z.string(),
  }),
]) satisfies z.ZodType<TrialOutcome>;

export const eventSchema = z.discriminatedUnion("type", [
  z.object({
    ...position,
    type: z.literal("trial-started"),
    trial: identity,
    attempt: z.int().min(1),
    seed: z.int(),
    question: z.string(),
    catalog: lightCatalog,
    knowledge: z.string().nullable(),
    tools: z.array(toolSchema),
    absent_tools: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
    prompts: z.string(),
    language: z.enum(["en", "zh"]),
    context_digest: z.string(),
    claim_checks: claimChecksSchema,
  }),
  z.object({
    ...position,
    type: z.literal("model-responded"),
    purpose: z.enum(PURPOSES),
    request_digest: z.string(),
    request_bytes: z.number(),
    response: responseSchema,
    cached: z.literal(true).exactOptional(),
    ms: z.number(),
  }),
  z.object({
    ...position,
    type: z.literal("model-failed"),
    purpose: z.enum(PURPOSES),
    request_digest: z.string(),
    failure,
    final: z.boolean(),
    ms: z.number(),
  }),
  z.object({
    ...position,
    type: z.literal("tool-returned"),
    call_id: z.string(),
    tool: z.string(),
    args: z.unknown(),
    ok: z.boolean(),
    content: z.string(),
    truncated: z.boolean(),
    error: z.string().nullable(),
    queries: issuedQueries,
    table: overlayTable.exactOptional(),
    image: imageReference.exactOptional(),
    ms: z.number(),
  }),
  z.object({
    ...position,
    type: z.literal("extraction-requested"),
    call_id: z.string(),
    path: z.string(),
    fields: z.array(z.string()),
    passage: z.int(),
    passages: z.int(),
    lines: z.array(z.object({ line: z.int(), text: z.string() })),
    mend: z.string().nullable(),
  }),
  z.object({
    ...position,
    type: z.literal("candidate-submitted"),
    call_id: z.string(),
    tool: z.string(),
    args: z.unknown(),
    content: z.string(),
    candidate: candidateFile,
    source: z.object({ tool: z.string(), args: z.unknown(), queries: issuedQueries }),
    conclusion: z.string().nullable(),
    ms: z.number(),
  }),
  z.object({
    ...position,
    type: z.literal("data-queried"),
    validator: z.enum(VALIDATORS),
    why: z.string(),
    answer: z.enum(["rows", "tree", "signature"]),
    queries: z.array(z.string()),
    results: z.array(checkAnswer),
    ms: z.number(),
  }),
  z.object({
    ...position,
    type: z.literal("repair-requested"),
    reason: z.enum(["no-tool-call", "bad-arguments", "empty-reply"]),
    message: z.string(),
  }),
  ...validationEvents,
  ...planEvents,
  z.object({ ...position, type: z.literal("answer-forced"), message: z.string() }),
  z.object({ ...position, type: z.literal("limit-reached"), limit, detail: z.string() }),
  ...commandEvents,
  z.object({
    ...position,
    type: z.literal("trial-suspended"),
    why: z.enum(["cancelled", "paused"]),
    pause: z.enum(PAUSE_POINTS).exactOptional(),
  }),
  z.object({ ...position, type: z.literal("trial-resumed") }),
  z.object({
    ...position,
    type: z.literal("trial-finished"),
    outcome: outcomeSchema,
    prediction: z.string().nullable(),
    signature: z.string().nullable(),
  }),
]) satisfies z.ZodType<TrialEvent>;
