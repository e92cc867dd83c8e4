import type { Effect } from "../../core/effect.js";
import type { TrialStarted } from "../../core/event.js";
import type { ReplyRefused } from "../../core/event-plan.js";
import type { Profile } from "../../core/profile.js";
import type { TrialState } from "../../core/state.js";
import { ending } from "../ending.js";
import { fingerprintOf, isDeadEnd } from "./fingerprint.js";
import { type PlannedGoal, readPlan, vagueWords, withIds } from "./planner-reply.js";
import { type PlanTexts, planTexts } from "./prompts.js";
import { plannerRequest } from "./requests.js";

/**
 * Gets a plan: asks the planner, sends a reply back once for each thing that is wrong with it, and then takes it with the fact
 * recorded. Where no reply can be used, an earlier one that could be serves; without one the trial cannot begin, or goes on to an answer that is
 * not fully verified.
 */
export function planning(state: TrialState, started: TrialStarted, profile: Profile): Effect {
  const { replies, refusals } = state.plan_work;
  const last = replies.at(-1);
  if (last === undefined || replies.length === refusals.length) {
    return { kind: "call-model", request: plannerRequest({ state, started, profile }) };
  }
  const read = readPlan(contentOf(last));
  const text = planTexts(started.language);
  if (!read.ok) {
    return sendBack(state, "unusable", text.unusablePlan(read.problem)) ?? fallBack(state, profile, read.problem);
  }
  return refusalOf(state, read.goals, text) ?? accept(state, read.goals);
}

function contentOf(reply: TrialState["plan_work"]["replies"][number]): string | null {
  return reply.ok ? reply.response.content : null;
}

function refusalOf(state: TrialState, goals: readonly PlannedGoal[], text: PlanTexts): Effect | null {
  const vague = vagueWords(goals);
  const collides = isDeadEnd(fingerprintOf(goals), state.plan.dead_ends);
  return (
    (vague.length === 0 ? null : sendBack(state, "vague-accept", text.vagueAccept(vague))) ??
    (collides ? sendBack(state, "dead-end", text.deadEnd) : null)
  );
}

/** Null where that was done before. */
function sendBack({ plan_work }: TrialState, reason: ReplyRefused["reason"], message: string): Effect | null {
  if (plan_work.refusals.some((refusal) => refusal.reason === reason)) return null;
  return { kind: "record", event: { type: "reply-refused", purpose: "planner", reason, message } };
}

function accept(state: TrialState, goals: readonly PlannedGoal[]): Effect {
  const fingerprint = fingerprintOf(goals);
  const { sub_goal_ids } = state.plan_work;
  const plan = withIds(goals, sub_goal_ids);
  const collides = isDeadEnd(fingerprint, state.plan.dead_ends);
  return { kind: "record", event: { type: "plan-set", plan, fingerprint, collides, vague: vagueWords(goals) } };
}

function fallBack(state: TrialState, profile: Profile, problem: string): Effect {
  const { replies } = state.plan_work;
  for (const reply of replies.toReversed()) {
    const read = readPlan(contentOf(reply));
    if (read.ok) return accept(state, read.goals);
  }
  if (state.plan.plan.length > 0) {
    return { kind: "record", event: { type: "route-taken", to: "finalize", degraded: "no-plan" } };
  }
  const message = `the planner gave no plan that can be used: ${problem}`;
  return ending(state, profile, { kind: "agent-error", reason: "repair-limit", message });
}
