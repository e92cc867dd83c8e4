import type { Usage } from "../core/message.js";
import type { TrialEnd } from "../core/run-record.js";
import type { UsageRow } from "../core/state.js";
import { sumNullable } from "../core/totals.js";

/** Tokens, money and requests over many trials. A count that no endpoint reported is null; known and unknown add up to known. */
export interface Spending extends Usage {
  readonly by_purpose: readonly UsageRow[];
  readonly cost_usd: number | null;
  /** Trials that called a model and whose cost is not known: `cost_usd` does not have them. */
  readonly unpriced_trials: number;
  /** Model requests, retries included: `ok`, `cached` and each failure class. */
  readonly requests: Readonly<Record<string, number>>;
}

/** Adds up trial-ends, and tells what they come to so far. */
export interface SpendingCounter {
  add(end: TrialEnd): void;
  total(): Spending;
}

/** A sum that grows in place: logs have many trials. */
type Growing<Row> = { -readonly [Key in keyof Row]: Row[Key] };

export function countSpending(): SpendingCounter {
  const usage = noUsage();
  const byPurpose = new Map<string, Growing<UsageRow>>();
  const requests = new Map<string, number>();
  let cost_usd: number | null = null;
  let unpriced_trials = 0;
  return {
    add: (end) => {
      for (const row of end.usage) {
        addUsage(usage, row);
        addRow(byPurpose, row);
      }
      for (const name in end.requests) requests.set(name, (requests.get(name) ?? 0) + (end.requests[name] ?? 0));
      cost_usd = sumNullable(cost_usd, end.cost_usd);
      if (end.cost_usd === null && (end.requests.ok ?? 0) > 0) unpriced_trials++;
    },
    total: () => ({
      ...usage,
      by_purpose: [...byPurpose.values()],
      cost_usd,
      unpriced_trials,
      requests: Object.fromEntries(requests),
    }),
  };
}

export const NO_SPENDING: Spending = countSpending().total();

function addRow(rows: Map<string, Growing<UsageRow>>, more: UsageRow): void {
  const key = `${more.purpose} ${more.model}`;
  const row = rows.get(key);
  if (row === undefined) rows.set(key, { ...more });
  else {
    addUsage(row, more);
    row.calls += more.calls;
    row.ms += more.ms;
  }
}

function addUsage(to: Growing<Usage>, more: Usage): void {
  to.input_tokens = sumNullable(to.input_tokens, more.input_tokens);
  to.output_tokens = sumNullable(to.output_tokens, more.output_tokens);
  to.cached_tokens = sumNullable(to.cached_tokens, more.cached_tokens);
  to.reasoning_tokens = sumNullable(to.reasoning_tokens, more.reasoning_tokens);
}

function noUsage(): Growing<Usage> {
  return { input_tokens: null, output_tokens: null, cached_tokens: null, reasoning_tokens: null };
}

/** What one role's calls came to. */
export interface RoleSpending {
  readonly calls: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly seconds: number;
}

/** Rows of usage as one; null where there are none. */
export function roleSpending(rows: readonly UsageRow[]): RoleSpending | null {
  if (rows.length === 0) return null;
  return {
    calls: rows.reduce((all, row) => all + row.calls, 0),
    input_tokens: rows.reduce<number | null>((all, row) => sumNullable(all, row.input_tokens), null),
    output_tokens: rows.reduce<number | null>((all, row) => sumNullable(all, row.output_tokens), null),
    seconds: rows.reduce((all, row) => all + row.ms, 0) / 1000,
  };
}
