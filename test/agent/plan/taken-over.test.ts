import { describe, expect, it } from "vitest";
import { decide } from "../../../src/agent/plan.js";
import type { TrialEventBody } from "../../../src/core/event.js";
import type { ReplyRefused, Route } from "../../../src/core/event-plan.js";
import type { SubGoal } from "../../../src/core/plan-state.js";
import { started } from "../../support/events.js";
import { planSet, say, stepVerified, subGoals, verdict } from "../../support/plan-events.js";
import { profileWith } from "../../support/profile.js";
import { stateAfter } from "../../support/trial.js";

const BUDGETS = { max_rounds: 12, max_replans: 3, max_tool_calls: 5, compress_outputs: false };
const PROFILE = profileWith({ agent: { strategy: "plan", plan: BUDGETS } });

const next = (...events: readonly TrialEventBody[]) => decide(stateAfter(started(), ...events), PROFILE);
const route = (to: Route) => ({ type: "route-taken", to, degraded: null }) as const;

/** A round of one sub-goal with an output and what the verifier thinks of it. */
const round = (id: string, number: number, passed: boolean, reason = "all there"): TrialEventBody[] => [
  { type: "execution-started", sub_goal: id, round: number, shown_tokens: 0, full_tokens: 0 },
  say("executor", `There are ${number} of them.`),
  { type: "output-recorded", sub_goal: id, text: `There are ${number} of them.`, reused_from: null },
  stepVerified(id, number, verdict({ passed, score: passed ? 0.9 : 0.6, reason })),
];

/** Three sub-goals that ask for the same. */
const ALIKE: SubGoal[] = subGoals(3).map((one) => ({ ...one, goal: "Count the red fruit by month of harvest" }));

describe("an output that serves another sub-goal", () => {
  const twice = [planSet(ALIKE), ...round("s1", 1, true), route("next"), ...round("s2", 2, true), route("next")];

  it("is the newest that passed", () => {
    const event = { type: "output-recorded", sub_goal: "s3", text: "There are 2 of them.", reused_from: "s2" };
    expect(next(...twice)).toMatchObject({ kind: "record", event });
  });

  it("is not one that failed", () => {
    const failed = [planSet(ALIKE), ...round("s1", 1, true), route("next"), ...round("s2", 2, false), route("next")];
    expect(next(...failed)).toMatchObject({ event: { type: "output-recorded", sub_goal: "s3", reused_from: "s1" } });
  });
});

describe("a planner that has nothing usable to say any more", () => {
  const plan = (goal: string, accept: string) =>
    say(
      "planner",
      JSON.stringify({
        sub_goals: [
          { goal, accept },
          { goal: `${goal} again`, accept },
        ],
      }),
    );
  const sentBack = (reason: ReplyRefused["reason"]) =>
    ({ type: "reply-refused", purpose: "planner", reason, message: "again" }) as const;

  it("is taken at its newest word that was usable", () => {
    const effect = next(
      plan("Count red fruit", "reasonable"),
      sentBack("vague-accept"),
      plan("Weigh the pears", "one number of grams"),
      sentBack("dead-end"),
      say("planner", "I do not know."),
      sentBack("unusable"),
      say("planner", "I still do not know."),
    );
    expect(effect).toMatchObject({ event: { type: "plan-set", plan: [{ goal: "Weigh the pears" }, {}] } });
  });
});

describe("the planner of another plan", () => {
  it("is told the five newest reasons why work was refused", () => {
    const reasons = ["first", "second", "third", "fourth", "fifth", "sixth"].map(
      (word) => `the ${word} try lacks units`,
    );
    const rounds = reasons.flatMap((reason, index) => [
      ...round("s1", index + 1, false, reason),
      route(index === reasons.length - 1 ? "replan" : "retry"),
    ]);
    const effect = next(planSet(subGoals(2)), ...rounds);
    const prompt = effect.kind === "call-model" ? JSON.stringify(effect.request.messages) : "";
    expect(reasons.filter((reason) => prompt.includes(reason))).toEqual(reasons.slice(1));
  });
});
