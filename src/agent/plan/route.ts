import type { DegradeReason, Route } from "../../core/event-plan.js";

/** What a route depends on, after a verdict of a sub-goal's output. */
export interface RouteFacts {
  /** The one with this verdict counted. */
  readonly rounds: number;
  readonly max_rounds: number;
  readonly replans: number;
  readonly max_replans: number;
  /** The current sub-goal is the plan's last. */
  readonly last: boolean;
  /** Null: there is none that can be read. */
  readonly verdict: { readonly passed: boolean; readonly scope: "local" | "global" | null } | null;
}

export interface Routed {
  readonly to: Route;
  readonly degraded: DegradeReason | null;
}

type Rule = readonly [(facts: RouteFacts) => boolean, Routed];

const passed = ({ verdict }: RouteFacts): boolean => verdict?.passed === true;
const failed = ({ verdict }: RouteFacts, scope: "local" | "global"): boolean =>
  verdict !== null && !verdict.passed && verdict.scope === scope;

/** The first rule that holds decides (seed 3, section 2.3): budget first, completion after, so that no verdict can keep a trial from ending. */
const RULES: readonly Rule[] = [
  [(facts) => facts.rounds >= facts.max_rounds, { to: "finalize", degraded: "rounds-spent" }],
  [(facts) => facts.replans >= facts.max_replans && !passed(facts), { to: "finalize", degraded: "replans-spent" }],
  [(facts) => passed(facts) && facts.last, { to: "finalize", degraded: null }],
  [passed, { to: "next", degraded: null }],
  [(facts) => failed(facts, "local"), { to: "retry", degraded: null }],
  [(facts) => failed(facts, "global"), { to: "replan", degraded: null }],
];

const NO_VERDICT: Routed = { to: "finalize", degraded: "no-verdict" };

/** What follows from the verdict on a sub-goal's output. */
export function route(facts: RouteFacts): Routed {
  return RULES.find(([holds]) => holds(facts))?.[1] ?? NO_VERDICT;
}

/** What the check of the whole answer says, and what is left. */
export interface WholeFacts extends Pick<RouteFacts, "rounds" | "max_rounds" | "replans" | "max_replans"> {
  readonly verdict: { readonly passed: boolean } | null;
  /** Failed checks of the whole answer, this one counted. */
  readonly whole_failures: number;
}

/** What follows from the verdict on the whole answer: one new plan where it failed and budget is left. */
export function routeWhole(facts: WholeFacts): Routed {
  if (facts.verdict === null) return { to: "submit", degraded: "no-verdict" };
  if (facts.verdict.passed) return { to: "submit", degraded: null };
  const isLeft = facts.rounds < facts.max_rounds && facts.replans < facts.max_replans;
  return isLeft && facts.whole_failures <= 1
    ? { to: "replan", degraded: null }
    : { to: "submit", degraded: "whole-answer" };
}
