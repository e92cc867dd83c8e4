import type { AnswerDelivered, CommandReturned, CommandStarted, StepReported, TrialEvent } from "../../core/event.js";
import { oneLine } from "../text-width.js";
import { argumentLines, contentLines, tableLines, textLines, type ValueStyle } from "./value-lines.js";

type OfAgent = CommandStarted | StepReported | AnswerDelivered | CommandReturned;

const TYPES: readonly TrialEvent["type"][] = [
  "command-started",
  "step-reported",
  "answer-delivered",
  "command-returned",
];

/** Whether an event is of an agent that is not ours. */
export function isOfAgent(event: TrialEvent): event is TrialEvent & OfAgent {
  return TYPES.includes(event.type);
}

/** The line above such an event. */
export function agentHead(event: OfAgent): { readonly title: string; readonly facts: string[]; readonly bad: boolean } {
  switch (event.type) {
    case "command-started":
      return { title: "the agent's program starts", facts: [event.sandbox, `network ${event.network}`], bad: false };
    case "step-reported": {
      const tools = event.calls.map(({ tool }) => tool).join(", ");
      const title = oneLine(tools === "" ? "reported step" : `reported step → ${tools}`);
      return { title, facts: [], bad: event.calls.some(({ ok }) => ok === false) };
    }
    case "answer-delivered":
      return { title: "answer handed over", facts: [], bad: false };
    case "command-returned": {
      const how = event.failure ?? "it ended well";
      const bad = event.failure !== null || event.prediction.status !== "delivered";
      return { title: oneLine(`the agent's program: ${how}`), facts: [`prediction ${event.prediction.status}`], bad };
    }
  }
}

/** What stands beneath it. */
export function agentLines(event: OfAgent, style: ValueStyle): string[] {
  const say = (text: string) => (text.trim() === "" ? [] : textLines(text.trim(), style.width));
  switch (event.type) {
    case "command-started":
      return say(event.argv.join(" "));
    case "step-reported":
      return [
        ...say(event.content ?? ""),
        ...event.calls.flatMap(({ args, ok, content }) => [
          ...argumentLines(args, style),
          ...(ok === null ? say("no return") : contentLines(content, style).map((line) => `→ ${line}`)),
        ]),
      ];
    case "answer-delivered": {
      const { columns, preview, rows } = event.candidate;
      return [...tableLines({ columns, rows: preview, count: rows }, style), ...say(event.conclusion ?? "")];
    }
    case "command-returned":
      return [event.prediction.reason ?? "", ...event.notes, event.stdout, event.stderr].flatMap(say);
  }
}
