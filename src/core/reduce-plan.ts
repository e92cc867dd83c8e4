import { IllegalTransition } from "./errors.js";
import type { CandidateSubmitted, ModelFailed, ModelResponded, ToolReturned } from "./event.js";
import type {
  ExecutionStarted,
  OutputRecorded,
  OutputsCompressed,
  PersonDecided,
  PlanEvent,
  PlanSet,
  ReplyRefused,
  RouteTaken,
  StepVerified,
} from "./event-plan.js";
import { capabilitiesOf, evidenceId } from "./evidence.js";
import { digestOfObservation, foundNothing } from "./observation.js";
import { endedVerification } from "./plan-record.js";
import type { FailReason, PlanEvidence, PlanOutput, PlanStage, PlanState, PlanWork, SubGoal } from "./plan-state.js";
import type { TrialState } from "./state.js";
import { countRequest, countResponse } from "./totals.js";

/** The part of `reduce` that is about plans. What the table in core/plan-state.ts says of each field is kept here and nowhere else. */

/** Sub-goals of a plan. */
const LEAST_GOALS = 2;
const MOST_GOALS = 6;

export function afterPlanEvent(state: TrialState, event: PlanEvent): TrialState {
  switch (event.type) {
    case "plan-set":
      return afterPlanSet(state, event);
    case "reply-refused":
      return afterRefusal(state, event);
    case "execution-started":
      return afterExecutionStarted(state, event);
    case "output-recorded":
      return event.reused_from === null ? afterOutput(state, event) : afterReuse(state, event, event.reused_from);
    case "step-verified":
      return afterVerification(state, event);
    case "route-taken":
      return afterRoute(state, event);
    case "outputs-compressed":
      return afterCompression(state, event);
    case "person-decided":
      return afterDecision(state, event);
  }
}

/** A reply of the planner, verifier or condenser: it touches no conversation that acts, nor its steps. */
export function afterPlanReply(state: TrialState, event: ModelResponded): TrialState {
  requireStage(state, event.purpose, ASKED_IN[event.purpose] ?? []);
  const { response } = event;
  return {
    ...withWork(state, { replies: [...state.plan_work.replies, { ok: true, response }] }),
    totals: countResponse(state.totals, event),
  };
}

const ASKED_IN: Readonly<Record<string, readonly PlanStage[]>> = {
  planner: ["planning"],
  verifier: ["verifying", "checking"],
  condenser: ["ready"],
};

/** Without a planner there is no trial; without a verifier there is an answer that is not fully verified. */
export function afterPlanFailure(state: TrialState, event: ModelFailed): TrialState {
  const { failure, final, ms, purpose } = event;
  const totals = countRequest(state.totals, failure.class, ms);
  if (!final) return { ...state, totals };
  if (purpose === "planner" || failure.class === "replay-diverged") return { ...state, failure, totals };
  return { ...withWork(state, { replies: [...state.plan_work.replies, { ok: false, failure }] }), totals };
}

/** What an executor's or finalizer's response means for the plan, beside the turn that it is. */
export function planTurnBegins(state: TrialState, { purpose, response }: ModelResponded): PlanWork {
  const { plan_work: work } = state;
  if (purpose === "executor") {
    requireStage(state, purpose, ["executing"]);
    const { now, requests, shown_tokens, full_tokens } = work.slimming;
    return {
      ...work,
      evidence_ids: work.evidence_ids + response.tool_calls.length,
      slimming: {
        now,
        requests: requests + 1,
        shown_tokens: shown_tokens + now.shown,
        full_tokens: full_tokens + now.full,
      },
    };
  }
  if (purpose !== "finalizer") return work;
  requireStage(state, purpose, ["submitting"]);
  return { ...work, finalizer_calls: work.finalizer_calls + 1 };
}

/** Error of a call that was not made because the execution's calls are used up. */
export const TOOL_BUDGET = "tool-budget";

/** A tool's return as evidence; null where it is none. `position` is that of the call in its turn. */
export function evidenceOf(
  { plan_work: { stage, evidence_ids } }: TrialState,
  step: number,
  returned: ToolReturned | CandidateSubmitted,
  turn: { readonly position: number; readonly calls: number },
): PlanEvidence | null {
  if (stage !== "executing" || returned.type !== "tool-returned" || !returned.ok) return null;
  if (capabilitiesOf(returned.tool, returned.args).length === 0) return null;
  return {
    id: `E${evidence_ids - turn.calls + turn.position + 1}`,
    call: evidenceId(step, returned.call_id),
    tool: returned.tool,
    digest: digestOfObservation(returned),
    empty: foundNothing(returned.content),
  };
}

/** The plan's side of a tool's return. */
export function withEvidence(
  state: TrialState,
  evidence: PlanEvidence | null,
  returned: ToolReturned | CandidateSubmitted,
): Pick<TrialState, "plan" | "plan_work"> {
  const { plan, plan_work: work } = state;
  const counts =
    work.stage === "executing" && !(returned.type === "tool-returned" && returned.error === TOOL_BUDGET) ? 1 : 0;
  return {
    plan: evidence === null ? plan : { ...plan, evidence: [...plan.evidence, evidence].sort(byNumber) },
    plan_work: { ...work, tool_calls: work.tool_calls + counts },
  };
}

const numberOf = (id: string): number => Number(id.slice(1));
const byNumber = (a: PlanEvidence, b: PlanEvidence): number => numberOf(a.id) - numberOf(b.id);

function afterPlanSet(state: TrialState, event: PlanSet): TrialState {
  requireStage(state, event.type, ["planning"]);
  const { plan } = state;
  return {
    ...withNewPlan(state, event),
    plan: { ...plan, plan: event.plan, cursor: 0, replans: plan.replans + (plan.plan.length > 0 ? 1 : 0) },
  };
}

function withNewPlan(
  state: TrialState,
  { plan, fingerprint }: { readonly plan: readonly SubGoal[]; readonly fingerprint: readonly string[] },
): TrialState {
  if (plan.length < LEAST_GOALS || plan.length > MOST_GOALS) {
    throw new IllegalTransition(`a plan of ${plan.length} sub-goals`);
  }
  const { sub_goal_ids } = state.plan_work;
  const misnamed = plan.findIndex(({ id }, index) => id !== `s${sub_goal_ids + index + 1}`);
  if (misnamed >= 0) throw new IllegalTransition(`a sub-goal ${plan[misnamed]?.id} after ${sub_goal_ids} ids`);
  return withWork(state, {
    stage: "ready",
    fingerprint,
    sub_goal_ids: sub_goal_ids + plan.length,
    replies: [],
    refusals: [],
    executions: 0,
    insufficient: 0,
    cleared: [],
  });
}

function afterRefusal(state: TrialState, event: ReplyRefused): TrialState {
  const { replies, refusals } = state.plan_work;
  if (replies.length !== refusals.length + 1 || refusals.some(({ reason }) => reason === event.reason)) {
    throw new IllegalTransition(`reply-refused (${event.reason}) after ${replies.length} replies`);
  }
  return withWork(state, { refusals: [...refusals, event] });
}

function afterExecutionStarted(state: TrialState, event: ExecutionStarted): TrialState {
  requireStage(state, event.type, ["ready"]);
  requireCurrent(state, event.sub_goal);
  if (event.round !== state.plan.rounds + 1) throw new IllegalTransition(`round ${event.round} begins`);
  const { executions, slimming } = state.plan_work;
  const now = { shown: event.shown_tokens, full: event.full_tokens };
  return {
    ...withWork(state, {
      stage: "executing",
      executions: executions + 1,
      tool_calls: 0,
      evidence_before: state.plan.evidence.length,
      slimming: { ...slimming, now },
      replies: [],
    }),
    ...NEW_CONVERSATION,
  };
}

/** Each execution, and the finalizer, has a conversation of its own. */
const NEW_CONVERSATION = { history: [], reasoning: [], turn: { kind: "ask" }, repairs: 0 } as const;

function afterOutput(state: TrialState, event: OutputRecorded): TrialState {
  requireStage(state, event.type, ["executing"]);
  if (state.turn.kind !== "said" || state.turn.text !== event.text) {
    throw new IllegalTransition(`output-recorded that the executor did not write`);
  }
  const output = { ...outputFor(state, event.sub_goal), text: event.text };
  return {
    ...withWork(withOutput(state, event.sub_goal, output), { stage: "verifying", replies: [], refusals: [] }),
    turn: { kind: "ask" },
  };
}

/** A reuse is a pass without a round. */
function afterReuse(state: TrialState, event: OutputRecorded, from: string): TrialState {
  requireStage(state, event.type, ["ready"]);
  const source = state.plan.outputs[from];
  if (source?.passed !== true || source.text !== event.text) {
    throw new IllegalTransition(`output-recorded that takes over ${from}, which has not passed or says something else`);
  }
  const output = { ...outputFor(state, event.sub_goal), text: event.text, passed: true, reused_from: from };
  const next = withOutput(state, event.sub_goal, output);
  return state.plan.cursor < state.plan.plan.length - 1 ? atNext(next) : withWork(next, { stage: "checking" });
}

function outputFor(state: TrialState, id: string): PlanOutput {
  const { goal } = requireCurrent(state, id);
  return { goal, text: "", passed: false, reused_from: null, compressed: null };
}

function withOutput(state: TrialState, id: string, output: PlanOutput): TrialState {
  return withPlan(state, { outputs: { ...state.plan.outputs, [id]: output } });
}

function afterVerification(state: TrialState, event: StepVerified): TrialState {
  const { sub_goal, verdict } = event;
  const { plan, plan_work: work } = state;
  const whole = sub_goal === null;
  requireStage(state, event.type, [whole ? "checking" : "verifying"]);
  if (!whole) requireCurrent(state, sub_goal);
  const rounds = plan.rounds + (whole ? 0 : 1);
  if (event.round !== rounds) throw new IllegalTransition(`step-verified of round ${event.round}, not ${rounds}`);
  const passed = verdict?.passed === true;
  const reason = passed ? null : { sub_goal, reason: verdict?.reason ?? event.error ?? "" };
  const failedAsAWhole = verdict !== null && !passed && verdict.scope === "global";
  const output = whole ? undefined : plan.outputs[sub_goal];
  const insufficient = verdict?.findings.some(({ rule }) => rule === "insufficient") ?? false;
  return {
    ...withWork(state, {
      stage: "routing",
      replies: [],
      refusals: [],
      insufficient: insufficient ? work.insufficient + 1 : 0,
      whole_failures: work.whole_failures + (whole && !passed ? 1 : 0),
      ended: [...work.ended, endedVerification(event)],
    }),
    plan: {
      ...plan,
      rounds,
      verdict: { sub_goal, verdict },
      outputs:
        output === undefined || sub_goal === null
          ? plan.outputs
          : { ...plan.outputs, [sub_goal]: { ...output, passed } },
      fail_reasons: reason === null ? plan.fail_reasons : withReason(plan.fail_reasons, reason),
      dead_ends: failedAsAWhole ? withDeadEnd(plan.dead_ends, work.fingerprint) : plan.dead_ends,
    },
  };
}

function withReason(reasons: readonly FailReason[], one: FailReason): readonly FailReason[] {
  const known = reasons.some(({ sub_goal, reason }) => sub_goal === one.sub_goal && reason === one.reason);
  return known ? reasons : [...reasons, one];
}

function withDeadEnd(deadEnds: PlanState["dead_ends"], fingerprint: readonly string[]): PlanState["dead_ends"] {
  const key = fingerprint.join(" ");
  return deadEnds.some((words) => words.join(" ") === key) ? deadEnds : [...deadEnds, fingerprint];
}

function afterRoute(state: TrialState, { to, degraded }: RouteTaken): TrialState {
  const { plan } = state.plan;
  const giving = degraded !== null && (to === "finalize" || to === "submit");
  // Out of the order only where the strategy gives up: a planner without a plan, or the outer guard.
  requireStage(state, `route-taken to ${to}`, giving ? ["routing", "planning", "ready", "executing"] : ["routing"]);
  const next = withWork(state, { degraded: degraded ?? state.plan_work.degraded, replies: [], refusals: [] });
  switch (to) {
    case "next":
      if (state.plan.cursor >= plan.length - 1)
        throw new IllegalTransition("route-taken to a sub-goal beyond the last");
      return atNext(next);
    case "retry":
      return withWork(next, { stage: "ready" });
    case "replan":
      return withWork(next, { stage: "planning" });
    case "finalize":
      return degraded === null ? withWork(next, { stage: "checking" }) : submitting(next);
    case "submit":
      return submitting(next);
  }
}

function atNext(state: TrialState): TrialState {
  const work = { stage: "ready", executions: 0, insufficient: 0 } as const;
  return withPlan(withWork(state, work), { cursor: state.plan.cursor + 1 });
}

function submitting(state: TrialState): TrialState {
  return { ...withWork(state, { stage: "submitting", finalizer_calls: 0, cleared: [] }), ...NEW_CONVERSATION };
}

function afterCompression(state: TrialState, event: OutputsCompressed): TrialState {
  requireStage(state, event.type, ["ready"]);
  const { sub_goals, text } = event;
  const folded = sub_goals.map((id): [string, PlanOutput] => {
    const output = state.plan.outputs[id];
    if (output === undefined) throw new IllegalTransition(`outputs-compressed of ${id}, which has no output`);
    return [id, { ...output, compressed: { sub_goals, text } }];
  });
  const outputs = { ...state.plan.outputs, ...Object.fromEntries(folded) };
  return withPlan(withWork(state, { replies: [] }), { outputs });
}

function afterDecision(state: TrialState, { pause, decision }: PersonDecided): TrialState {
  requireStage(state, `person-decided ${pause}`, [pause === "after-plan" ? "ready" : "submitting"]);
  const { plan } = state;
  const next = withWork(state, { paused: null, cleared: [...state.plan_work.cleared, pause] });
  switch (decision.kind) {
    case "approve":
      return next;
    case "reject": {
      const reason = { sub_goal: null, reason: decision.why };
      return withPlan(withWork(next, { stage: "planning" }), {
        fail_reasons: withReason(plan.fail_reasons, reason),
        dead_ends: withDeadEnd(plan.dead_ends, state.plan_work.fingerprint),
      });
    }
    case "edit-plan":
      return withWork(withPlan(withNewPlan(next, decision), { plan: decision.plan, cursor: 0 }), {
        cleared: ["after-plan"],
        degraded: null,
      });
  }
}

function withPlan(state: TrialState, change: Partial<PlanState>): TrialState {
  return { ...state, plan: { ...state.plan, ...change } };
}

function withWork(state: TrialState, change: Partial<PlanWork>): TrialState {
  return { ...state, plan_work: { ...state.plan_work, ...change } };
}

function requireStage(state: TrialState, what: string, stages: readonly PlanStage[]): void {
  const { stage } = state.plan_work;
  if (!stages.includes(stage)) throw new IllegalTransition(`${what} while ${stage}`);
}

function requireCurrent({ plan: { plan, cursor } }: TrialState, id: string): SubGoal {
  const current = plan[cursor];
  if (current?.id !== id) throw new IllegalTransition(`${id} where ${current?.id ?? "no sub-goal"} is the current one`);
  return current;
}
