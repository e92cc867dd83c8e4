import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/agent/plan.js";
import type { Effect } from "../../../src/core/effect.js";
import type { PendingCall, TrialEvent, TrialEventBody } from "../../../src/core/event.js";
import type { Route } from "../../../src/core/event-plan.js";
import type { ModelRequest, Purpose } from "../../../src/core/message.js";
import type { Profile } from "../../../src/core/profile.js";
import { fold, NEW_TRIAL, reduce } from "../../../src/core/reduce.js";
import type { TrialState } from "../../../src/core/state.js";
import { decide as decideCheck } from "../../../src/validate/decide.js";
import { candidate, respond, started, toolReturned } from "../../support/events.js";
import { planSet, say, stepVerified, subGoals, turn, verdict } from "../../support/plan-events.js";
import { profileWith } from "../../support/profile.js";
import { stateAfter } from "../../support/trial.js";
import { validatorFailed, validatorReply } from "../../support/validation-events.js";

/** What each role may do when it is asked. */
const TURNS = {
  planner: ["good", "good", "other", "vague", "prose", "one"],
  executor: [
    "probe",
    "probe",
    "many",
    "cited",
    "cited",
    "invented",
    "bare",
    "missing",
    "submit",
    "fetch",
    "empty",
    "broken",
  ],
  verifier: ["met", "met", "met", "partly", "not", "prose", "fail"],
  finalizer: ["submit", "submit", "submit", "failing", "talk"],
  condenser: ["short", "fail"],
} as const;

type Role = keyof typeof TURNS;

interface Luck {
  readonly draws: readonly number[];
  readonly rounds: number;
  readonly replans: number;
  readonly enforce: boolean;
  readonly compress: boolean;
}

const luck: fc.Arbitrary<Luck> = fc.record({
  draws: fc.array(fc.nat(1000), { minLength: 30, maxLength: 80 }),
  rounds: fc.integer({ min: 1, max: 12 }),
  replans: fc.integer({ min: 0, max: 3 }),
  enforce: fc.boolean(),
  compress: fc.boolean(),
});

function profileOf({ rounds, replans, enforce, compress }: Luck): Profile {
  const plan = { max_rounds: rounds, max_replans: replans, max_tool_calls: 5, compress_outputs: compress };
  const base = profileWith({
    agent: { strategy: "plan", max_steps: 96, plan },
    process_validation: { mode: enforce ? "enforce" : "off", mechanical: "off" },
  });
  return base;
}

/** A trial whose roles draw what they do; returns every event. */
function play(given: Luck): { events: TrialEvent[]; state: TrialState } {
  const profile = profileOf(given);
  const events: TrialEvent[] = [];
  let state = NEW_TRIAL;
  let drawn = 0;
  const draw = () => given.draws[drawn++ % given.draws.length] ?? 0;
  const append = (body: TrialEventBody) => {
    const event = { seq: events.length, at: new Date(Date.UTC(2026, 0, 1)).toISOString(), ...body };
    state = reduce(state, event);
    events.push(event);
  };
  append(started());
  while (state.phase === "open") {
    if (events.length > 3000) throw new Error("the trial does not end");
    const effect = decideCheck(state, profile) ?? decide(state, profile);
    for (const body of outcomesOf(effect, state, draw)) append(body);
  }
  return { events, state };
}

function outcomesOf(effect: Effect, state: TrialState, draw: () => number): TrialEventBody[] {
  switch (effect.kind) {
    case "call-model":
      return [reply(effect.request, state, draw)];
    case "call-tools":
      return effect.calls.map((call) => returned(call, draw()));
    case "record":
      return [effect.event];
    case "finish":
      return [{ type: "trial-finished", outcome: effect.outcome, prediction: null, signature: null }];
    default:
      throw new Error(`nobody asked for ${effect.kind}`);
  }
}

function returned({ call }: PendingCall, number: number): TrialEventBody {
  if (call.name === "submit_tool_result" && number % 7 !== 0) return candidate(call.id);
  const ok = number % 5 !== 0 && call.name !== "submit_tool_result";
  return toolReturned(call.id, { tool: call.name, ok, content: number % 3 === 0 ? '{"matches":[]}' : "4 of them" });
}

function reply({ purpose, messages }: ModelRequest, state: TrialState, draw: () => number): TrialEventBody {
  if (purpose === "process-validator") {
    return draw() % 2 === 0
      ? validatorReply(purpose, { valid: true, issues: [] })
      : validatorReply(purpose, { valid: false, issues: ["a gap"], required_next_actions: ["look"] });
  }
  if (!isRole(purpose)) throw new Error(`${purpose} is not asked`);
  const turns = TURNS[purpose];
  const does = turns[draw() % turns.length] ?? "";
  if (purpose === "executor") return executorTurn(does, state, draw());
  if (purpose === "finalizer") return does === "talk" ? say(purpose, "It is 4.") : finalizerTurn(messages.length, does);
  if (does === "fail") return { ...validatorFailed("process-validator"), purpose };
  return say(purpose, TEXTS[`${purpose} ${does}`]?.(draw()) ?? does);
}

const isRole = (purpose: Purpose): purpose is Role => purpose in TURNS;

const plan = (accept: string, ...goals: readonly string[]) =>
  JSON.stringify({ sub_goals: goals.map((goal) => ({ goal, accept })) });
const judged = (score: number) =>
  JSON.stringify({ score, reason: "so it is", problem: score < 0.8 ? "a gap" : "none" });

const TEXTS: Readonly<Record<string, (number: number) => string>> = {
  "planner good": () => plan("one number", "look at the table", "count the rows"),
  "planner other": (number) =>
    plan("one number", ...Array.from({ length: 2 + (number % 5) }, (_, index) => `part ${number}x${index} alone`)),
  "planner vague": () => plan("a reasonable number", "look at the table", "count the rows"),
  "planner one": () => plan("one number", "all at once"),
  "verifier met": () => judged(0.9),
  "verifier partly": () => judged(0.6),
  "verifier not": () => judged(0.1),
};

function executorTurn(does: string, state: TrialState, number: number): TrialEventBody {
  const id = (index: number) => `c${number}_${index}`;
  const evidence = state.plan.evidence.at(-1)?.id ?? "E1";
  switch (does) {
    case "probe":
      return turn("executor", [id(0)]);
    case "many":
      return turn(
        "executor",
        Array.from({ length: 7 }, (_, index) => id(index)),
      );
    case "submit":
      return turn("executor", [id(0)], "submit_tool_result");
    case "fetch":
      return turn("executor", [id(0)], "read_evidence");
    case "empty":
      return say("executor", " ");
    case "broken":
      return { ...respond({ calls: ["x"], args: "{oops" }), purpose: "executor" };
    case "missing":
      return say("executor", "INSUFFICIENT: nobody wrote it down");
    case "invented":
      return say("executor", "There are 4 of them [E99].");
    case "bare":
      return say("executor", "There are some of them, I am quite sure.");
    default:
      return say("executor", `There are 4 of them [${evidence}].`);
  }
}

const finalizerTurn = (turns: number, does: string): TrialEventBody =>
  turn("finalizer", [`f${turns}`], does === "failing" ? "no_such_tool" : "submit_tool_result");

describe("the plan strategy", () => {
  it("ends every trial within its budgets, whatever its roles say", () => {
    fc.assert(
      fc.property(luck, (given) => {
        const { state } = play(given);
        expect(state.plan.rounds).toBeLessThanOrEqual(given.rounds);
        expect(state.plan.replans).toBeLessThanOrEqual(given.replans);
        expect(["answered", "no-answer", "agent-error"]).toContain(state.outcome?.kind);
        if (state.outcome?.kind === "answered") expect(state.outcome.degraded).toBe(state.plan_work.degraded !== null);
        for (const { round, sub_goal } of state.plan_work.ended)
          expect([round > 0, sub_goal]).not.toEqual([false, "s1"]);
      }),
      { numRuns: 100 },
    );
  });

  it("calls at most five tools in one execution, and asks no model about what code has caught", () => {
    fc.assert(
      fc.property(luck, (given) => {
        const { events } = play(given);
        let calls = 0;
        for (const [index, event] of events.entries()) {
          if (event.type === "execution-started") calls = 0;
          if (event.type === "tool-returned" && event.error !== "tool-budget") calls++;
          if (event.type === "route-taken") calls = 0;
          const executing = fold(events.slice(0, index + 1)).plan_work.stage === "executing";
          if (executing) expect(calls).toBeLessThanOrEqual(5);
          if (event.type === "step-verified" && event.verdict !== null && event.verdict.layer !== "goal") {
            expect(events[index - 1]?.type).toBe("output-recorded");
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it("keeps an executor's conversation growing at its end only", () => {
    fc.assert(
      fc.property(luck, (given) => {
        const profile = profileOf(given);
        const { events } = play(given);
        let state = NEW_TRIAL;
        let before: readonly unknown[] = [];
        for (const event of events) {
          if (event.type === "model-responded" && event.purpose === "executor") {
            const effect = decide(state, profile);
            const messages = effect.kind === "call-model" ? effect.request.messages : [];
            const grown = messages.filter(({ role }, index) => role !== "user" || index < 2);
            if (state.history.length > 0) expect(grown.slice(0, before.length)).toEqual(before);
            before = grown;
          }
          state = reduce(state, event);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("folds the two oldest of more than five outputs by one model call, and marks what stands for them", () => {
    const six = subGoals(6);
    const profile = profileWith({ agent: { strategy: "plan", plan: { ...BUDGETS, compress_outputs: true } } });
    const failed = verdict({ passed: false, score: 0.6, scope: "global" });
    const before = [
      started(),
      planSet(six),
      ...six.flatMap(({ id }, index) => [...passed(id, index + 1), route(index === 5 ? "finalize" : "next")]),
      stepVerified(null, 6, failed),
      route("replan"),
      planSet(subGoals(2, 6)),
    ];
    const asked = decide(stateAfter(...before), profile);
    expect(asked).toMatchObject({ kind: "call-model", request: { purpose: "condenser", tools: [] } });
    const off = profileWith({ agent: { strategy: "plan", plan: BUDGETS } });
    expect(decide(stateAfter(...before), off)).toMatchObject({ event: { type: "execution-started" } });

    const folded = decide(stateAfter(...before, say("condenser", "Both are 4 [E1].")), profile);
    expect(folded).toMatchObject({
      event: { type: "outputs-compressed", sub_goals: ["s1", "s2"], text: "Both are 4 [E1]." },
    });
    if (folded.kind !== "record") throw new Error("nothing is recorded");
    const after = stateAfter(...before, say("condenser", "Both are 4 [E1]."), folded.event);
    expect(Object.keys(after.plan.outputs)).toHaveLength(6);
    expect(after.plan.outputs.s1?.text).toBe(said("s1"));
    const begun = decide(after, profile);
    expect(begun).toMatchObject({ event: { type: "execution-started", sub_goal: "s7" } });
    if (begun.kind !== "record") throw new Error("nothing is recorded");
    const next = decide(
      stateAfter(...before, say("condenser", "Both are 4 [E1]."), folded.event, begun.event),
      profile,
    );
    const prompt = next.kind === "call-model" ? JSON.stringify(next.request.messages) : "";
    expect(prompt).toContain("s1 (goal 1), s2 (goal 2) [compressed]: Both are 4 [E1].");
    expect(prompt).not.toContain(said("s1"));
    expect(prompt).toContain(said("s3"));
  });

  it("shows evidence shortened and brings it whole by its id, at most what is there", () => {
    const long = "a row of the table, ".repeat(200);
    const profile = profileWith({ agent: { strategy: "plan" } });
    const begun = [
      started(),
      planSet(subGoals(2)),
      starts("s1", 1),
      turn("executor", ["a"]),
      toolReturned("a", { content: long }),
      say("executor", said("s1")),
      { type: "output-recorded", sub_goal: "s1", text: said("s1"), reused_from: null },
      stepVerified("s1", 1, verdict()),
      route("next"),
    ] as const;
    const start = decide(stateAfter(...begun), profile);
    if (start.kind !== "record" || start.event.type !== "execution-started") throw new Error("no execution starts");
    expect(start.event.shown_tokens).toBeLessThan(start.event.full_tokens / 4);
    const asked = decide(stateAfter(...begun, start.event), profile);
    expect(JSON.stringify(asked).length).toBeLessThan(long.length);
    const fetch = (ids: string) => {
      const calls = { ...respond({ calls: ["r"], tool: "read_evidence", args: ids }), purpose: "executor" as const };
      const effect = decide(stateAfter(...begun, start.event, calls), profile);
      return effect.kind === "record" && effect.event.type === "tool-returned" ? effect.event : null;
    };
    expect(fetch('{"ids":["E1"]}')?.content).toContain(long);
    expect(fetch('{"ids":["E7"]}')).toMatchObject({ ok: false, error: "unknown-evidence" });
    expect(fetch('{"id":"E1"}')).toMatchObject({ ok: false, error: "bad-arguments" });
  });
});

const BUDGETS = { max_rounds: 12, max_replans: 3, max_tool_calls: 5, compress_outputs: false };

const said = (id: string) => `The count for ${id} is four and no more.`;
const starts = (sub_goal: string, round: number) =>
  ({ type: "execution-started", sub_goal, round, shown_tokens: 0, full_tokens: 0 }) as const;
const route = (to: Route) => ({ type: "route-taken", to, degraded: null }) as const;

/** One round that passes. */
const passed = (id: string, round: number): TrialEventBody[] => [
  starts(id, round),
  say("executor", said(id)),
  { type: "output-recorded", sub_goal: id, text: said(id), reused_from: null },
  stepVerified(id, round, verdict()),
];
