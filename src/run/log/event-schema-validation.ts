import { z } from "zod";
import { ANSWER_JUDGES, SKIP_REASONS, TRIGGERS, VALIDATORS, VERDICTS } from "../../core/event-validation.js";
import { CAPABILITIES } from "../../core/evidence.js";
import { FINDING_LEVELS, FORM_RULES, MECHANICAL_RULES } from "../../core/finding.js";

/** How the events of checks are read back. The meaning of each field stands at its type in core/event-validation.ts. */

export const position = { seq: z.int().min(0), at: z.string(), waited_ms: z.number().exactOptional() };

const texts = z.array(z.string());
const mode = z.enum(["observe", "enforce"]);
const rule = z.enum([...MECHANICAL_RULES, ...FORM_RULES]);
const level = z.enum(FINDING_LEVELS);
const finding = z.object({ rule, level, evidence: texts, detail: z.string() });

const ledger = z.object({
  intent_summary: z.string(),
  verified_claims: texts,
  unverified_assumptions: texts,
  unresolved_ambiguities: texts,
  drift_risks: texts,
});

const named = z.object({ kind: z.enum(["table", "tool_result"]), name: z.string() });
const packet = z.object({
  schema_version: z.literal(2),
  evidence_items: z.array(
    z.object({
      id: z.string(),
      trace_step_index: z.int(),
      tool_call_id: z.string(),
      tool: z.string(),
      capabilities: z.array(z.enum(CAPABILITIES)),
      source: z.union([z.object({ kind: z.enum(["document", "image"]), path: z.string() }), named]),
      request: z.unknown(),
      observation: z.object({
        status: z.literal("complete"),
        truncated: z.literal(false),
        locator: z.union([
          z.object({ kind: z.literal("document"), path: z.string(), heading: z.string().exactOptional() }),
          named,
          z.object({ frame_path: z.string() }),
        ]),
        evidence_excerpt: z.unknown(),
        excerpt_cut: z.literal(true).exactOptional(),
      }),
    }),
  ),
  omitted_or_unusable: z.array(
    z.object({
      tool: z.string(),
      source: z.string(),
      reason: z.enum(["not_successful", "truncated_result", "evidence_budget"]),
    }),
  ),
});

const judgement = {
  step: z.int(),
  mode,
  by: z.enum(["code", "model"]),
  verdict: z.enum(VERDICTS),
  issues: texts,
  required_next_actions: texts,
  findings: z.array(finding),
  validator_error: z.string().nullable(),
  message: z.string().nullable(),
};

export const validationEvents = [
  z.object({
    ...position,
    type: z.literal("process-validated"),
    ...judgement,
    trigger: z.enum(TRIGGERS),
    inconsistent: z.boolean(),
    ledger: ledger.nullable(),
    packet_digest: z.string(),
    packet: packet.exactOptional(),
    candidate: z.string().nullable(),
  }),
  z.object({
    ...position,
    type: z.literal("answer-validated"),
    ...judgement,
    by: z.enum(ANSWER_JUDGES),
    candidate: z.string(),
  }),
  z.object({
    ...position,
    type: z.literal("validation-skipped"),
    validator: z.enum(VALIDATORS),
    trigger: z.enum(TRIGGERS),
    mode,
    reason: z.enum(SKIP_REASONS),
    step: z.int(),
    findings: z.array(finding),
    candidate: z.string().nullable(),
  }),
  z.object({
    ...position,
    type: z.literal("candidate-cleared"),
    by: z.enum(VALIDATORS),
    candidate: z.string(),
  }),
] as const;

/** A line a check in a trial-end record. */
export const endedCheckSchema = z.object({
  seq: z.int(),
  validator: z.enum(VALIDATORS),
  trigger: z.enum(TRIGGERS),
  mode,
  verdict: z.enum([...VERDICTS, ...SKIP_REASONS]),
  by: z.enum(ANSWER_JUDGES).nullable(),
  step: z.int(),
  candidate: z.object({ file: z.string(), signature: z.string() }).nullable(),
  findings: z.array(z.object({ rule, level })),
  inconsistent: z.boolean(),
});
