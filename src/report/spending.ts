import type { Usage } from "../core/message.js";
import type { TrialEnd } from "../core/run-record.js";
import type { UsageRow } from "../core/state.js";

/** Tokens, money and requests over many trials. A count that no endpoint reported is null; known and unknown add up to known. */
export interface Spending extends Usage {
  readonly by_purpose: readonly UsageRow[];
  readonly cost_usd: number | null;
  /** Trials that called a model and whose cost is not known: `cost_usd` does not have them. */
  readonly unpriced_trials: number;
  /** Model requests, retries included: `ok`, `cached` and each failure class. */
  readonly requests: Readonly<Record<string, number>>;
}

const NO_USAGE: Usage = { input_tokens: null, output_tokens: null, cached_tokens: null, reasoning_tokens: null };

export const NO_SPENDING: Spending = {
  ...NO_USAGE,
  by_purpose: [],
  cost_usd: null,
  unpriced_trials: 0,
  requests: {},
};

/** Spending with one more trial-end. Pure. */
export function addSpending(before: Spending, end: TrialEnd): Spending {
  const answered = (end.requests.ok ?? 0) > 0;
  return {
    ...end.usage.reduce<Usage>(sumUsage, usageOf(before)),
    by_purpose: end.usage.reduce(addPurpose, before.by_purpose),
    cost_usd: sum(before.cost_usd, end.cost_usd),
    unpriced_trials: before.unpriced_trials + (answered && end.cost_usd === null ? 1 : 0),
    requests: addCounts(before.requests, end.requests),
  };
}

/** Counts by name, added up. */
function addCounts(
  before: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const total = new Map(Object.entries(before));
  for (const [name, count] of Object.entries(more)) total.set(name, (total.get(name) ?? 0) + count);
  return Object.fromEntries(total);
}

function addPurpose(rows: readonly UsageRow[], more: UsageRow): readonly UsageRow[] {
  const same = (row: UsageRow) => row.purpose === more.purpose && row.model === more.model;
  if (!rows.some(same)) return [...rows, more];
  return rows.map((row) =>
    same(row) ? { ...row, ...sumUsage(row, more), calls: row.calls + more.calls, ms: row.ms + more.ms } : row,
  );
}

function sumUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: sum(a.input_tokens, b.input_tokens),
    output_tokens: sum(a.output_tokens, b.output_tokens),
    cached_tokens: sum(a.cached_tokens, b.cached_tokens),
    reasoning_tokens: sum(a.reasoning_tokens, b.reasoning_tokens),
  };
}

const usageOf = ({ input_tokens, output_tokens, cached_tokens, reasoning_tokens }: Usage): Usage => ({
  input_tokens,
  output_tokens,
  cached_tokens,
  reasoning_tokens,
});

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);
