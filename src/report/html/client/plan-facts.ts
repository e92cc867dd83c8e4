import type { PlanEvent } from "../../../core/event-plan.js";

/** What stands beside its title, in parts: `round 3`, `score 0.62`, `goal`, `local`. */
export function planFacts(event: PlanEvent): readonly string[] {
  switch (event.type) {
    case "reply-refused":
      return [event.purpose, event.reason];
    case "execution-started":
      return [event.sub_goal, `round ${event.round}`];
    case "output-recorded":
      return event.reused_from === null ? [event.sub_goal] : [event.sub_goal, `reused from ${event.reused_from}`];
    case "step-verified":
      return verdictFacts(event);
    case "route-taken":
      return event.degraded === null ? [event.to] : [event.to, event.degraded];
    case "outputs-compressed":
      return [`${event.tokens_before} → ${event.tokens_after} tokens`];
    case "person-decided":
      return [event.pause, event.decision.kind];
    case "plan-set":
      return event.collides ? ["dead end again"] : [];
  }
}

function verdictFacts({ round, verdict }: Extract<PlanEvent, { type: "step-verified" }>): readonly string[] {
  if (verdict === null) return [`round ${round}`, "no verdict"];
  const { score, layer, scope, passed } = verdict;
  const scored = score === null ? [] : [`score ${score.toFixed(2)}`];
  return [`round ${round}`, ...scored, layer, passed ? "passed" : (scope ?? "rejected")];
}
