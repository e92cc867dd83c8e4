import { z } from "zod";
import { UsageError } from "../../core/errors.js";
import type { Example, Judged, JudgeName } from "./example.js";

/** What went wrong in a bad example, as the starter sets name it; other names are as good. */
const MODE_RULE = 'a few words, for example "format", "fabricated-citation", "off-target" or "hollow"';

const words = (rule: string) => z.string(rule).refine((text) => text.trim() !== "", rule);
const objects = (rule: string) => z.array(z.looseObject({}, "an object"), rule);

/** Keys that an example of any validator has. */
const LABELLED = {
  task: words("the task's question as text"),
  label: z.enum(["good", "bad"], '"good" or "bad"'),
  failure_mode: words(MODE_RULE).max(40, MODE_RULE).optional(),
  holdout: z.boolean("true or false").default(false),
};

const FINDINGS = objects("a list of findings");

const SCHEMAS = {
  goal: z
    .strictObject({
      ...LABELLED,
      sub_goal: words("text").optional(),
      accept: words("text").optional(),
      output: z.string("the output as text"),
      evidence: z
        .record(z.string().regex(/^E\d+$/), z.string("text"), 'texts by id, for example {"E1": "…"}')
        .optional(),
    })
    .transform(
      ({ task, sub_goal = null, accept = null, output, evidence }): Judged => ({
        judge: "goal",
        task,
        sub_goal,
        accept,
        output,
        evidence: evidence === undefined ? null : Object.entries(evidence).map(([id, text]) => ({ id, text })),
      }),
    ),
  process: z
    .strictObject({
      ...LABELLED,
      packet: z.strictObject(
        {
          candidate: z.looseObject({}, "an object").nullable(),
          evidence_items: objects("a list of evidence items"),
          omitted_or_unusable: objects("a list of omitted observations").default([]),
          mechanical_findings: FINDINGS.default([]),
          has_visuals: z.boolean("true or false").default(false),
          previous_ledger: z.looseObject({}, "an object or null").nullable().default(null),
          recent_steps: objects("a list of steps").default([]),
          knowledge: z.string("text or null").nullable().default(null),
        },
        "an object: what the validator is shown",
      ),
    })
    .transform(({ task, packet }): Judged => ({ judge: "process", material: { question: task, ...packet } })),
  answer: z
    .strictObject({
      ...LABELLED,
      packet: z.strictObject(
        {
          columns: objects("a list of columns"),
          row_count: z.int("a whole number").min(0, "a whole number"),
          form_findings: FINDINGS.default([]),
          validation_history: objects("a list of verdicts").default([]),
          knowledge: z.string("text or null").nullable().default(null),
        },
        "an object: what the validator is shown",
      ),
    })
    .transform(({ task, packet }): Judged => ({ judge: "answer", material: { question: task, ...packet } })),
} satisfies Record<JudgeName, z.ZodType<Judged>>;

const labelled = z
  .looseObject(LABELLED)
  .refine(({ label, failure_mode }) => label === "bad" || failure_mode === undefined, {
    path: ["failure_mode"],
    error: "left out where the label is good",
  });

/**
 * Reads examples, one JSON object a line; blank lines are passed over. Throws UsageError with every fault of every line, `source:line: what`, so
 * that a file is mended in one go.
 */
export function readExamples(text: string, source: string, judge: JudgeName): readonly Example[] {
  const problems: string[] = [];
  const examples = text.split("\n").flatMap((line, index): Example[] => {
    if (line.trim() === "") return [];
    const at = `${source}:${index + 1}`;
    const read = readExample(line, at, judge);
    if (!("problems" in read)) return [read];
    problems.push(...read.problems.map((problem) => `${at}: ${problem}`));
    return [];
  });
  if (problems.length > 0) throw new UsageError(problems);
  if (examples.length === 0) throw new UsageError(`${source}: there is no example in it`);
  return examples;
}

function readExample(line: string, at: string, judge: JudgeName): Example | { readonly problems: readonly string[] } {
  const value = jsonOf(line);
  if (value === undefined) return { problems: ["not JSON: one object a line is needed"] };
  const judged = SCHEMAS[judge].safeParse(value);
  const label = labelled.safeParse(value);
  if (judged.success && label.success) {
    const { label: good, failure_mode, holdout } = label.data;
    const mode = failure_mode === undefined ? null : kebabCase(failure_mode);
    return { at, label: good, failure_mode: mode, held_out: holdout, judged: judged.data };
  }
  const issues = [...(judged.error?.issues ?? []), ...(label.error?.issues ?? [])];
  return { problems: [...new Set(issues.map((issue) => problemOf(issue, judge)))] };
}

function problemOf(issue: z.core.$ZodIssue, judge: JudgeName): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown ${place === "" ? "key" : `key of ${place}`} ${keys} in an example for the ${judge} validator`;
  }
  return place === "" ? "must be an object" : `${place} must be ${issue.message}`;
}

/** `Fabricated citation` → `fabricated-citation`: one mode, however it is written. */
const kebabCase = (mode: string): string =>
  mode
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "-");

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
