import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IllegalTransition } from "../../src/core/errors.js";
import type { TrialEventBody } from "../../src/core/event.js";
import type { Route } from "../../src/core/event-plan.js";
import type { PlanState } from "../../src/core/plan-state.js";
import { NEW_TRIAL, reduce } from "../../src/core/reduce.js";
import type { TrialState } from "../../src/core/state.js";
import type { OutputVerdict } from "../../src/core/verification.js";
import { candidate, started, toolReturned } from "../support/events.js";
import { planSet, say, stepVerified, subGoals, turn, verdict } from "../support/plan-events.js";
import { eventsOf, stateAfter } from "../support/trial.js";

/** One wild step: what kind of event, and whether it names the right things. */
interface Wild {
  readonly kind: number;
  readonly number: number;
  readonly right: boolean;
  readonly scope: OutputVerdict["scope"];
}

const ROUTES: readonly Route[] = ["next", "retry", "replan", "finalize", "submit"];

/** An event of a plan that may or may not be allowed here. */
function wildEvent(state: TrialState, { kind, number, right, scope }: Wild): TrialEventBody {
  const { plan, plan_work: work } = state;
  const current = plan.plan[plan.cursor]?.id ?? "s1";
  const sub_goal = right ? current : `s${number}`;
  const pending = state.turn.kind === "calls" ? state.turn.pending[number % state.turn.pending.length] : undefined;
  const call = pending?.call.id ?? "nobody's";
  switch (kind) {
    case 0:
      return planSet(right ? subGoals(2 + (number % 5), work.sub_goal_ids) : subGoals(number, number));
    case 1:
      return {
        type: "execution-started",
        sub_goal,
        round: plan.rounds + (right ? 1 : number),
        shown_tokens: 1,
        full_tokens: 2,
      };
    case 2:
      return turn(
        "executor",
        Array.from({ length: 1 + (number % 4) }, (_, index) => `c${number}_${index}`),
      );
    case 3:
      return toolReturned(call, {
        content: number % 3 === 0 ? '{"matches":[]}' : `seen ${number}`,
        ok: number % 4 !== 0,
      });
    case 4:
      return say("executor", `It is ${number} [E1].`);
    case 5: {
      const text = state.turn.kind === "said" && right ? state.turn.text : "another text";
      return { type: "output-recorded", sub_goal, text, reused_from: null };
    }
    case 6: {
      const from = Object.keys(plan.outputs)[number] ?? "s9";
      return { type: "output-recorded", sub_goal, text: plan.outputs[from]?.text ?? "", reused_from: from };
    }
    case 7:
      return stepVerified(sub_goal, plan.rounds + 1, number === 0 ? null : verdict({ scope, passed: scope === null }));
    case 8:
      return stepVerified(null, plan.rounds, verdict({ scope, passed: scope === null }));
    case 9:
      return {
        type: "route-taken",
        to: ROUTES[number % ROUTES.length] ?? "next",
        degraded: right ? null : "rounds-spent",
      };
    case 10:
      return {
        type: "outputs-compressed",
        sub_goals: Object.keys(plan.outputs).slice(0, 2),
        text: "short",
        tokens_before: 9,
        tokens_after: 2,
      };
    case 11: {
      const decisions = [
        { kind: "approve" },
        { kind: "reject", why: `no, ${number}` },
        { kind: "edit-plan", plan: subGoals(3, work.sub_goal_ids), fingerprint: ["edited"] },
      ] as const;
      return {
        type: "person-decided",
        pause: right ? "after-plan" : "before-finalize",
        decision: decisions[number % 3] ?? { kind: "approve" },
      };
    }
    case 12:
      return turn("finalizer", [`f${number}`]);
    case 13:
      return candidate(call);
    default:
      return say(kind === 14 ? "planner" : "verifier", "{}");
  }
}

const wild = fc.record({
  kind: fc.integer({ min: 0, max: 15 }),
  number: fc.integer({ min: 0, max: 7 }),
  right: fc.boolean(),
  scope: fc.constantFrom("local", "global", null),
});

/** What the state table promises from one moment to the next. */
function keepsTheTable(before: PlanState, event: TrialEventBody, after: PlanState): void {
  expect(after.task).toBe(before.task);
  if (after.plan.length > 0) {
    expect(after.plan.length).toBeGreaterThanOrEqual(2);
    expect(after.plan.length).toBeLessThanOrEqual(6);
    expect(after.plan[after.cursor]).toBeDefined();
  }
  const replaced = after.plan !== before.plan;
  expect(after.cursor - before.cursor).toSatisfy((by: number) =>
    replaced ? after.cursor === 0 : by === 0 || by === 1,
  );
  for (const id of Object.keys(before.outputs)) expect(after.outputs[id]).toBeDefined();
  expect(after.evidence.filter((one) => before.evidence.includes(one))).toEqual(before.evidence);
  const numbers = after.evidence.map(({ id }) => Number(id.slice(1)));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  for (const { digest } of after.evidence) expect(digest.length).toBeLessThanOrEqual(400);
  expect(after.fail_reasons.slice(0, before.fail_reasons.length)).toEqual(before.fail_reasons);
  const reasons = after.fail_reasons.map((one) => JSON.stringify(one));
  expect(new Set(reasons).size).toBe(reasons.length);
  expect(after.dead_ends.slice(0, before.dead_ends.length)).toEqual(before.dead_ends);
  if (after.dead_ends.length > before.dead_ends.length) {
    const failedAsAWhole =
      (event.type === "step-verified" && event.verdict?.passed === false && event.verdict.scope === "global") ||
      (event.type === "person-decided" && event.decision.kind === "reject");
    expect(failedAsAWhole).toBe(true);
  }
  expect(after.rounds - before.rounds).toBe(event.type === "step-verified" && event.sub_goal !== null ? 1 : 0);
  expect(after.replans - before.replans).toBe(event.type === "plan-set" && before.plan.length > 0 ? 1 : 0);
  if (event.type === "step-verified") {
    expect(after.verdict).toEqual({ sub_goal: event.sub_goal, verdict: event.verdict });
  } else expect(after.verdict).toBe(before.verdict);
}

/** Feeds wild events; those that are refused leave no trace. Returns how many were taken. */
function run(steps: readonly Wild[], onTaken: (before: TrialState, event: TrialEventBody, after: TrialState) => void) {
  let [state] = [stateAfter(started())];
  let taken = 0;
  for (const step of steps) {
    const body = wildEvent(state, step);
    const event = { seq: state.events, at: new Date(Date.UTC(2026, 0, 1)).toISOString(), ...body };
    try {
      const next = reduce(state, event);
      onTaken(state, body, next);
      state = next;
      taken++;
    } catch (error) {
      if (!(error instanceof IllegalTransition)) throw error;
    }
  }
  return { state, taken };
}

describe("the state of a plan", () => {
  it("keeps what its table promises over any sequence of events", () => {
    fc.assert(
      fc.property(fc.array(wild, { minLength: 20, maxLength: 120 }), (steps) => {
        run(steps, (before, event, after) => keepsTheTable(before.plan, event, after.plan));
      }),
      { numRuns: 300 },
    );
  });

  it("is reached by those sequences in all its stages, with several plans and evidence in them", () => {
    const seen = new Set<string>();
    let [plans, evidence] = [0, 0];
    for (const steps of fc.sample(fc.array(wild, { minLength: 200, maxLength: 300 }), {
      numRuns: 100,
      seed: 20_261_201,
    })) {
      const { state } = run(steps, (_, __, after) => seen.add(after.plan_work.stage));
      plans = Math.max(plans, state.plan.replans);
      evidence = Math.max(evidence, state.plan.evidence.length);
    }
    expect([...seen].sort()).toEqual([
      "checking",
      "executing",
      "planning",
      "ready",
      "routing",
      "submitting",
      "verifying",
    ]);
    expect(plans).toBeGreaterThan(0);
    expect(evidence).toBeGreaterThan(3);
  });

  const begun = [
    started(),
    planSet(subGoals(2)),
    { type: "execution-started", sub_goal: "s1", round: 1, shown_tokens: 0, full_tokens: 0 },
  ] as const;

  it("numbers evidence by the model's calls, whatever order results come in, and goes on after a new plan", () => {
    const state = stateAfter(
      ...begun,
      turn("executor", ["a", "b"]),
      toolReturned("b"),
      toolReturned("a"),
      say("executor", "done [E1] [E2]"),
      { type: "output-recorded", sub_goal: "s1", text: "done [E1] [E2]", reused_from: null },
      stepVerified("s1", 1, verdict({ passed: false, scope: "global" })),
      { type: "route-taken", to: "replan", degraded: null },
      planSet(subGoals(2, 2)),
      { type: "execution-started", sub_goal: "s3", round: 2, shown_tokens: 0, full_tokens: 0 },
      turn("executor", ["a"]),
      toolReturned("a"),
    );
    expect(state.plan.evidence.map(({ id, call }) => [id, call])).toEqual([
      ["E1", "step_1:call_a"],
      ["E2", "step_1:call_b"],
      ["E3", "step_3:call_a"],
    ]);
    expect(Object.keys(state.plan.outputs)).toEqual(["s1"]);
    expect(state.history.at(-1)).toMatchObject({ role: "tool", content: "[E3] result of a" });
  });

  it("makes a placeholder of an empty result that can be cited, and none of a failed call, whose id stays free", () => {
    const state = stateAfter(
      ...begun,
      turn("executor", ["a", "b"]),
      toolReturned("a", { ok: false }),
      toolReturned("b", {
        content: '{"results":[{"sql":"SELECT 1","ok":true,"columns":["n"],"rows":[],"row_count":0}]}',
      }),
    );
    expect(state.plan.evidence).toEqual([
      {
        id: "E2",
        call: "step_1:call_b",
        tool: "execute_probe_query",
        digest: "nothing found: execute_probe_query {}",
        empty: true,
      },
    ]);
  });

  it("counts executor calls as steps, and planner, verifier and finalizer calls apart", () => {
    const bodies = [
      started(),
      say("planner", "{}"),
      planSet(subGoals(2)),
      ...begun.slice(2),
      say("executor", "none"),
      { type: "output-recorded", sub_goal: "s1", text: "none", reused_from: null },
      say("verifier", "{}"),
      stepVerified("s1", 1, verdict({ passed: false, scope: "local" })),
      { type: "route-taken", to: "finalize", degraded: "rounds-spent" },
      turn("finalizer", ["f"]),
    ] as const;
    const state = eventsOf(bodies).reduce(reduce, NEW_TRIAL);
    expect(state.step).toBe(1);
    expect(state.plan_work.finalizer_calls).toBe(1);
    expect(Object.values(state.totals.usage).map(({ purpose }) => purpose)).toEqual([
      "planner",
      "executor",
      "verifier",
      "finalizer",
    ]);
  });

  it("never makes a dead end of a local failure or of a plan that is set, and one of the first plan that fails as a whole", () => {
    const output = { type: "output-recorded", sub_goal: "s1", text: "none", reused_from: null } as const;
    const judged = (scope: "local" | "global") =>
      stateAfter(...begun, say("executor", "none"), output, stepVerified("s1", 1, verdict({ passed: false, scope })));
    expect(stateAfter(...begun).plan.dead_ends).toEqual([]);
    expect(judged("local").plan.dead_ends).toEqual([]);
    expect(judged("global").plan.dead_ends).toEqual([planSet(subGoals(2)).fingerprint]);
  });
});
