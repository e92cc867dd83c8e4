import type { ModelResponded } from "./event.js";
import type { Validator } from "./event-validation.js";
import type { Purpose, Usage } from "./message.js";
import type { TrialTotals, UsageRow } from "./state.js";

/** Sums of a trial that has not begun. */
export const NO_TOTALS: TrialTotals = {
  usage: {},
  cost_usd: null,
  requests: {},
  model_ms: 0,
  tool_ms: 0,
  wall_ms: 0,
  tools: {},
  recomputed: false,
  validators: {
    process: { wall_ms: 0, tokens: 0, cost_usd: 0 },
    answer: { wall_ms: 0, tokens: 0, cost_usd: 0 },
  },
};

/** Whose question a model answers; null for the agent's own. */
export function validatorOf(purpose: string): Validator | null {
  return purpose === "process-validator" ? "process" : purpose === "answer-validator" ? "answer" : null;
}

/** One more request; `key` is `ok`, `cached` or the class of its failure. */
export function countRequest(totals: TrialTotals, key: string, ms: number): TrialTotals {
  return {
    ...totals,
    requests: { ...totals.requests, [key]: (totals.requests[key] ?? 0) + 1 },
    model_ms: totals.model_ms + ms,
  };
}

/** One more tool call that returned. */
export function countTool(totals: TrialTotals, tool: string, ms: number): TrialTotals {
  return {
    ...totals,
    tools: { ...totals.tools, [tool]: (totals.tools[tool] ?? 0) + 1 },
    tool_ms: totals.tool_ms + ms,
  };
}

/** One more response with what it cost; one from the cache costs nothing. */
export function countResponse(totals: TrialTotals, event: ModelResponded): TrialTotals {
  const { purpose, ms, response, cached } = event;
  if (cached === true) return countRequest(totals, "cached", ms);
  return addUsage(countRequest(totals, "ok", ms), { purpose, ms, ...response });
}

/** What a response cost, by purpose and model. */
function addUsage(
  totals: TrialTotals,
  {
    purpose,
    model,
    usage,
    cost_usd,
    ms,
  }: { purpose: Purpose; model: string; usage: Usage; cost_usd: number | null; ms: number },
): TrialTotals {
  const key = `${purpose} ${model}`;
  const before: UsageRow | undefined = totals.usage[key];
  const row: UsageRow = {
    purpose,
    model,
    calls: (before?.calls ?? 0) + 1,
    ms: (before?.ms ?? 0) + ms,
    input_tokens: sumNullable(before?.input_tokens ?? null, usage.input_tokens),
    output_tokens: sumNullable(before?.output_tokens ?? null, usage.output_tokens),
    cached_tokens: sumNullable(before?.cached_tokens ?? null, usage.cached_tokens),
    reasoning_tokens: sumNullable(before?.reasoning_tokens ?? null, usage.reasoning_tokens),
  };
  const validator = validatorOf(purpose);
  const share = { tokens: tokensOf(usage), cost_usd: cost_usd ?? 0 };
  return addShare(
    { ...totals, usage: { ...totals.usage, [key]: row }, cost_usd: sumNullable(totals.cost_usd, cost_usd) },
    validator,
    share,
  );
}

/** Adds to the part of the sums that a validator took; nothing for the agent's own. */
export function addShare(
  totals: TrialTotals,
  validator: Validator | null,
  more: { readonly wall_ms?: number; readonly tokens?: number; readonly cost_usd?: number },
): TrialTotals {
  if (validator === null) return totals;
  const share = totals.validators[validator];
  const sum = {
    wall_ms: share.wall_ms + (more.wall_ms ?? 0),
    tokens: share.tokens + (more.tokens ?? 0),
    cost_usd: share.cost_usd + (more.cost_usd ?? 0),
  };
  return { ...totals, validators: { ...totals.validators, [validator]: sum } };
}

/** Input and output tokens; those that the endpoint did not count are left out. */
export function tokensOf(usage: Pick<Usage, "input_tokens" | "output_tokens">): number {
  return (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
}

/** Unknown + known = known: an endpoint that leaves a count out once does not hide the others. */
export function sumNullable(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
