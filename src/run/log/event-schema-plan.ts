import { z } from "zod";
import { DEGRADE_REASONS, PAUSE_POINTS, REFUSALS, ROUTES } from "../../core/event-plan.js";
import { LAYERS, OUTPUT_RULES, SCOPES } from "../../core/verification.js";
import { position } from "./event-schema-validation.js";

/** How the events of a plan are read back. The meaning of each field stands at its type in core/event-plan.ts. */

const texts = z.array(z.string());
const plan = z.array(
  z.object({ id: z.string(), goal: z.string(), accept: z.string(), tool_hint: z.string().nullable() }),
);
const made = { plan, fingerprint: texts };

const verdict = z.object({
  passed: z.boolean(),
  score: z.number().nullable(),
  layer: z.enum(LAYERS),
  reason: z.string(),
  scope: z.enum(SCOPES).nullable(),
  findings: z.array(z.object({ rule: z.enum(OUTPUT_RULES), detail: z.string() })),
});

/** What a trial's plans came to, in its trial-end record. */
export const planRecordSchema = z.object({
  rounds: z.int(),
  replans: z.int(),
  degraded: z.enum(DEGRADE_REASONS).nullable(),
  verdicts: z.array(
    z.object({
      sub_goal: z.string().nullable(),
      round: z.int(),
      passed: z.boolean(),
      layer: z.enum(LAYERS).nullable(),
      score: z.number().nullable(),
      scope: z.enum(SCOPES).nullable(),
      rules: z.array(z.enum(OUTPUT_RULES)),
    }),
  ),
  evidence: z.int(),
  empty_results: z.int(),
  reused: z.int(),
  requests: z.int(),
  shown_tokens: z.int(),
  full_tokens: z.int(),
});

export const planEvents = [
  z.object({ ...position, type: z.literal("plan-set"), ...made, collides: z.boolean(), vague: texts }),
  z.object({
    ...position,
    type: z.literal("reply-refused"),
    purpose: z.enum(["planner", "verifier"]),
    reason: z.enum(REFUSALS),
    message: z.string(),
  }),
  z.object({
    ...position,
    type: z.literal("execution-started"),
    sub_goal: z.string(),
    round: z.int().min(1),
    shown_tokens: z.int().min(0),
    full_tokens: z.int().min(0),
  }),
  z.object({
    ...position,
    type: z.literal("output-recorded"),
    sub_goal: z.string(),
    text: z.string(),
    reused_from: z.string().nullable(),
  }),
  z.object({
    ...position,
    type: z.literal("step-verified"),
    sub_goal: z.string().nullable(),
    round: z.int().min(0),
    verdict: verdict.nullable(),
    error: z.string().nullable(),
  }),
  z.object({
    ...position,
    type: z.literal("route-taken"),
    to: z.enum(ROUTES),
    degraded: z.enum(DEGRADE_REASONS).nullable(),
  }),
  z.object({
    ...position,
    type: z.literal("outputs-compressed"),
    sub_goals: texts,
    text: z.string(),
    tokens_before: z.int().min(0),
    tokens_after: z.int().min(0),
  }),
  z.object({
    ...position,
    type: z.literal("person-decided"),
    pause: z.enum(PAUSE_POINTS),
    decision: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("approve") }),
      z.object({ kind: z.literal("reject"), why: z.string() }),
      z.object({ kind: z.literal("edit-plan"), ...made }),
    ]),
  }),
] as const;
