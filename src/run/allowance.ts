import type { Effect } from "../core/effect.js";
import type { TrialEventBody } from "../core/event.js";
import { usedOf } from "../core/limits.js";
import type { Profile } from "../core/profile.js";
import { digestOfRequest } from "../core/request-digest.js";
import type { TrialState } from "../core/state.js";
import { validatorOf } from "../core/totals.js";

/** How long an effect may take, and the event that stands for its being cut off then. */
interface Allowance {
  readonly seconds: number;
  readonly spent: TrialEventBody;
}

/**
 * The trial's remaining seconds; when they are over, the trial is at its limit. A check that only observes has the limit to itself,
 * and when that is over, it is the check alone that failed: the agent's trial goes on as if nothing had been asked.
 */
export function allowance(effect: Effect, state: TrialState, profile: Profile): Allowance {
  const { seconds } = profile.limits;
  const detail = `cut off at ${seconds} s`;
  const failed = observerFailure(effect, profile, detail);
  if (failed !== null) return { seconds, spent: failed };
  return {
    seconds: seconds - usedOf(state, profile).seconds,
    spent: { type: "limit-reached", limit: "seconds", detail },
  };
}

/** What a cut-off check of an observing validator has come to; null for all other effects. */
function observerFailure(effect: Effect, profile: Profile, message: string): TrialEventBody | null {
  const ms = profile.limits.seconds * 1000;
  if (effect.kind === "query" && isObserver(effect.validator, profile)) {
    const { validator, why, answer, queries } = effect;
    const timeout = { ok: false, error: { code: "timeout", message }, ms } as const;
    return { type: "data-queried", validator, why, answer, queries, results: queries.map(() => timeout), ms };
  }
  if (effect.kind === "call-model" && isObserver(validatorOf(effect.request.purpose), profile)) {
    const failure = { class: "timeout", message, status: null } as const;
    const { purpose } = effect.request;
    return {
      type: "model-failed",
      purpose,
      request_digest: digestOfRequest(effect.request).digest,
      failure,
      final: true,
      ms,
    };
  }
  return null;
}

function isObserver(validator: "process" | "answer" | null, profile: Profile): boolean {
  if (validator === null) return false;
  const config = validator === "process" ? profile.process_validation : profile.answer_validation;
  return config.mode === "observe";
}
