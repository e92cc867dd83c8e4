import type { Usage } from "../core/message.js";
import type { PriceConfig } from "../core/profile.js";

/** US dollars of one response; null without a price table, or where the endpoint did not count the tokens. */
export function costOf(usage: Usage, price: PriceConfig | null): number | null {
  const { input_tokens, output_tokens } = usage;
  if (price === null || input_tokens === null || output_tokens === null) return null;
  const cached = Math.min(usage.cached_tokens ?? 0, input_tokens);
  const perMillion =
    (input_tokens - cached) * price.input + cached * (price.cached_input ?? price.input) + output_tokens * price.output;
  return perMillion / 1_000_000;
}
