import type { TrialEvent } from "../../core/event.js";
import type { PlanEvent } from "../../core/event-plan.js";
import type { SubGoal } from "../../core/plan-state.js";
import { counted } from "../numbers.js";

/** One event of a plan in words: `round 3 | verifier | score 0.62 | goal | local | missing the second source's dates`. */
export function planLine(event: PlanEvent): string {
  switch (event.type) {
    case "plan-set": {
      const facts = [
        ...(event.collides ? ["a dead end again"] : []),
        ...(event.vague.length > 0 ? [`vague: ${event.vague.join(", ")}`] : []),
      ];
      return ["planner", counted(event.plan.length, "sub-goal"), ...facts, ...event.plan.map(goalOf)].join(" | ");
    }
    case "reply-refused":
      return `${event.purpose} | sent back | ${event.reason} | ${event.message}`;
    case "execution-started":
      return `round ${event.round} | executor | ${event.sub_goal} | earlier work ${event.shown_tokens} of ${event.full_tokens} tokens`;
    case "output-recorded": {
      const how = event.reused_from === null ? "output" : `reused from ${event.reused_from}`;
      return `${event.sub_goal} | ${how} | ${event.text}`;
    }
    case "step-verified":
      return verdictLine(event);
    case "route-taken":
      return event.degraded === null ? `route | ${event.to}` : `route | ${event.to} | degraded | ${event.degraded}`;
    case "outputs-compressed":
      return `compressed | ${event.sub_goals.join(", ")} | ${event.tokens_before} to ${event.tokens_after} tokens | ${event.text}`;
    case "person-decided":
      return decisionLine(event);
  }
}

const goalOf = ({ id, goal }: SubGoal): string => `${id}: ${goal}`;

function verdictLine({ round, sub_goal, verdict, error }: Extract<PlanEvent, { type: "step-verified" }>): string {
  const about = [`round ${round}`, "verifier", ...(sub_goal === null ? ["whole answer"] : [])];
  if (verdict === null) return [...about, "no verdict", error ?? ""].join(" | ");
  const { score, layer, scope, reason } = verdict;
  return [...about, score === null ? "no score" : `score ${score.toFixed(2)}`, layer, scope ?? "passed", reason].join(
    " | ",
  );
}

function decisionLine({ pause, decision }: Extract<PlanEvent, { type: "person-decided" }>): string {
  switch (decision.kind) {
    case "approve":
      return `person | ${pause} | approved`;
    case "reject":
      return `person | ${pause} | rejected | ${decision.why}`;
    case "edit-plan":
      return ["person", pause, "another plan", ...decision.plan.map(goalOf)].join(" | ");
  }
}

/** Whether an event of a plan is a failure of something. */
export function isBadPlanEvent(event: TrialEvent): boolean {
  switch (event.type) {
    case "reply-refused":
      return true;
    case "step-verified":
      return event.verdict?.passed !== true;
    case "route-taken":
      return event.degraded !== null;
    default:
      return false;
  }
}
