import { z } from "zod";
import type { ReportedCall, StepReported } from "../../core/event.js";

/** What an agent says of its own work, in the form of the starter kit of KDD Cup 2026. */
export interface AgentTrace {
  readonly task_id: string | null;
  readonly steps: readonly StepReported[];
  /** Null where it does not say. */
  readonly succeeded: boolean | null;
  readonly failure_reason: string | null;
  /** `running` while the trial was in flight, in some kits. */
  readonly status: string | null;
  /** Whether it names an answer: a table in it, or the file that it wrote. */
  readonly names_answer: boolean;
  readonly seconds: number | null;
  /** Parts that are no step, in words. */
  readonly notes: readonly string[];
}

/** Characters of one text in a trace that go into the log. */
const MOST_CHARACTERS = 100_000;
/** Records of what the agent was told; no step of it. */
const PROMPTS: readonly string[] = ["system_prompt", "user_prompt"];

const text = z.string().nullish().catch(null);
const anything = z.unknown().optional();
const traceSchema = z.looseObject({
  task_id: text,
  succeeded: z.boolean().nullish().catch(null),
  failure_reason: text,
  status: text,
  answer: anything,
  prediction_csv_path: text,
  e2e_elapsed_seconds: z.number().min(0).nullish().catch(null),
});

/** One action a step: the kit's ReAct baseline and most of what grew from it. */
const actionStep = z.looseObject({
  action: z.string(),
  thought: text,
  action_input: anything,
  observation: anything,
  raw_response: anything,
  ok: z.boolean().nullish().catch(null),
});

/** One node of a graph a step: calls and results are lists, and results may come in the node after. */
const nodeStep = z
  .looseObject({
    node: text,
    content: anything,
    response: anything,
    thought: text,
    tool_calls: z.array(z.unknown()).nullish().catch(null),
    tool_results: z
      .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .nullish()
      .catch(null),
  })
  .refine(({ node, tool_calls, tool_results }) => [node, tool_calls, tool_results].some((part) => part != null));

const callSchema = z.looseObject({
  id: text,
  tool_call_id: text,
  name: text,
  tool: text,
  function: z.looseObject({ name: text, arguments: anything }).nullish().catch(null),
  args: anything,
  arguments: anything,
  input: anything,
  status: text,
  ok: z.boolean().nullish().catch(null),
  error: anything,
  result: anything,
  content: anything,
  output: anything,
});
type Call = z.infer<typeof callSchema>;

/** Reads a parsed trace.json, of either shape. Never throws: what is no step is left out and said. */
export function readAgentTrace(value: unknown): AgentTrace {
  const about = traceSchema.safeParse(value).data;
  const notes: string[] = [];
  return {
    task_id: about?.task_id ?? null,
    steps: stepsOf(listOf(value), notes),
    succeeded: about?.succeeded ?? null,
    failure_reason: about?.failure_reason ?? null,
    status: about?.status ?? null,
    names_answer: namesAnswer(about?.answer) || Boolean(about?.prediction_csv_path),
    seconds: about?.e2e_elapsed_seconds ?? null,
    notes,
  };
}

function namesAnswer(answer: unknown): boolean {
  return z.looseObject({ columns: z.array(z.unknown()), rows: z.array(z.unknown()) }).safeParse(answer).success;
}

/** The list of steps, whatever it is called; null where there is none. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const holder = z.looseObject({}).safeParse(value).data ?? {};
  const lists = ["steps", "trace", "nodes", "events"].map((key) => holder[key]);
  return lists.find((list): list is unknown[] => Array.isArray(list)) ?? null;
}

interface OpenCall extends ReportedCall {
  readonly id: string | null;
}
type OpenStep = { readonly content: string | null; readonly calls: OpenCall[] };

function stepsOf(list: readonly unknown[] | null, notes: string[]): StepReported[] {
  if (list === null) notes.push("the trace has no list of steps");
  const steps: OpenStep[] = [];
  let strange = 0;
  for (const item of list ?? []) {
    const action = actionStep.safeParse(item);
    if (action.success) {
      if (!PROMPTS.includes(action.data.action)) steps.push(ofAction(action.data));
      continue;
    }
    const node = nodeStep.safeParse(item);
    if (node.success) takeNode(node.data, steps);
    else strange++;
  }
  if (strange > 0) notes.push(`${strange} of ${list?.length ?? 0} entries of the trace are no steps and are left out`);
  return steps.map(({ content, calls }) => ({
    type: "step-reported",
    content,
    calls: calls.map(({ id: _id, ...call }) => call),
  }));
}

function ofAction(step: z.infer<typeof actionStep>): OpenStep {
  const seen = z
    .looseObject({ tool_calls: z.array(z.unknown()).nullish().catch(null), content: anything, error: anything })
    .safeParse(step.observation).data;
  const content = step.thought || (step.action === "__error__" ? textOf(step.raw_response) : null);
  if (seen?.tool_calls != null) {
    const calls = callsIn(seen.tool_calls);
    return { content, calls: calls.map((call) => ({ ...ofCall(call), ...returnOf(call) })) };
  }
  const returned = seen?.content ?? seen?.error ?? step.observation;
  const call = { id: null, tool: step.action, args: step.action_input ?? {}, content: textOf(returned) ?? "" };
  return { content, calls: [{ ...call, ok: returned === undefined ? null : (step.ok ?? seen?.error === undefined) }] };
}

function callsIn(list: readonly unknown[]): Call[] {
  return list.flatMap((item) => {
    const read = callSchema.safeParse(item);
    return read.success ? [read.data] : [];
  });
}

function takeNode(node: z.infer<typeof nodeStep>, steps: OpenStep[]): void {
  const calls = callsIn(node.tool_calls ?? []);
  const content = node.thought || textOf(node.content) || textOf(node.response);
  if (calls.length > 0 || (content !== null && content !== "")) {
    steps.push({ content: content || null, calls: calls.map((call) => ({ ...ofCall(call), ok: null, content: "" })) });
  }
  for (const result of resultsOf(node.tool_results)) settle(result, steps);
}

/** A list of results, or a map from a tool's name to what it returned. */
function resultsOf(results: z.infer<typeof nodeStep>["tool_results"]): Call[] {
  const list = Array.isArray(results)
    ? results
    : Object.entries(results ?? {}).map(([name, content]) => ({ name, content }));
  return list.map((item) => callSchema.parse(isMembers(item) ? item : { content: item }));
}

const isMembers = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** Gives a result to the call that it answers: by id, else by the tool's name, else to the first that has none. */
function settle(result: Call, steps: OpenStep[]): void {
  const id = result.tool_call_id ?? result.id ?? null;
  const name = toolOf(result);
  const open = steps.flatMap((step) =>
    step.calls.flatMap((call, index) => (call.ok === null ? [{ step, call, index }] : [])),
  );
  const found =
    open.find(({ call }) => id !== null && call.id === id) ??
    open.find(({ call }) => name !== null && call.tool === name) ??
    open[0];
  if (found === undefined) {
    steps.push({ content: null, calls: [{ ...ofCall(result), ...returnOf(result) }] });
    return;
  }
  found.step.calls[found.index] = { ...found.call, ...returnOf(result) };
}

function toolOf(call: Call): string | null {
  return call.name ?? call.tool ?? call.function?.name ?? null;
}

function ofCall(call: Call): Pick<OpenCall, "id" | "tool" | "args"> {
  const args = call.args ?? call.arguments ?? call.input ?? call.function?.arguments ?? {};
  return { id: call.tool_call_id ?? call.id ?? null, tool: toolOf(call) ?? "unnamed", args: parsed(args) };
}

/** Null where the call has not returned. */
function returnOf(call: Call): Pick<OpenCall, "ok" | "content"> {
  const failed = call.ok === false || call.status === "error" || call.status === "failed" || call.error != null;
  const returned = call.result ?? call.content ?? call.output ?? call.error;
  if (returned === undefined || returned === null) return { ok: failed ? false : (call.ok ?? null), content: "" };
  return { ok: !failed, content: textOf(returned) ?? "" };
}

/** Arguments are JSON text in some traces. */
function parsed(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const whole = typeof value === "string" ? value : JSON.stringify(value);
  const left = whole.length - MOST_CHARACTERS;
  return left <= 0 ? whole : `${whole.slice(0, MOST_CHARACTERS)} … (${left} characters left out)`;
}
