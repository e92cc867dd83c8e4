import type { Effect } from "../core/effect.js";
import type { TrialStarted } from "../core/event.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { forceAnswer, overdue, repair, settled } from "./ending.js";
import { beginSubGoal, executorCalls } from "./plan/executing.js";
import { planning } from "./plan/planning.js";
import { executorRequest, finalizerRequest } from "./plan/requests.js";
import { type Routed, route, routeWhole } from "./plan/route.js";

/**
 * The plan strategy (seed 3): plan, execute a sub-goal, have it verified, go on as the routing table says, and hand in what the outputs come
 * to. Pure: says what to do next from the state alone. Verifying is a check like others and decided where they are, so that no role
 * judges what it has written itself.
 */
export function decide(state: TrialState, profile: Profile): Effect {
  const { started } = state;
  if (started === null) throw new Error("a decision before trial-started");
  return (
    settled(state, profile) ??
    openCalls(state, started, profile) ??
    overdue(state, profile) ??
    nextStep(state, started, profile)
  );
}

function openCalls(state: TrialState, started: TrialStarted, profile: Profile): Effect | null {
  const { turn } = state;
  if (turn.kind !== "calls") return null;
  return state.plan_work.stage === "executing"
    ? executorCalls(state, started, profile, turn.pending)
    : { kind: "call-tools", calls: turn.pending };
}

function nextStep(state: TrialState, started: TrialStarted, profile: Profile): Effect {
  const { stage } = state.plan_work;
  switch (stage) {
    case "planning":
      return planning(state, started, profile);
    case "ready":
      return pause(state, profile, "after-plan") ?? outerGuard(state, profile) ?? beginSubGoal(state, started, profile);
    case "executing":
      return execute(state, started, profile);
    case "routing":
      return { kind: "record", event: { type: "route-taken", ...routed(state, profile) } };
    case "submitting":
      return pause(state, profile, "before-finalize") ?? submit(state, started, profile);
    case "verifying":
    case "checking":
      throw new Error(`${stage} is decided with the other checks`);
  }
}

function pause({ plan_work }: TrialState, profile: Profile, at: Profile["pause"][number]): Effect | null {
  return profile.pause.includes(at) && !plan_work.cleared.includes(at) ? { kind: "pause", at } : null;
}

/** The plan's own budgets end a trial before this does: a profile whose `max_steps` is too small for them does not load. */
function outerGuard({ step }: TrialState, { agent }: Profile): Effect | null {
  if (step < agent.max_steps) return null;
  return { kind: "record", event: { type: "route-taken", to: "finalize", degraded: "steps-spent" } };
}

function execute(state: TrialState, started: TrialStarted, profile: Profile): Effect {
  const { turn, plan } = state;
  const current = plan.plan[plan.cursor];
  if (turn.kind === "said" && current !== undefined) {
    const event = { type: "output-recorded", sub_goal: current.id, text: turn.text, reused_from: null } as const;
    return { kind: "record", event };
  }
  return (
    outerGuard(state, profile) ??
    repair(state) ?? { kind: "call-model", request: executorRequest({ state, started, profile }) }
  );
}

function routed({ plan, plan_work }: TrialState, { agent }: Profile): Routed {
  const { rounds, replans, cursor, verdict } = plan;
  const { max_rounds, max_replans } = agent.plan;
  const budgets = { rounds, max_rounds, replans, max_replans, verdict: verdict?.verdict ?? null };
  return verdict?.sub_goal === null
    ? routeWhole({ ...budgets, whole_failures: plan_work.whole_failures })
    : route({ ...budgets, last: cursor === plan.plan.length - 1 });
}

/** Calls that a finalizer has, and once more after each rejection by a validator: as many as an execution at the most. */
const FINALIZER_CALLS = 6;

function submit(state: TrialState, started: TrialStarted, profile: Profile): Effect {
  const { validation, plan_work, forced_at } = state;
  const rejections = validation.process.rejections + validation.answer.rejections;
  if (plan_work.finalizer_calls >= FINALIZER_CALLS * (1 + rejections) && forced_at === null) return forceAnswer(state);
  return repair(state) ?? { kind: "call-model", request: finalizerRequest({ state, started, profile }) };
}
