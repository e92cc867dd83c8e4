import { assertNever, IllegalTransition } from "./errors.js";
import type {
  CandidateSubmitted,
  ModelFailed,
  ModelResponded,
  PendingCall,
  ToolReturned,
  TrialEvent,
  TrialFinished,
} from "./event.js";
import type { Message, ToolCall, Usage } from "./message.js";
import type { TrialState, TrialTotals, Turn, UsageRow } from "./state.js";

export const NEW_TRIAL: TrialState = {
  phase: "new",
  events: 0,
  started: null,
  history: [],
  step: 0,
  turn: { kind: "ask" },
  repairs: 0,
  candidate: null,
  forced_at: null,
  last_at: null,
  failure: null,
  limit: null,
  repeated_failure: null,
  outcome: null,
  prediction: null,
  signature: null,
  totals: {
    usage: {},
    cost_usd: null,
    requests: {},
    model_ms: 0,
    tool_ms: 0,
    wall_ms: 0,
    tools: {},
    recomputed: false,
  },
};

/** Tools whose return shows that the answer was computed from data in this trial. */
const RECOMPUTING_TOOLS: readonly string[] = ["execute_probe_query", "execute_python"];

/** Pure. The only place where a trial's state changes. Throws IllegalTransition where the state does not allow the event. */
export function reduce(state: TrialState, event: TrialEvent): TrialState {
  if (event.seq !== state.events) {
    throw new IllegalTransition(`event ${event.seq} (${event.type}) where event ${state.events} was due`);
  }
  checkPhase(state, event);
  const next = apply(state, event);
  return {
    ...next,
    events: state.events + 1,
    last_at: event.at,
    totals: { ...next.totals, wall_ms: state.totals.wall_ms + sinceLast(state, event) },
  };
}

/** The state after a list of events. */
export function fold(events: readonly TrialEvent[]): TrialState {
  return events.reduce(reduce, NEW_TRIAL);
}

function sinceLast(state: TrialState, event: TrialEvent): number {
  if (state.last_at === null || event.type === "trial-resumed") return 0;
  return Math.max(0, Date.parse(event.at) - Date.parse(state.last_at));
}

function checkPhase(state: TrialState, event: TrialEvent): void {
  const allowed =
    event.type === "trial-started"
      ? state.phase === "new"
      : event.type === "trial-resumed"
        ? state.phase === "open" || state.phase === "suspended"
        : state.phase === "open";
  if (!allowed) throw new IllegalTransition(`${event.type} (event ${event.seq}) in a trial that is ${state.phase}`);
}

function apply(state: TrialState, event: TrialEvent): TrialState {
  switch (event.type) {
    case "trial-started":
      return { ...state, phase: "open", started: event };
    case "model-responded":
      return afterResponse(state, event);
    case "model-failed":
      return afterFailure(state, event);
    case "tool-returned":
      return afterToolReturn(state, event);
    case "candidate-submitted":
      return afterSubmission(state, event);
    case "data-queried":
      return { ...state, totals: { ...state.totals, tool_ms: state.totals.tool_ms + event.ms } };
    case "repair-requested":
      if (state.turn.kind !== "fault") throw new IllegalTransition("repair-requested without a faulty turn");
      return {
        ...state,
        history: [...state.history, { role: "user", content: event.message }],
        turn: { kind: "ask" },
        repairs: state.repairs + 1,
      };
    case "answer-forced":
      if (state.forced_at !== null) throw new IllegalTransition("answer-forced twice");
      return {
        ...state,
        forced_at: state.step,
        history: [...state.history, { role: "user", content: event.message }],
        turn: { kind: "ask" },
      };
    case "limit-reached":
      return { ...state, limit: event.limit };
    case "trial-suspended":
      return { ...state, phase: "suspended" };
    case "trial-resumed":
      return { ...state, phase: "open" };
    case "trial-finished":
      return afterFinish(state, event);
    default:
      return assertNever(event);
  }
}

function afterResponse(state: TrialState, event: ModelResponded): TrialState {
  if (state.turn.kind !== "ask") throw new IllegalTransition(`model-responded while ${state.turn.kind} are open`);
  const { response } = event;
  const turn = turnOf(response.tool_calls, response.content, response.finish_reason);
  // A turn with broken arguments or nothing in it never enters the history: only the repair message does.
  const keep = turn.kind === "calls" || (turn.kind === "fault" && turn.reason === "no-tool-call");
  const said: Message = { role: "assistant", content: response.content, tool_calls: response.tool_calls };
  return {
    ...state,
    step: state.step + 1,
    turn,
    history: keep ? [...state.history, said] : state.history,
    totals: {
      ...countRequest(state.totals, "ok", event.ms),
      usage: addUsage(state.totals.usage, event.purpose, response.model, response.usage),
      cost_usd: sumNullable(state.totals.cost_usd, response.cost_usd),
    },
  };
}

function turnOf(calls: readonly ToolCall[], content: string | null, finishReason: string | null): Turn {
  if (finishReason === "content_filter" || finishReason === "refusal") {
    return { kind: "fault", reason: "refusal", detail: content ?? "" };
  }
  if (calls.length === 0) {
    const text = content?.trim() ?? "";
    return text === ""
      ? { kind: "fault", reason: "empty-reply", detail: "" }
      : { kind: "fault", reason: "no-tool-call", detail: text };
  }
  const pending: PendingCall[] = [];
  for (const call of calls) {
    const parsed = parseArguments(call.arguments);
    if ("error" in parsed) {
      return {
        kind: "fault",
        reason: "bad-arguments",
        detail: `${call.name}: ${parsed.error}; you wrote: ${call.arguments.slice(0, 500)}`,
      };
    }
    pending.push({ call, args: parsed.value });
  }
  return { kind: "calls", pending };
}

function parseArguments(text: string): { value: unknown } | { error: string } {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function afterFailure(state: TrialState, event: ModelFailed): TrialState {
  return {
    ...state,
    failure: event.final ? event.failure : state.failure,
    totals: countRequest(state.totals, event.failure.class, event.ms),
  };
}

function afterToolReturn(state: TrialState, event: ToolReturned): TrialState {
  const key = failureKey(event.tool, event.args, event.error);
  const repeated = event.ok
    ? null
    : { key, count: state.repeated_failure?.key === key ? state.repeated_failure.count + 1 : 1 };
  return {
    ...settleCall(state, event.call_id, event.content),
    repairs: event.ok ? 0 : state.repairs,
    repeated_failure: repeated,
    totals: {
      ...countTool(state.totals, event.tool, event.ms),
      recomputed: state.totals.recomputed || (event.ok && RECOMPUTING_TOOLS.includes(event.tool)),
    },
  };
}

/** Equal for the same call failing in the same way. */
export function failureKey(tool: string, args: unknown, error: string | null): string {
  return JSON.stringify([tool, args, error]);
}

function afterSubmission(state: TrialState, event: CandidateSubmitted): TrialState {
  return {
    ...settleCall(state, event.call_id, event.content),
    repairs: 0,
    repeated_failure: null,
    candidate: event,
    totals: countTool(state.totals, event.tool, event.ms),
  };
}

/** Results enter the history in the order of the model's calls, whatever order they came in: so a resumed trial reads the same. */
function settleCall(state: TrialState, callId: string, content: string): TrialState {
  if (state.turn.kind !== "calls" || !state.turn.pending.some(({ call }) => call.id === callId)) {
    throw new IllegalTransition(`a result for call ${callId}, which is not open`);
  }
  const pending = state.turn.pending.filter(({ call }) => call.id !== callId);
  return {
    ...state,
    history: insertInCallOrder(state.history, { role: "tool", tool_call_id: callId, content }),
    turn: pending.length === 0 ? { kind: "ask" } : { kind: "calls", pending },
  };
}

function insertInCallOrder(history: readonly Message[], result: Message & { role: "tool" }): readonly Message[] {
  const turnStart = history.findLastIndex((message) => message.role === "assistant");
  const turn = history[turnStart];
  if (turn?.role !== "assistant") throw new IllegalTransition("a tool result without the turn that asked for it");
  const order = (id: string) => turn.tool_calls.findIndex((call) => call.id === id);
  const results = [...history.slice(turnStart + 1), result].sort((a, b) =>
    a.role === "tool" && b.role === "tool" ? order(a.tool_call_id) - order(b.tool_call_id) : 0,
  );
  return [...history.slice(0, turnStart + 1), ...results];
}

function afterFinish(state: TrialState, event: TrialFinished): TrialState {
  return {
    ...state,
    phase: "finished",
    outcome: event.outcome,
    prediction: event.prediction,
    signature: event.signature,
  };
}

function countRequest(totals: TrialTotals, key: string, ms: number): TrialTotals {
  return {
    ...totals,
    requests: { ...totals.requests, [key]: (totals.requests[key] ?? 0) + 1 },
    model_ms: totals.model_ms + ms,
  };
}

function countTool(totals: TrialTotals, tool: string, ms: number): TrialTotals {
  return {
    ...totals,
    tools: { ...totals.tools, [tool]: (totals.tools[tool] ?? 0) + 1 },
    tool_ms: totals.tool_ms + ms,
  };
}

function addUsage(rows: TrialTotals["usage"], purpose: string, model: string, usage: Usage): TrialTotals["usage"] {
  const key = `${purpose} ${model}`;
  const before: UsageRow | undefined = rows[key];
  const row: UsageRow = {
    purpose,
    model,
    input_tokens: sumNullable(before?.input_tokens ?? null, usage.input_tokens),
    output_tokens: sumNullable(before?.output_tokens ?? null, usage.output_tokens),
    cached_tokens: sumNullable(before?.cached_tokens ?? null, usage.cached_tokens),
    reasoning_tokens: sumNullable(before?.reasoning_tokens ?? null, usage.reasoning_tokens),
  };
  return { ...rows, [key]: row };
}

/** Unknown + known = known: an endpoint that leaves a count out once does not hide the others. */
function sumNullable(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
