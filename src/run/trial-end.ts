import { NO_PROMPTS } from "../core/event.js";
import type { TrialIdentity } from "../core/identity.js";
import type { TrialOutcome } from "../core/outcome.js";
import { planRecordOf } from "../core/plan-record.js";
import { NEW_TRIAL } from "../core/reduce.js";
import type { AnswerPath, TrialEnd } from "../core/run-record.js";
import type { TrialState } from "../core/state.js";
import { integrityOf } from "./integrity/integrity.js";

/** The record of a finished trial: all of it from the fold of its events. */
export function trialEnd(identity: TrialIdentity, attempt: number, at: string, state: TrialState): TrialEnd {
  if (state.outcome === null) throw new Error(`the trial ${identity.task_id}#${identity.k} has no outcome`);
  const { totals } = state;
  const plan = planRecordOf(state);
  return {
    record: "trial-end",
    ...identity,
    at,
    attempt,
    outcome: state.outcome,
    prediction: state.prediction,
    signature: state.signature,
    usage: Object.values(totals.usage),
    cost_usd: totals.cost_usd,
    requests: totals.requests,
    wall_ms: Math.round(totals.wall_ms),
    model_ms: Math.round(totals.model_ms),
    tool_ms: Math.round(totals.tool_ms),
    steps: state.step,
    tools: totals.tools,
    checks: state.validation.ended,
    ...(plan === null ? {} : { plan }),
    path: pathOf(state),
    integrity: integrityOf(state),
  };
}

function pathOf({ started, totals }: TrialState): AnswerPath {
  if (started?.prompts === NO_PROMPTS) return "unknown";
  return totals.recomputed ? "recompute" : "recall";
}

/** The record of a trial that could not even start, e.g. because its data could not be compiled. */
export function unstartedTrialEnd(
  identity: TrialIdentity,
  attempt: number,
  at: string,
  outcome: TrialOutcome,
): TrialEnd {
  return trialEnd(identity, attempt, at, { ...NEW_TRIAL, outcome });
}
