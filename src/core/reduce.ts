import { assertNever, IllegalTransition } from "./errors.js";
import type {
  CandidateSubmitted,
  DataQueried,
  ModelFailed,
  ModelResponded,
  ToolReturned,
  TrialEvent,
  TrialFinished,
} from "./event.js";
import { isPlanEvent } from "./event-plan.js";
import type { Validator } from "./event-validation.js";
import {
  afterExtractingCall,
  afterExtractionRequest,
  afterExtractorFailure,
  afterExtractorResponse,
  NO_EXTRACTION,
} from "./extraction.js";
import type { Message, Purpose } from "./message.js";
import { NO_PLAN, NO_PLAN_WORK } from "./plan-state.js";
import {
  afterCommandReturn,
  afterCommandStart,
  afterDelivery,
  afterRefusal,
  afterReport,
  afterServing,
  isServing,
} from "./reduce-command.js";
import {
  afterPlanEvent,
  afterPlanFailure,
  afterPlanReply,
  evidenceOf,
  planTurnBegins,
  withEvidence,
} from "./reduce-plan.js";
import {
  afterAnswerValidated,
  afterClearing,
  afterProcessValidated,
  afterSkip,
  afterValidatorFailure,
  afterValidatorResponse,
  agentTurnBegins,
  candidateStands,
  sourceWasRead,
} from "./reduce-validation.js";
import type { TrajectoryStep, TrialState } from "./state.js";
import { addShare, countRequest, countResponse, countTool, NO_TOTALS, validatorOf } from "./totals.js";
import { turnOf } from "./turn.js";
import { NO_VALIDATION } from "./validation-state.js";

export const NEW_TRIAL: TrialState = {
  phase: "new",
  events: 0,
  started: null,
  history: [],
  reasoning: [],
  step: 0,
  trajectory: [],
  turn: { kind: "ask" },
  repairs: 0,
  extractor: NO_EXTRACTION,
  candidate: null,
  validation: NO_VALIDATION,
  plan: NO_PLAN,
  plan_work: NO_PLAN_WORK,
  command: null,
  delivered: null,
  forced_at: null,
  last_at: null,
  failure: null,
  limit: null,
  repeated_failure: null,
  outcome: null,
  prediction: null,
  signature: null,
  totals: NO_TOTALS,
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
  const wall_ms = sinceLast(state, event);
  return {
    ...next,
    events: state.events + 1,
    last_at: event.at,
    totals: addShare({ ...next.totals, wall_ms: state.totals.wall_ms + wall_ms }, workerOf(event), { wall_ms }),
  };
}

/** The state after a list of events. */
export function fold(events: readonly TrialEvent[]): TrialState {
  return events.reduce(reduce, NEW_TRIAL);
}

function sinceLast(state: TrialState, event: TrialEvent): number {
  if (state.last_at === null || event.type === "trial-resumed") return 0;
  return Math.max(0, Date.parse(event.at) - Date.parse(state.last_at) - (event.waited_ms ?? 0));
}

/** The validator whose work an event ends; null for the agent's. */
function workerOf(event: TrialEvent): Validator | null {
  switch (event.type) {
    case "model-responded":
    case "model-failed":
      return validatorOf(event.purpose);
    case "data-queried":
    case "validation-skipped":
      return event.validator;
    case "candidate-cleared":
      return event.by;
    case "process-validated":
      return "process";
    case "answer-validated":
      return "answer";
    default:
      return null;
  }
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
  if (isPlanEvent(event)) return afterPlanEvent(state, event);
  switch (event.type) {
    case "trial-started":
      return { ...state, phase: "open", started: event, plan: { ...NO_PLAN, task: event.question } };
    case "model-responded":
      return isServing(state) ? afterServing(state, event) : AFTER_RESPONSE[event.purpose](state, event);
    case "model-failed":
      return isServing(state) ? afterRefusal(state, event) : AFTER_FAILURE[event.purpose](state, event);
    case "tool-returned":
      return afterToolReturn(state, event);
    case "extraction-requested":
      return afterExtractionRequest(state, event);
    case "candidate-submitted":
      return afterSubmission(state, event);
    case "data-queried":
      return afterDataQueried(state, event);
    case "process-validated":
      return afterProcessValidated(state, event);
    case "answer-validated":
      return afterAnswerValidated(state, event);
    case "validation-skipped":
      return afterSkip(state, event);
    case "candidate-cleared":
      return afterClearing(state, event);
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
        forced_at: state.trajectory.length,
        history: [...state.history, { role: "user", content: event.message }],
        turn: { kind: "ask" },
      };
    case "limit-reached":
      return { ...state, limit: event.limit };
    case "command-started":
      return afterCommandStart(state);
    case "step-reported":
      return afterReport(state, event);
    case "answer-delivered":
      return afterDelivery(state, event);
    case "command-returned":
      return afterCommandReturn(state, event);
    case "trial-suspended":
      return { ...state, phase: "suspended", plan_work: { ...state.plan_work, paused: event.pause ?? null } };
    case "trial-resumed":
      return { ...state, phase: "open" };
    case "trial-finished":
      return afterFinish(state, event);
    default:
      return assertNever(event);
  }
}

type AfterResponse = (state: TrialState, event: ModelResponded) => TrialState;
type AfterFailure = (state: TrialState, event: ModelFailed) => TrialState;

const AFTER_RESPONSE: Readonly<Record<Purpose, AfterResponse>> = {
  agent: afterResponse,
  executor: afterResponse,
  finalizer: afterResponse,
  planner: afterPlanReply,
  verifier: afterPlanReply,
  condenser: afterPlanReply,
  extractor: afterExtractorResponse,
  "process-validator": afterValidatorResponse,
  "answer-validator": afterValidatorResponse,
};

const AFTER_FAILURE: Readonly<Record<Purpose, AfterFailure>> = {
  agent: afterFailure,
  executor: afterFailure,
  finalizer: afterFailure,
  planner: afterPlanFailure,
  verifier: afterPlanFailure,
  condenser: afterPlanFailure,
  extractor: afterExtractorFailure,
  "process-validator": afterValidatorFailure,
  "answer-validator": afterValidatorFailure,
};

function afterResponse(state: TrialState, event: ModelResponded): TrialState {
  if (state.turn.kind !== "ask") throw new IllegalTransition(`model-responded while ${state.turn.kind} are open`);
  const { response, purpose } = event;
  const turn = turnOf(response, purpose);
  // A turn with broken arguments or nothing in it never enters the history: only the repair message does.
  const keep =
    turn.kind === "calls" || turn.kind === "said" || (turn.kind === "fault" && turn.reason === "no-tool-call");
  const said: Message = { role: "assistant", content: response.content, tool_calls: response.tool_calls };
  const taken: TrajectoryStep = {
    step: state.trajectory.length + 1,
    finish_reason: response.finish_reason,
    content: response.content,
    tools: response.tool_calls.map((call) => call.name),
    returns: [],
  };
  return {
    ...state,
    // A plan's finalizer is counted apart.
    step: state.step + (purpose === "finalizer" ? 0 : 1),
    trajectory: [...state.trajectory, taken],
    turn,
    history: keep ? [...state.history, said] : state.history,
    reasoning: keep ? [...state.reasoning, response.reasoning] : state.reasoning,
    validation: agentTurnBegins(state.validation),
    plan_work: planTurnBegins(state, event),
    totals: countResponse(state.totals, event),
  };
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
    ...settleCall(state, event),
    validation: sourceWasRead(state.validation, event),
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
    ...settleCall(state, event),
    repairs: 0,
    repeated_failure: null,
    candidate: event,
    validation: candidateStands(state.validation),
    totals: countTool(state.totals, event.tool, event.ms),
  };
}

/** Results enter history and trajectory in the order of the model's calls, whatever order they came in: so a resumed trial reads the same. */
function settleCall(state: TrialState, returned: ToolReturned | CandidateSubmitted): TrialState {
  const id = returned.call_id;
  if (state.turn.kind !== "calls" || !state.turn.pending.some(({ call }) => call.id === id)) {
    throw new IllegalTransition(`a result for call ${id}, which is not open`);
  }
  const pending = state.turn.pending.filter(({ call }) => call.id !== id);
  const turnStart = state.history.findLastIndex((message) => message.role === "assistant");
  const said = state.history[turnStart];
  const step = state.trajectory.at(-1);
  if (said?.role !== "assistant" || step === undefined) {
    throw new IllegalTransition("a tool result without the turn that asked for it");
  }
  const order = (callId: string) => said.tool_calls.findIndex((call) => call.id === callId);
  const evidence = evidenceOf(state, step.step, returned, { position: order(id), calls: said.tool_calls.length });
  const content = evidence === null ? returned.content : `[${evidence.id}] ${returned.content}`;
  const result: Message = { role: "tool", tool_call_id: id, content };
  const results = [...state.history.slice(turnStart + 1), result].sort((a, b) =>
    a.role === "tool" && b.role === "tool" ? order(a.tool_call_id) - order(b.tool_call_id) : 0,
  );
  const returns = [...step.returns, returned].sort((a, b) => order(a.call_id) - order(b.call_id));
  return {
    ...state,
    history: [...state.history.slice(0, turnStart + 1), ...results],
    trajectory: [...state.trajectory.slice(0, -1), { ...step, returns }],
    ...withEvidence(state, evidence, returned),
    turn: pending.length === 0 ? { kind: "ask" } : { kind: "calls", pending },
    extractor: afterExtractingCall(state.extractor, id),
  };
}

function afterDataQueried(state: TrialState, event: DataQueried): TrialState {
  const { validation, totals } = state;
  return {
    ...state,
    validation: { ...validation, facts: [...validation.facts, event] },
    totals: { ...totals, tool_ms: totals.tool_ms + event.ms },
  };
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
