import type { TrialLimit } from "../core/outcome.js";
import type { Profile } from "../core/profile.js";
import type { TrialState, TrialTotals } from "../core/state.js";

/** The first of the profile's limits that the trial has used up, with the numbers; null while there is none. */
export function spentLimit(state: TrialState, profile: Profile): { limit: TrialLimit; detail: string } | null {
  const { limits } = profile;
  const { totals } = state;
  const seconds = totals.wall_ms / 1000;
  if (seconds >= limits.seconds) return { limit: "seconds", detail: `${seconds.toFixed(1)} s of ${limits.seconds} s` };
  const tokens = totalTokens(totals);
  if (limits.tokens !== null && tokens >= limits.tokens) {
    return { limit: "tokens", detail: `${tokens} tokens of ${limits.tokens}` };
  }
  if (limits.cost_usd !== null && totals.cost_usd !== null && totals.cost_usd >= limits.cost_usd) {
    return { limit: "cost", detail: `$${totals.cost_usd.toFixed(4)} of $${limits.cost_usd}` };
  }
  return null;
}

/** Input and output tokens of all responses; those that the endpoint did not count are left out. */
function totalTokens(totals: TrialTotals): number {
  return Object.values(totals.usage).reduce((sum, row) => sum + (row.input_tokens ?? 0) + (row.output_tokens ?? 0), 0);
}
