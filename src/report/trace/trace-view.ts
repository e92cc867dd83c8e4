import type { CandidateSubmitted, ModelResponded, ToolReturned, TrialEvent } from "../../core/event.js";
import { isPlanEvent, type PlanEvent } from "../../core/event-plan.js";
import { counted, grouped } from "../numbers.js";
import { outcomeSentence } from "../outcome-sentence.js";
import type { TerminalStyle } from "../render-terminal.js";
import { oneLine, textWidth, wrapParts } from "../text-width.js";
import { checkDetails, checkHeading, citable, isCheck } from "./check-lines.js";
import { hangingLines } from "./sql-lines.js";
import { traceLines } from "./trace.js";
import { agentHead, agentLines, isOfAgent } from "./trace-command.js";
import { planLine } from "./trace-plan.js";
import { argumentLines, contentLines, tableLines, textLines, type ValueStyle, valueLines } from "./value-lines.js";

/** How a trace is shown. */
export interface TraceStyle extends TerminalStyle {
  /** Nothing folded. */
  readonly full: boolean;
}

/** Lines of a call or of what it returned, and rows of one table, before the rest is folded. */
const MOST_LINES = 14;
const MOST_ROWS = 8;
const INDENT = "    ";

/**
 * A trial for people: the question, then each event under a line that says what it was, with its call, SQL, result and checks. Long ones are folded and say so. Ends with how
 * to see all, where anything is.
 */
export function traceView(events: readonly TrialEvent[], style: TraceStyle): string[] {
  const { paint, columns } = style;
  const [first] = events;
  const view: View = {
    style,
    values: {
      width: columns === null ? null : Math.max(12, columns - INDENT.length),
      rows: style.full ? null : MOST_ROWS,
    },
    cited: events.some(isCheck) ? citable(events) : new Map(),
    step: 0,
    folded: false,
  };
  const blocks = events.flatMap((event) => {
    if (event.type === "model-responded" && event.purpose === "agent") view.step++;
    return eventBlock(event, view);
  });
  const question = first?.type === "trial-started" ? [first.question] : [];
  return [
    ...question.flatMap((text) => wrapParts([oneLine(text)], " ", columns)).map(paint.strong),
    ...(question.length > 0 ? [""] : []),
    ...blocks,
    ...(view.folded ? ["", ...wrapParts(["… is folded: --full shows all of it"], " ", columns).map(paint.faint)] : []),
  ];
}

/** What blocks are made with, and what they leave behind. */
interface View {
  readonly style: TraceStyle;
  readonly values: ValueStyle;
  readonly cited: ReadonlyMap<string, string>;
  /** The agent's step that an event belongs to. */
  step: number;
  folded: boolean;
}

function eventBlock(event: TrialEvent, view: View): string[] {
  const { paint, columns } = view.style;
  const { title, facts, bad } = headOf(event, view.step);
  const seq = `${event.seq}`.padStart(3);
  const ms = "ms" in event ? [`${grouped(Math.round(event.ms))} ms`] : [];
  const said = [...facts, ...ms].join(" · ");
  const head = `${seq} ${title}`;
  const fits = columns === null || textWidth(head) + 2 + textWidth(said) <= columns;
  const titled = hangingLines(head, columns, INDENT.length).map((line) => (bad ? paint.bad(line) : paint.strong(line)));
  const lines = event.type === "tool-returned" ? callLines(event, view) : fold(bodyOf(event, view), view);
  return [
    ...(fits && said !== "" ? [`${titled[0] ?? ""}  ${paint.faint(said)}`] : titled),
    ...(fits || said === "" ? [] : hangingLines(`${INDENT}${said}`, columns, 0).map(paint.faint)),
    ...lines.map((line) => (line === "" ? "" : INDENT + line)),
  ];
}

function fold(lines: readonly string[], view: View): readonly string[] {
  if (!view.style.full && lines.some((line) => /… [\d,]+ more (row|column)s?$/.test(line))) view.folded = true;
  // One line more costs no more room than to say that it is folded.
  if (view.style.full || lines.length <= MOST_LINES + 1) return lines;
  view.folded = true;
  return [
    ...lines.slice(0, MOST_LINES),
    view.style.paint.faint(`… ${counted(lines.length - MOST_LINES, "more line")}`),
  ];
}

interface Head {
  readonly title: string;
  readonly facts: readonly string[];
  readonly bad?: boolean;
}

function headOf(event: TrialEvent, step: number): Head {
  if (isOfAgent(event)) return agentHead(event);
  switch (event.type) {
    case "trial-started":
      return {
        title: `trial started, attempt ${event.attempt}`,
        facts: [
          counted(event.catalog.tables.length, "table"),
          counted(event.catalog.documents.length, "document"),
          `seed ${event.seed}`,
        ],
      };
    case "model-responded":
      return { title: responseTitle(event, step), facts: responseFacts(event) };
    case "model-failed":
      return {
        title: oneLine(`${event.purpose} model failed: ${event.failure.class}`),
        facts: [event.final ? "given up" : "asked again"],
        bad: true,
      };
    case "tool-returned":
      return {
        title: toolTitle(event),
        facts: event.truncated ? ["cut: the model saw only a part"] : [],
        bad: !event.ok,
      };
    case "extraction-requested":
      return { title: "asks the extractor", facts: traceLines([event]).map(({ what }) => oneLine(what)) };
    case "candidate-submitted":
      return { title: "candidate", facts: [`from ${event.source.tool}`] };
    case "data-queried":
      return { title: `${event.validator} check asks the data`, facts: [event.why] };
    case "process-validated":
    case "answer-validated":
      return { title: checkHeading(event), facts: [], bad: event.verdict !== "passed" };
    case "validation-skipped":
      return { title: checkHeading(event), facts: [] };
    case "limit-reached":
      return { title: `limit reached: ${event.limit}`, facts: [], bad: true };
    case "trial-finished":
      return { title: oneLine(outcomeSentence(event.outcome)), facts: [], bad: event.outcome.kind !== "answered" };
    default:
      return {
        title: event.type.replaceAll("-", " "),
        facts: [],
        bad: traceLines([event])[0]?.bad ?? false,
      };
  }
}

/** `step 2 → get_table_profile, read_doc ×8` */
function responseTitle({ purpose, response, cached }: ModelResponded, step: number): string {
  const counts = new Map<string, number>();
  for (const { name } of response.tool_calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  const calls = [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  const who = purpose === "agent" ? `step ${step}` : purpose;
  return oneLine(`${who}${cached === true ? " (cached)" : ""}${calls.length === 0 ? "" : ` → ${calls.join(", ")}`}`);
}

function responseFacts({ response: { model, usage, cost_usd } }: ModelResponded): string[] {
  const tokens =
    usage.input_tokens === null && usage.output_tokens === null
      ? []
      : [`${usage.input_tokens ?? "?"}→${usage.output_tokens ?? "?"} tokens`];
  return [oneLine(model), ...tokens, ...(cost_usd === null || cost_usd === 0 ? [] : [`$${cost_usd.toPrecision(2)}`])];
}

function toolTitle({ tool, ok, error }: ToolReturned): string {
  return oneLine(ok ? tool : `${tool} failed: ${error}`);
}

function bodyOf(event: TrialEvent, view: View): string[] {
  const { values, style } = view;
  const say = (text: string) => textLines(text, values.width);
  if (isOfAgent(event)) return agentLines(event, values);
  if (isPlanEvent(event)) return planLines(event, values.width);
  switch (event.type) {
    case "trial-started":
      return event.absent_tools.flatMap(({ name, reason }) => say(`no ${name}: ${reason}`));
    case "model-responded":
      return responseLines(event, view);
    case "model-failed":
      return say(event.failure.message);
    case "extraction-requested":
      return style.full ? valueLines(event.lines, values) : [];
    case "candidate-submitted":
      return candidateLines(event, values);
    case "data-queried":
      return style.full
        ? [
            ...argumentLines({ queries: event.queries }, values),
            ...event.results.flatMap((one) => valueLines(one, values)),
          ]
        : [];
    case "process-validated":
    case "answer-validated":
    case "validation-skipped":
      return checkDetails(event, view.cited).flatMap((line) => hangingLines(line, values.width, 2));
    case "repair-requested":
    case "answer-forced":
      return say(event.message);
    case "limit-reached":
      return say(event.detail);
    case "trial-finished":
      return event.prediction === null ? [] : say(event.prediction);
    default: {
      const { seq: _seq, at: _at, type: _type, waited_ms: _waited, ...fields } = event;
      return valueLines(fields, values);
    }
  }
}

/** A plan has a line a sub-goal; what else happens to it is one line that goes on. */
function planLines(event: PlanEvent, width: number | null): string[] {
  const parts = planLine(event).split(" | ").map(oneLine);
  return event.type === "plan-set"
    ? parts.flatMap((part) => hangingLines(part, width, 2))
    : wrapParts(parts, " · ", width);
}

/** A call and what it returned, each folded by itself. */
function callLines({ args, content }: ToolReturned, view: View): string[] {
  return [
    ...fold(argumentLines(args, view.values), view),
    ...returned(view.values, (within) => fold(contentLines(content, within), view)),
  ];
}

/** What a call returned, set off from its arguments. */
function returned(values: ValueStyle, lines: (style: ValueStyle) => readonly string[]): string[] {
  const narrower = { ...values, width: values.width === null ? null : values.width - 2 };
  return lines(narrower).map((line, index) => (index === 0 ? `→ ${line}` : line === "" ? "" : `  ${line}`));
}

function responseLines({ response }: ModelResponded, { style, values }: View): string[] {
  const { content, reasoning, tool_calls } = response;
  const thought =
    reasoning === null || reasoning.trim() === "" ? [] : textLines(`reasoning: ${reasoning}`, values.width);
  return [
    ...(style.full ? thought : []),
    ...(content === null || content.trim() === "" ? [] : contentLines(content, values)),
    // Calls whose arguments could not be read have no return that shows them.
    ...(style.full ? tool_calls.flatMap((call) => textLines(`${call.name}(${call.arguments})`, values.width)) : []),
  ];
}

function candidateLines({ source, candidate, conclusion }: CandidateSubmitted, values: ValueStyle): string[] {
  const { columns, preview, rows } = candidate;
  return [
    ...argumentLines(source.args, values),
    ...returned(values, (style) => tableLines({ columns, rows: preview, count: rows }, style)),
    ...(conclusion === null ? [] : textLines(conclusion, values.width)),
  ];
}
