import type { Decision, PersonSays } from "../../core/event-plan.js";
import type { TrialState } from "../../core/state.js";
import { fingerprintOf } from "./fingerprint.js";
import { withIds } from "./planner-reply.js";

/** What a person says, as the event has it: a plan of theirs gets its ids where the trial stands. */
export function decisionOf(says: PersonSays, { plan_work }: TrialState): Decision {
  if (says.kind !== "edit-plan") return says;
  return {
    kind: "edit-plan",
    plan: withIds(says.sub_goals, plan_work.sub_goal_ids),
    fingerprint: fingerprintOf(says.sub_goals),
  };
}
