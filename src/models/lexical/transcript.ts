import { type Message, type ModelRequest, type ToolCall, textOf } from "../../core/message.js";

/** A conversation as the model needs it: the task, and what its own tool calls brought so far. */
export interface Transcript {
  readonly question: string;
  /** knowledge.md in full; empty without one. */
  readonly knowledge: string;
  /** Result of a call, by `callKey`; the newest counts. */
  readonly results: ReadonlyMap<string, string>;
  /** SQL texts that were submitted and refused for what they are, oldest first. */
  readonly rejected: readonly string[];
  /** Calls that checks of the evidence asked for: they come before anything else. */
  readonly required: readonly Call[];
  /** Submissions that were held back because the required calls had not been made. */
  readonly heldBack: number;
  /** Only a submission is taken now. */
  readonly mustSubmit: boolean;
  /** Tool calls made so far: the next id goes on from here. */
  readonly calls: number;
}

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export const SUBMIT = "submit_tool_result";

export function callKey(name: string, argumentsText: string): string {
  return `${name} ${argumentsText}`;
}

export function keyOfCall(call: Call): string {
  return callKey(call.name, JSON.stringify(call.arguments));
}

/** Reads a request. The question is what stands between its tags in the first user message, else that whole message. */
export function readTranscript(request: ModelRequest): Transcript {
  const opening = request.messages.find((message) => message.role === "user");
  const first = opening === undefined ? "" : textOf(opening);
  const calls = request.messages.flatMap((message) => (message.role === "assistant" ? message.tool_calls : []));
  const byId = new Map(calls.map((call) => [call.id, call]));
  const results = new Map<string, string>();
  for (const message of request.messages) {
    const call = message.role === "tool" ? byId.get(message.tool_call_id) : undefined;
    if (message.role === "tool" && call !== undefined) results.set(callKey(call.name, call.arguments), message.content);
  }
  return {
    question: (tagged(first, "question") ?? first).trim(),
    knowledge: tagged(first, "knowledge")?.trim() ?? "",
    results,
    rejected: rejectedSql(request.messages),
    required: request.messages.flatMap((message, index) => (isVerdict(message, index) ? requiredCalls(message) : [])),
    heldBack: heldBackIds(request.messages).size,
    mustSubmit:
      (request.tools.length > 0 && request.tools.every((tool) => tool.name === SUBMIT)) ||
      asksForSubmission(request.messages),
    calls: calls.length,
  };
}

/** Whatever stands between the first opening and the last closing tag: the text itself may hold tags. */
function tagged(text: string, tag: string): string | null {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  return start < 0 || end < start ? null : text.slice(start + tag.length + 2, end);
}

/**
 * A conversation goes on after a submission only when that one did not stand. Where evidence was asked for, the SQL itself may still
 * be right: it counts as refused only from a verdict that requires no calls.
 */
function rejectedSql(messages: readonly Message[]): readonly string[] {
  const heldBack = heldBackIds(messages);
  const refused: string[] = [];
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      open.push(...submittedSql(message.tool_calls.filter((call) => !heldBack.has(call.id))));
    } else if (isVerdict(message, index)) {
      if (requiredCalls(message).length === 0) refused.push(...open);
      open = [];
    }
  }
  return [...refused, ...open];
}

/** Submissions that were not even looked at, until the required calls are made. */
function heldBackIds(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === "tool" && message.content.startsWith('{"error":"actions-outstanding"')
        ? [message.tool_call_id]
        : [],
    ),
  );
}

function submittedSql(calls: readonly ToolCall[]): readonly string[] {
  return calls.filter((call) => call.name === SUBMIT).flatMap((call) => sqlOf(call.arguments));
}

/** Whatever a user says after the opening. */
function isVerdict(message: Message, index: number): message is Message & { role: "user" } {
  return message.role === "user" && index > 1;
}

/** Lines such as `1. read_doc {"path":"doc/a.md"}`: required actions that say which call to make. */
function requiredCalls(verdict: Message & { role: "user" }): Call[] {
  return [...textOf(verdict).matchAll(/^\d+\. ([a-z_]+) (\{.*\})$/gm)].flatMap(([, name, args]) => {
    const parsed = name === undefined || args === undefined ? null : parseObject(args);
    return name === undefined || parsed === null ? [] : [{ name, arguments: parsed }];
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function sqlOf(argumentsText: string): readonly string[] {
  const found = /"queries":\["((?:[^"\\]|\\.)*)"/.exec(argumentsText)?.[1];
  if (found === undefined) return [];
  const text: unknown = JSON.parse(`"${found}"`);
  return typeof text === "string" ? [text] : [];
}

function asksForSubmission(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  return last?.role === "user" && messages.length > 2 && /last turn|submit\w* now|最后一轮|立即/i.test(textOf(last));
}
