import type { TrialLimit } from "./outcome.js";
import { answerCheckMode, type Profile } from "./profile.js";
import type { TrialState, ValidatorShare } from "./state.js";
import { tokensOf } from "./totals.js";

/** The first of the profile's limits that the trial has used up, with the numbers; null while there is none. */
export function spentLimit(state: TrialState, profile: Profile): { limit: TrialLimit; detail: string } | null {
  const { limits } = profile;
  const used = usedOf(state, profile);
  if (used.seconds >= limits.seconds) {
    return { limit: "seconds", detail: `${used.seconds.toFixed(1)} s of ${limits.seconds} s` };
  }
  if (limits.tokens !== null && used.tokens >= limits.tokens) {
    return { limit: "tokens", detail: `${used.tokens} tokens of ${limits.tokens}` };
  }
  if (limits.cost_usd !== null && used.cost_usd !== null && used.cost_usd >= limits.cost_usd) {
    return { limit: "cost", detail: `$${used.cost_usd.toFixed(4)} of $${limits.cost_usd}` };
  }
  return null;
}

/**
 * What of the limits a trial has used. A validator that only observes uses nothing of them, so that the agent under it does exactly
 * what it would do without; one that acts is part of the trial.
 */
export function usedOf(
  state: TrialState,
  profile: Profile,
): { readonly seconds: number; readonly tokens: number; readonly cost_usd: number | null } {
  const { totals } = state;
  const free = observers(state, profile);
  const sum = (pick: (share: ValidatorShare) => number) => free.reduce((all, share) => all + pick(share), 0);
  const tokens = Object.values(totals.usage).reduce((all, row) => all + tokensOf(row), 0);
  return {
    seconds: (totals.wall_ms - sum((share) => share.wall_ms)) / 1000,
    tokens: tokens - sum((share) => share.tokens),
    cost_usd: totals.cost_usd === null ? null : totals.cost_usd - sum((share) => share.cost_usd),
  };
}

function observers({ totals }: TrialState, profile: Profile): ValidatorShare[] {
  return [
    ...(profile.process_validation.mode === "observe" ? [totals.validators.process] : []),
    ...(answerCheckMode(profile) === "observe" ? [totals.validators.answer] : []),
  ];
}
