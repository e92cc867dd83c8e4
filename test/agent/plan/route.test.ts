import { describe, expect, it } from "vitest";
import { type RouteFacts, route, routeWhole, type WholeFacts } from "../../../src/agent/plan/route.js";

const PASSED = { passed: true, scope: null };
const LOCAL = { passed: false, scope: "local" } as const;
const GLOBAL = { passed: false, scope: "global" } as const;

const facts = (more: Partial<RouteFacts>): RouteFacts => ({
  rounds: 1,
  max_rounds: 12,
  replans: 0,
  max_replans: 3,
  last: false,
  verdict: PASSED,
  ...more,
});

/** In the order of the spec: each rule beside one that would say otherwise if the order were another. */
const TABLE: readonly [string, Partial<RouteFacts>, string][] = [
  ["rounds are used up, though the last sub-goal passed", { rounds: 12, last: true }, "finalize rounds-spent"],
  ["rounds are used up, though it could be tried again", { rounds: 12, verdict: LOCAL }, "finalize rounds-spent"],
  ["rounds are more than used up", { rounds: 13, verdict: GLOBAL }, "finalize rounds-spent"],
  ["replans are used up and the plan fails", { replans: 3, verdict: GLOBAL }, "finalize replans-spent"],
  ["replans are used up and the output fails", { replans: 3, verdict: LOCAL }, "finalize replans-spent"],
  ["replans are used up and there is no verdict", { replans: 3, verdict: null }, "finalize replans-spent"],
  ["replans are used up and it passes", { replans: 3 }, "next"],
  ["replans are used up and the last sub-goal passes", { replans: 3, last: true }, "finalize"],
  ["the last sub-goal passes", { last: true }, "finalize"],
  ["another passes", {}, "next"],
  ["the output fails", { verdict: LOCAL }, "retry"],
  ["the last output fails", { verdict: LOCAL, last: true }, "retry"],
  ["the plan fails", { verdict: GLOBAL }, "replan"],
  ["there is no verdict", { verdict: null }, "finalize no-verdict"],
  ["a failure has no scope", { verdict: { passed: false, scope: null } }, "finalize no-verdict"],
];

const said = ({ to, degraded }: ReturnType<typeof route>) => (degraded === null ? to : `${to} ${degraded}`);

describe("the route after a verdict", () => {
  it.each(TABLE)("where %s", (_, more, expected) => {
    expect(said(route(facts(more)))).toBe(expected);
  });

  it("is the ordinary one in the first round and in the first after a replan, and gives up only at the limit", () => {
    for (const replans of [0, 1]) {
      expect(said(route(facts({ rounds: 1, replans })))).toBe("next");
      expect(said(route(facts({ rounds: 1, replans, verdict: LOCAL })))).toBe("retry");
      expect(said(route(facts({ rounds: 1, replans, verdict: GLOBAL })))).toBe("replan");
    }
    expect(said(route(facts({ rounds: 11, verdict: LOCAL })))).toBe("retry");
    expect(said(route(facts({ rounds: 12, verdict: LOCAL })))).toBe("finalize rounds-spent");
    expect(said(route(facts({ replans: 2, verdict: GLOBAL })))).toBe("replan");
    expect(said(route(facts({ replans: 3, verdict: GLOBAL })))).toBe("finalize replans-spent");
    expect(said(route(facts({ max_replans: 0, verdict: GLOBAL })))).toBe("finalize replans-spent");
    expect(said(route(facts({ max_rounds: 1, last: true })))).toBe("finalize rounds-spent");
  });
});

describe("the route after the check of the whole answer", () => {
  const whole = (more: Partial<WholeFacts>) =>
    said(
      routeWhole({
        rounds: 2,
        max_rounds: 12,
        replans: 0,
        max_replans: 3,
        verdict: GLOBAL,
        whole_failures: 1,
        ...more,
      }),
    );

  it("is one new plan where it failed and budget is left, else an answer that says it is not fully verified", () => {
    expect(whole({ verdict: PASSED })).toBe("submit");
    expect(whole({})).toBe("replan");
    expect(whole({ whole_failures: 2 })).toBe("submit whole-answer");
    expect(whole({ rounds: 12 })).toBe("submit whole-answer");
    expect(whole({ replans: 3 })).toBe("submit whole-answer");
    expect(whole({ verdict: null })).toBe("submit no-verdict");
  });
});
