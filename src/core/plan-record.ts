import type { DegradeReason, StepVerified } from "./event-plan.js";
import type { TrialState } from "./state.js";
import type { Layer, OutputRule, Scope } from "./verification.js";

/** One verification that came to an end: where it stopped, and why. */
export interface EndedVerification {
  /** Null: of the whole answer. */
  readonly sub_goal: string | null;
  readonly round: number;
  readonly passed: boolean;
  /** Null: there was no verdict. */
  readonly layer: Layer | null;
  readonly score: number | null;
  readonly scope: Scope | null;
  /** What was found, each rule once. */
  readonly rules: readonly OutputRule[];
}

/** What a trial's plans came to, for its record. */
export interface PlanRecord {
  readonly rounds: number;
  readonly replans: number;
  readonly degraded: DegradeReason | null;
  /** Every verification, oldest first. */
  readonly verdicts: readonly EndedVerification[];
  /** Observations that could be cited, and those of them that found nothing. */
  readonly evidence: number;
  readonly empty_results: number;
  /** Outputs that were taken over without a model call. */
  readonly reused: number;
  /** Over the executor's requests: tokens of earlier outputs and evidence as shown, and what the full texts would have been. */
  readonly requests: number;
  readonly shown_tokens: number;
  readonly full_tokens: number;
}

export function endedVerification({ sub_goal, round, verdict }: StepVerified): EndedVerification {
  return {
    sub_goal,
    round,
    passed: verdict?.passed === true,
    layer: verdict?.layer ?? null,
    score: verdict?.score ?? null,
    scope: verdict?.scope ?? null,
    rules: [...new Set(verdict?.findings.map(({ rule }) => rule) ?? [])],
  };
}

/** Null where the trial never had a plan. */
export function planRecordOf({ plan, plan_work }: TrialState): PlanRecord | null {
  if (plan.plan.length === 0) return null;
  const { requests, shown_tokens, full_tokens } = plan_work.slimming;
  return {
    rounds: plan.rounds,
    replans: plan.replans,
    degraded: plan_work.degraded,
    verdicts: plan_work.ended,
    evidence: plan.evidence.length,
    empty_results: plan.evidence.filter(({ empty }) => empty).length,
    reused: Object.values(plan.outputs).filter(({ reused_from }) => reused_from !== null).length,
    requests,
    shown_tokens,
    full_tokens,
  };
}
