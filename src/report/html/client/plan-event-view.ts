import type { PlanEvent } from "../../../core/event-plan.js";
import type { Child } from "./dom.js";
import { textBlock, valueView } from "./value-view.js";

/** What an event of a plan says. */
export function planBody(event: PlanEvent): Child {
  switch (event.type) {
    case "plan-set":
      return valueView(event.plan.map(({ id, goal, accept, tool_hint }) => ({ id, goal, accept, tool_hint })));
    case "reply-refused":
      return textBlock(event.message);
    case "output-recorded":
    case "outputs-compressed":
      return textBlock(event.text);
    case "step-verified":
      return event.verdict === null
        ? textBlock(event.error ?? "")
        : [
            textBlock(event.verdict.reason),
            event.verdict.findings.length === 0 ? null : valueView(event.verdict.findings),
          ];
    case "person-decided":
      return valueView(event.decision);
    case "execution-started":
    case "route-taken":
      return null;
  }
}

/** What stands beside its title: `round 3 · score 0.62 · goal · local`. */
export function planFacts(event: PlanEvent): string {
  switch (event.type) {
    case "reply-refused":
      return `${event.purpose} · ${event.reason}`;
    case "execution-started":
      return `${event.sub_goal} · round ${event.round}`;
    case "output-recorded":
      return event.reused_from === null ? event.sub_goal : `${event.sub_goal} · reused from ${event.reused_from}`;
    case "step-verified":
      return verdictFacts(event);
    case "route-taken":
      return event.degraded === null ? event.to : `${event.to} · ${event.degraded}`;
    case "outputs-compressed":
      return `${event.tokens_before} → ${event.tokens_after} tokens`;
    case "person-decided":
      return `${event.pause} · ${event.decision.kind}`;
    case "plan-set":
      return event.collides ? "dead end again" : "";
  }
}

function verdictFacts({ round, verdict }: Extract<PlanEvent, { type: "step-verified" }>): string {
  if (verdict === null) return `round ${round} · no verdict`;
  const { score, layer, scope, passed } = verdict;
  const scored = score === null ? [] : [`score ${score.toFixed(2)}`];
  return [`round ${round}`, ...scored, layer, passed ? "passed" : (scope ?? "failed")].join(" · ");
}
