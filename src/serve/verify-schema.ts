import { z } from "zod";
import { LAYERS, OUTPUT_RULES, type OutputVerdict, SCOPES } from "../core/verification.js";

/** Outputs of one call. */
const MAX_OUTPUTS = 32;

const TEXT = "text that is not blank";
const text = () => z.string(TEXT).refine((value) => value.trim() !== "", TEXT);
const output = z.string("text").describe("What is judged.");

/**
 * The body of `POST /v1/verify`: task, output, accept, and by whom. Nothing else is taken: the more of its making a judge sees, the more lenient
 * it is (seed 3).
 */
export const verifyRequestSchema = z.strictObject({
  task: text().describe("The whole task."),
  output: z
    .union([output, z.array(output).min(1).max(MAX_OUTPUTS)], `text, or a list of 1 to ${MAX_OUTPUTS} texts`)
    .describe("One output, or several that are judged each by itself."),
  accept: text()
    .nullable()
    .default(null)
    .describe("When the output is done, in words that a third party can check; null: when the task is answered."),
  profiles: z
    .array(z.string("a verifier's name"), "a list of one or two verifiers' names")
    .min(1, "a list of one or two verifiers' names")
    .max(2, "a list of one or two verifiers' names")
    .refine(([a, b]) => a !== b, "two different names")
    .optional()
    .describe("Which of the verifiers that are kept; two: both, and whether they disagree. Default: the first."),
});
export type VerifyRequest = z.output<typeof verifyRequestSchema>;

export const problemSchema = z
  .object({
    type: z.string().describe("A URI reference; `about:blank` where the status says it all."),
    title: z.string(),
    status: z.int(),
    code: z.string().describe("kebab-case; stable."),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .describe("RFC 9457.");
export type Problem = z.output<typeof problemSchema>;

const verdictShape = {
  passed: z.boolean(),
  score: z.number().min(0).max(1).nullable().describe("Null where code decided."),
  layer: z.enum(LAYERS).describe("Where the verification stopped."),
  reason: z.string(),
  scope: z
    .enum(SCOPES)
    .nullable()
    .describe("What a failure is a fault of: the output, or the plan. Null where it passed."),
  findings: z.array(z.object({ rule: z.enum(OUTPUT_RULES), detail: z.string() })),
  verifier_version: z.string().describe("Of prompts, thresholds and model: equal versions, comparable verdicts."),
};
export const verdictSchema = z.object(verdictShape) satisfies z.ZodType<OutputVerdict & { verifier_version: string }>;

/** In a list, what one verifier could not judge does not take the others with it. */
const entrySchema = z.union([verdictSchema, z.object({ problem: problemSchema })]);
const namedEntry = z.union([
  z.object({ profile: z.string(), ...verdictShape }),
  z.object({ profile: z.string(), problem: problemSchema }),
]);

export const pairSchema = z
  .object({
    disagree: z.boolean().nullable().describe("One passes it and the other does not; null where one gave no verdict."),
    verdicts: z.array(namedEntry).length(2),
  })
  .describe("What two verifiers say of one output.");

export const severalSchema = z
  .object({ outputs: z.array(z.union([entrySchema, pairSchema])) })
  .describe("One entry an output, in their order.");

export const verifyResponseSchema = z.union([verdictSchema, pairSchema, severalSchema]);
export type Entry = z.output<typeof entrySchema>;
export type Pair = z.output<typeof pairSchema>;
export type VerifyResponse = z.output<typeof verifyResponseSchema>;

export const healthSchema = z.object({
  status: z.literal("ok"),
  verifiers: z.array(z.object({ name: z.string(), verifier_version: z.string() })),
});
