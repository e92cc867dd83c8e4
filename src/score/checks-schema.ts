import { z } from "zod";
import { LINE_PLACES } from "../answer/line-format.js";
import { CONTEXT_NAME } from "../context/connections/connection.js";
import { EXTRACT_MODES } from "../core/claim-check.js";
import { SCORER_NAMES } from "../core/profile.js";

/*
 * What a checks.yaml may say. Strict at every depth; the message of a check is what is allowed, the loader says where.
 */

/** Labels that a claim check needs, and how many of them must be real, before it may fail a trial. */
const LEAST_LABELS = 12;
const LEAST_PRECISION = 0.95;

const TEXT = "must be text that is not empty";
const text = z.string(TEXT).trim().min(1, TEXT);
const terms = z.array(text, "must be a list of text").default([]);

const scoring = z.strictObject({
  /** Scorers for this task beside the profile's. */
  scorers: z.array(z.enum(SCORER_NAMES)).optional(),
  penalty: z.number().min(0).max(1).optional(),
  names: z.enum(["accept", "strict"]).optional(),
  thousands: z.boolean().optional(),
  tolerance: z.number().min(0).optional(),
});

const verify = z
  .strictObject({
    name: text,
    domain_sql: text,
    anchors: terms,
    extract: z.enum(EXTRACT_MODES, `one of ${EXTRACT_MODES.join(", ")}`).default("suffix"),
    entity_suffixes: terms,
    generic_terms: terms,
    zero_use_terms: terms,
    column: text.optional(),
    /** A red fails the trial; refused without labels that show the check's precision. */
    gate: z.boolean("true or false").default(false),
    /** JSON Lines of labelled reds, relative to the checks file. */
    labels: text.optional(),
    min_labels: z.int("a whole number").min(1, "at least 1").default(LEAST_LABELS),
    min_precision: z.number("a number").min(0, "from 0 to 1").max(1, "from 0 to 1").default(LEAST_PRECISION),
  })
  .refine(({ anchors, column }) => anchors.length > 0 || column !== undefined, {
    path: ["anchors"],
    error:
      "give anchors, so that claims of the conclusion are found, or the column of the prediction to look at instead",
  })
  .refine(({ gate, labels }) => !gate || labels !== undefined, {
    path: ["gate"],
    error: "a gate needs labels: the file with the labelled reds that show its precision",
  });

const VARIABLE = "the name of an environment variable, which holds the URL";

const connection = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("sqlite"), path: text }),
    z.strictObject({ type: z.literal("duckdb"), path: text }),
    z.strictObject({
      type: z.literal("postgres"),
      url_env: z.string(VARIABLE).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, VARIABLE),
    }),
  ],
  "a connection of type sqlite, duckdb or postgres",
);

const PATTERN = "a regular expression of JavaScript with the flag u";

const lineFormat = z.strictObject({
  name: text,
  pattern: z.string(PATTERN).min(1, PATTERN).refine(isPattern, PATTERN),
  where: z.enum(LINE_PLACES, `one of ${LINE_PLACES.join(", ")}`).default("any-line"),
  required: z.boolean("true or false").default(false),
});

export const checksSchema = z.strictObject(
  {
    scoring: scoring.optional(),
    verify: z.array(verify, "a list of checks").default([]).superRefine(uniqueNames),
    connections: z.record(z.string(), connection, "a map of connections").default({}).superRefine(usableNames),
    line_formats: z.array(lineFormat, "a list of line formats").default([]).superRefine(uniqueNames),
  },
  "a map with any of scoring, verify, connections, line_formats",
);

export type ScoringChecks = z.infer<typeof scoring>;
export type VerifyEntry = z.infer<typeof verify>;
export type ConnectionEntry = z.infer<typeof connection>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

/** Findings and rates are told apart by name. */
function uniqueNames(entries: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  for (const [index, { name }] of entries.entries()) {
    if (entries.findIndex((other) => other.name === name) === index) continue;
    context.addIssue({ code: "custom", path: [index, "name"], message: `"${name}" is already the name of another` });
  }
}

/** A connection's name stands alone in the first line of a query. */
function usableNames(connections: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const name of Object.keys(connections)) {
    const message = name === CONTEXT_NAME ? `"${name}" is the task's own data` : "a connection's name is one word";
    if (name === CONTEXT_NAME || !/^\S+$/.test(name)) context.addIssue({ code: "custom", path: [name], message });
  }
}

/** The keys that the map at `path` knows; empty where the path leads to none. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = checksSchema;
  for (const key of path) {
    const inner = unwrap(schema);
    if (inner instanceof z.ZodObject) schema = inner.shape[String(key)];
    else if (inner instanceof z.ZodArray) schema = inner.element;
    else if (inner instanceof z.ZodRecord) schema = inner.valueType;
    else return [];
  }
  const inner = unwrap(schema);
  if (inner instanceof z.ZodDiscriminatedUnion) return [...new Set(inner.options.flatMap(keysOf))];
  return keysOf(inner);
}

const keysOf = (schema: unknown): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
