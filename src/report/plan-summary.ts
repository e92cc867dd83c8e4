import type { EndedVerification, PlanRecord } from "../core/plan-record.js";
import type { Layer } from "../core/verification.js";
import { countNames, groupBy } from "./counting.js";
import type { TrialFacts } from "./run-facts.js";

/** Where the verification of plans' outputs stopped, over trials; null in a report where no trial had a plan. */
export interface PlanSummary {
  readonly trials: number;
  readonly rounds: number;
  readonly replans: number;
  /** Why answers are not fully verified → trials. */
  readonly degraded: Readonly<Record<string, number>>;
  readonly verdicts: number;
  readonly passed: number;
  /** Failed verdicts by layer and reason, those of a layer together; the order is that of the layers. */
  readonly stopped: readonly Stopped[];
  readonly evidence: number;
  /** Observations that found nothing: where structure fails often, this is the first place to look. */
  readonly empty_results: number;
  readonly reused: number;
  readonly requests: number;
  readonly shown_tokens: number;
  readonly full_tokens: number;
}

export interface Stopped {
  /** `none`: the judge gave no verdict. */
  readonly layer: Layer | "none";
  /** A rule of code; `partly met` or `not met` by the goal's score. */
  readonly reason: string;
  readonly count: number;
}

const LAYER_ORDER: readonly Stopped["layer"][] = ["structure", "evidence", "goal", "none"];

export function summarisePlans(trials: readonly TrialFacts[]): PlanSummary | null {
  const plans = trials.flatMap(({ plan }) => plan ?? []);
  if (plans.length === 0) return null;
  const sum = (of: (plan: PlanRecord) => number) => plans.reduce((all, plan) => all + of(plan), 0);
  const verdicts = plans.flatMap((plan) => plan.verdicts);
  return {
    trials: plans.length,
    rounds: sum(({ rounds }) => rounds),
    replans: sum(({ replans }) => replans),
    degraded: countNames(plans.flatMap(({ degraded }) => degraded ?? [])),
    verdicts: verdicts.length,
    passed: verdicts.filter(({ passed }) => passed).length,
    stopped: stoppedAt(verdicts.filter(({ passed }) => !passed)),
    evidence: sum(({ evidence }) => evidence),
    empty_results: sum(({ empty_results }) => empty_results),
    reused: sum(({ reused }) => reused),
    requests: sum(({ requests }) => requests),
    shown_tokens: sum(({ shown_tokens }) => shown_tokens),
    full_tokens: sum(({ full_tokens }) => full_tokens),
  };
}

function stoppedAt(failed: readonly EndedVerification[]): Stopped[] {
  const groups = groupBy(failed, (verdict) => JSON.stringify([verdict.layer ?? "none", reasonOf(verdict)]));
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [{ layer: first.layer ?? "none", reason: reasonOf(first), count: group.length } as const];
  });
  const place = ({ layer }: Stopped) => LAYER_ORDER.indexOf(layer);
  return rows.sort((a, b) => place(a) - place(b) || b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

/** The first thing that code found; for the judge what its score says. */
function reasonOf({ layer, scope, rules }: EndedVerification): string {
  if (layer === null) return "no verdict";
  if (layer === "goal") return scope === "local" ? "partly met" : "not met";
  return rules[0] ?? "failed";
}
