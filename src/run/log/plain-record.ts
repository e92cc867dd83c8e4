import { INTEGRITY_FLAGS } from "../../core/integrity.js";
import type { ScoreRecord, TrialEnd } from "../../core/run-record.js";

/*
 * Nearly all lines of a long log are scores and ends of trials in their plainest form. These are told apart by hand, an order of magnitude faster than by
 * the schema, which stays the judge of everything else: what is taken here, the schema would take too (a test holds that over records of every
 * shape), and what is refused here goes to the schema, which may still take it, with defaults for older versions, or says what is wrong.
 */

type Fields = Readonly<Record<string, unknown>>;

/** A score or a trial's end as the writer writes it today; null where only the schema can tell. Keys that nobody knows stay in it. */
export function plainRecord(value: unknown): ScoreRecord | TrialEnd | null {
  if (!isFields(value)) return null;
  if (isScore(value) || isTrialEnd(value)) return value;
  return null;
}

function isScore(value: unknown): value is ScoreRecord {
  return (
    isFields(value) &&
    value.record === "score" &&
    isIdentity(value) &&
    isText(value.scorer) &&
    isText(value.scorer_version) &&
    isText(value.basis) &&
    isOneOf(value.status, STATUSES) &&
    (value.value === null || isNumber(value.value)) &&
    (value.reason === null || isText(value.reason)) &&
    isFields(value.details)
  );
}

const STATUSES: ReadonlySet<unknown> = new Set(["perfect", "partial", "none", "missing", "invalid", "unscored"]);

function isTrialEnd(value: unknown): value is TrialEnd {
  return (
    isFields(value) &&
    value.record === "trial-end" &&
    isIdentity(value) &&
    isPlainAnswer(value.outcome) &&
    (value.prediction === null || isText(value.prediction)) &&
    (value.signature === null || isText(value.signature)) &&
    Array.isArray(value.usage) &&
    value.usage.every(isUsage) &&
    (value.cost_usd === null || isNumber(value.cost_usd)) &&
    isCounts(value.requests) &&
    isNumber(value.wall_ms) &&
    isNumber(value.model_ms) &&
    isNumber(value.tool_ms) &&
    isWhole(value.steps) &&
    isCounts(value.tools) &&
    // Those of a checked trial are the schema's to read.
    Array.isArray(value.checks) &&
    value.checks.length === 0 &&
    (value.path === "recall" || value.path === "recompute") &&
    Array.isArray(value.integrity) &&
    value.integrity.every((flag) => isOneOf(flag, FLAGS))
  );
}

const FLAGS: ReadonlySet<unknown> = new Set(INTEGRITY_FLAGS);

function isIdentity({ arm, task_id, k, at, attempt }: Fields): boolean {
  return isText(arm) && isText(task_id) && isCountFromOne(k) && isText(at) && isCountFromOne(attempt);
}

function isPlainAnswer(outcome: unknown): boolean {
  return (
    isFields(outcome) &&
    outcome.kind === "answered" &&
    typeof outcome.forced === "boolean" &&
    typeof outcome.degraded === "boolean" &&
    isFields(outcome.validation) &&
    isOneOf(outcome.validation.process, STANDINGS) &&
    isOneOf(outcome.validation.answer, STANDINGS)
  );
}

const STANDINGS: ReadonlySet<unknown> = new Set(["passed", "released", "exhausted", "skipped", "observe", "off"]);

function isUsage(row: unknown): boolean {
  return (
    isFields(row) &&
    isText(row.purpose) &&
    isText(row.model) &&
    isWhole(row.calls) &&
    isNumber(row.ms) &&
    isTokens(row.input_tokens) &&
    isTokens(row.output_tokens) &&
    isTokens(row.cached_tokens) &&
    isTokens(row.reasoning_tokens)
  );
}

const isTokens = (value: unknown): boolean => value === null || (isWhole(value) && value >= 0);

function isCounts(value: unknown): boolean {
  if (!isFields(value)) return false;
  for (const key in value) if (!isNumber(value[key])) return false;
  return true;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
/** JSON has no NaN and no infinity but for numbers that are too large, such as 1e999. */
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isCountFromOne = (value: unknown): boolean => isWhole(value) && value >= 1;
const isOneOf = (value: unknown, set: ReadonlySet<unknown>): boolean => set.has(value);
