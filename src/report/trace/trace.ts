import { z } from "zod";
import { assertNever } from "../../core/errors.js";
import type { CommandReturned, StepReported, TrialEvent } from "../../core/event.js";
import { isPlanEvent } from "../../core/event-plan.js";
import type { AnswerValidated, ProcessValidated } from "../../core/event-validation.js";
import type { Finding } from "../../core/finding.js";
import type { ModelResponse, Purpose, ToolCall } from "../../core/message.js";
import { counted } from "../numbers.js";
import { outcomeSentence } from "../outcome-sentence.js";
import { isBadPlanEvent, planLine } from "./trace-plan.js";

/** One event of a trial for people. */
export interface TraceLine {
  readonly seq: number;
  readonly event: TrialEvent["type"];
  /** Whether it is a failure of something. */
  readonly bad: boolean;
  /** One sentence, not cut; may hold text of a model or a file. */
  readonly what: string;
  /** Rows that came back, where the event says so. */
  readonly rows: number | null;
  readonly ms: number | null;
  /** `input→output`, where the endpoint said. */
  readonly tokens: string | null;
}

/** The trace of a trial, a line an event. */
export function traceLines(events: readonly TrialEvent[]): TraceLine[] {
  let step = 0;
  return events.map((event) => {
    if (event.type === "model-responded" && (event.purpose === "agent" || event.purpose === "executor")) step++;
    return {
      seq: event.seq,
      event: event.type,
      bad: isBad(event),
      what: whatOf(event, step),
      rows: rowsOf(event),
      ms: "ms" in event ? event.ms : null,
      tokens: event.type === "model-responded" ? tokensOf(event.response) : null,
    };
  });
}

function isBad(event: TrialEvent): boolean {
  switch (event.type) {
    case "model-failed":
    case "repair-requested":
    case "limit-reached":
      return true;
    case "tool-returned":
      return !event.ok;
    case "step-reported":
      return event.calls.some(({ ok }) => ok === false);
    case "command-returned":
      return event.failure !== null || event.prediction.status !== "delivered";
    case "process-validated":
    case "answer-validated":
      return event.verdict !== "passed";
    case "trial-finished":
      return event.outcome.kind !== "answered";
    default:
      return isBadPlanEvent(event);
  }
}

function whatOf(event: TrialEvent, step: number): string {
  if (isPlanEvent(event)) return planLine(event);
  switch (event.type) {
    case "trial-started":
      return `attempt ${event.attempt}, seed ${event.seed}, ${counted(event.catalog.tables.length, "table")}: ${event.question}`;
    case "model-responded":
      return `${speakerOf(event.purpose, step)}${event.cached === true ? " (cached)" : ""}: ${saidOf(event.response)}`;
    case "model-failed": {
      const status = event.failure.status === null ? "" : ` ${event.failure.status}`;
      const purpose = event.purpose === "agent" ? "" : `${event.purpose}: `;
      return `${purpose}${event.failure.class}${status}, ${event.final ? "given up" : "tried again"}: ${event.failure.message}`;
    }
    case "tool-returned": {
      const outcome = event.ok ? "ok" : `${event.error}: ${messageIn(event.content) ?? event.content}`;
      return `${event.tool} ${argumentsOf(event.args)} → ${outcome}${event.truncated ? " (cut)" : ""}`;
    }
    case "extraction-requested": {
      const [first, last] = [event.lines[0]?.line, event.lines.at(-1)?.line];
      const again = event.mend === null ? "" : `, once more: ${event.mend}`;
      return `passage ${event.passage + 1} of ${event.passages} of ${event.path} (lines ${first} to ${last}) for ${event.fields.join(", ")}${again}`;
    }
    case "candidate-submitted":
      return `${event.source.tool} ${argumentsOf(event.source.args)} → ${counted(event.candidate.columns.length, "column")}: ${event.candidate.columns.join(", ")}`;
    case "data-queried":
      return `${event.validator} check: ${event.why}: ${event.queries.join("; ")}`;
    case "process-validated":
    case "answer-validated":
      return verdictOf(event);
    case "validation-skipped":
      return `${event.validator} check skipped: ${event.reason}${findingsOf(event.findings)}`;
    case "candidate-cleared":
      return `by the ${event.by} check: ${event.candidate}`;
    case "repair-requested":
      return `${event.reason}: ${event.message}`;
    case "answer-forced":
      return event.message;
    case "limit-reached":
      return `${event.limit}: ${event.detail}`;
    case "command-started":
      return `${event.argv.join(" ")} in ${event.sandbox}, network ${event.network}`;
    case "step-reported":
      return `reported: ${reportedOf(event)}`;
    case "answer-delivered":
      return `${counted(event.candidate.columns.length, "column")}: ${event.candidate.columns.join(", ")}`;
    case "command-returned":
      return returnOf(event);
    case "trial-suspended":
      return event.pause === undefined ? event.why : `${event.why} ${event.pause}`;
    case "trial-resumed":
      return "by another process";
    case "trial-finished":
      return `${outcomeSentence(event.outcome)}${event.prediction === null ? "" : ` → ${event.prediction}`}`;
    default:
      return assertNever(event);
  }
}

/** `rejected by model (enforce): what it found: what it asks for`. */
function verdictOf(event: ProcessValidated | AnswerValidated): string {
  const what = event.type === "process-validated" ? `${event.trigger} check` : "answer check";
  const trouble = event.validator_error === null ? "" : `: ${event.validator_error}`;
  const demands = [...event.issues, ...event.required_next_actions];
  const asks = demands.length === 0 ? "" : `: ${demands.join("; ")}`;
  return `${what} ${event.verdict} by ${event.by} (${event.mode})${trouble}${findingsOf(event.findings)}${asks}`;
}

function findingsOf(findings: readonly Finding[]): string {
  const named = findings.map(({ rule, level }) => `${level} ${rule}`);
  return named.length === 0 ? "" : ` [${named.join(", ")}]`;
}

/** Steps are counted; other roles have names. */
function speakerOf(purpose: Purpose, step: number): string {
  if (purpose === "agent") return `step ${step}`;
  return purpose === "executor" ? `step ${step}, executor` : purpose;
}

function saidOf({ content, tool_calls }: ModelResponse): string {
  const calls = tool_calls.map((call: ToolCall) => `${call.name}(${call.arguments})`);
  const text = content === null || content.trim() === "" ? [] : [JSON.stringify(content.trim())];
  return [...calls, ...text].join(" ") || "an empty reply";
}

function reportedOf({ content, calls }: StepReported): string {
  const said = content === null || content.trim() === "" ? [] : [JSON.stringify(content.trim())];
  const called = calls.map(({ tool, args, ok, content: returned }) => {
    const outcome = ok === null ? "no return" : ok ? "ok" : returned;
    return `${tool} ${argumentsOf(args)} → ${outcome}`;
  });
  return [...said, ...called].join(" ") || "an empty step";
}

function returnOf({ failure, prediction, notes, stderr }: CommandReturned): string {
  const how = failure ?? "it ended well";
  const answer = `prediction ${prediction.status}${prediction.reason === null ? "" : `: ${prediction.reason}`}`;
  const said = failure === null || stderr.trim() === "" ? [] : [stderr.trim()];
  return [how, answer, ...notes, ...said].join("; ");
}

function argumentsOf(args: unknown): string {
  return JSON.stringify(args) ?? "";
}

/** What tools put into the JSON that the model reads, as far as a trace shows it. */
const toolContent = z.object({
  error: z.string().optional(),
  message: z.string().optional(),
  row_count: z.number().optional(),
  results: z.array(z.object({ error: z.string().optional(), row_count: z.number().optional() })).optional(),
});

function readContent(content: string): z.infer<typeof toolContent> | null {
  try {
    return toolContent.safeParse(JSON.parse(content)).data ?? null;
  } catch {
    return null;
  }
}

/** The sentence in a failing tool's content; null where it has none. */
function messageIn(content: string): string | null {
  const read = readContent(content);
  return read?.message ?? read?.results?.find(({ error }) => error !== undefined)?.error ?? null;
}

function rowsIn(content: string): number | null {
  const read = readContent(content);
  const counts = [read, ...(read?.results ?? [])].flatMap((part) => part?.row_count ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function rowsOf(event: TrialEvent): number | null {
  if (event.type === "candidate-submitted" || event.type === "answer-delivered") return event.candidate.rows;
  if (event.type === "tool-returned") return rowsIn(event.content);
  if (event.type !== "data-queried") return null;
  const rows = event.results.flatMap((one) => {
    if (!one.ok || "tree" in one) return [];
    return "table" in one ? one.table.rows.length : one.rows;
  });
  return rows.length === 0 ? null : rows.reduce((sum, count) => sum + count, 0);
}

function tokensOf({ usage }: ModelResponse): string | null {
  if (usage.input_tokens === null && usage.output_tokens === null) return null;
  return `${usage.input_tokens ?? "?"}→${usage.output_tokens ?? "?"}`;
}
