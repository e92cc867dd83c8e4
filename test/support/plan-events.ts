import type { ModelResponded } from "../../src/core/event.js";
import type { PlanSet, StepVerified } from "../../src/core/event-plan.js";
import type { Purpose } from "../../src/core/message.js";
import type { SubGoal } from "../../src/core/plan-state.js";
import type { OutputVerdict } from "../../src/core/verification.js";
import { respond } from "./events.js";

/** Event bodies of a plan with as little in them as a test wants to say. */

/** So many sub-goals, after so many that were there before. */
export function subGoals(count: number, before = 0): SubGoal[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `s${before + index + 1}`,
    goal: `goal ${before + index + 1}`,
    accept: "one number",
    tool_hint: null,
  }));
}

export function planSet(plan: readonly SubGoal[]): PlanSet {
  return { type: "plan-set", plan, fingerprint: plan.map(({ id }) => id), collides: false, vague: [] };
}

/** Text of a role. */
export function say(purpose: Purpose, content: string): ModelResponded {
  return { ...respond({ content }), purpose };
}

/** Calls of an executor or finalizer. */
export function turn(purpose: Purpose, calls: readonly string[], tool?: string): ModelResponded {
  return { ...respond(tool === undefined ? { calls } : { calls, tool }), purpose };
}

export function verdict(more: Partial<OutputVerdict> = {}): OutputVerdict {
  return { passed: true, score: 0.9, layer: "goal", reason: "all there", scope: null, findings: [], ...more };
}

export function stepVerified(sub_goal: string | null, round: number, given: OutputVerdict | null): StepVerified {
  return { type: "step-verified", sub_goal, round, verdict: given, error: given === null ? "unreadable" : null };
}
