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
