import { evidenceId } from "./evidence.js";
import type { PlanEvidence, PlanState } from "./plan-state.js";
import type { TrajectoryStep } from "./state.js";

/** A piece of evidence with everything that its call was asked and returned. */
export interface FullEvidence {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly content: string;
}

/** The whole of an evidence entry, from the trajectory; null where it is not there, which only an edited log brings about. */
export function fullEvidence(
  trajectory: readonly TrajectoryStep[],
  { id, call, tool }: PlanEvidence,
): FullEvidence | null {
  for (const { step, returns } of trajectory) {
    const found = returns.find(({ call_id }) => evidenceId(step, call_id) === call);
    if (found !== undefined) return { id, tool, args: found.args, content: found.content };
  }
  return null;
}

/** The outputs of the plan in its order, whole, each under its goal. */
export function assembledOutputs({ plan, outputs }: PlanState): string {
  return plan
    .flatMap(({ id, goal }) => {
      const output = outputs[id];
      return output === undefined ? [] : [`${id}: ${goal}\n${output.text}`];
    })
    .join("\n\n");
}
