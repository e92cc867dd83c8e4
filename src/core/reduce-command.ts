import { IllegalTransition } from "./errors.js";
import type {
  AnswerDelivered,
  CommandReturned,
  ModelFailed,
  ModelResponded,
  StepReported,
  ToolReturned,
} from "./event.js";
import type { CommandState, TrialState } from "./state.js";
import { countRequest, countResponse, countTool } from "./totals.js";

/** The part of `reduce` that is about agents which are not ours: programs that we start, and those whose runs were imported. */

/** Whether the program that is the agent runs: it may ask the model, whenever and as often at once as it likes. */
export function isServing(state: TrialState): boolean {
  return state.command !== null && state.command.returned === null;
}

/** A start is from nothing, but for what the model has answered: that is paid for. */
export function afterCommandStart(state: TrialState): TrialState {
  if (state.command !== null && !isServing(state)) throw new IllegalTransition("command-started after its end");
  const command: CommandState = { served: state.command?.served ?? [], failure: null, returned: null };
  return { ...state, command, trajectory: [], delivered: null };
}

export function afterServing(state: TrialState, event: ModelResponded): TrialState {
  const command = running(state, event.type);
  const { request_digest, response } = event;
  return {
    ...state,
    step: state.step + 1,
    command: { ...command, served: [...command.served, { request_digest, response }], failure: null },
    totals: countResponse(state.totals, event),
  };
}

/** The program is told and may go on: what it makes of it is its own business. */
export function afterRefusal(state: TrialState, event: ModelFailed): TrialState {
  const command = running(state, event.type);
  return {
    ...state,
    command: event.final ? { ...command, failure: event.failure } : command,
    totals: countRequest(state.totals, event.failure.class, event.ms),
  };
}

/** An agent whose model we do not serve has as many steps as it reports. */
export function afterReport(state: TrialState, event: StepReported): TrialState {
  const step = state.trajectory.length + 1;
  const returns = event.calls.flatMap((call, index): ToolReturned[] => {
    if (call.ok === null) return [];
    const { tool, args, ok, content } = call;
    const error = ok ? null : "reported";
    const call_id = `reported_${step}_${index + 1}`;
    return [{ type: "tool-returned", call_id, tool, args, ok, content, truncated: false, error, ms: 0 }];
  });
  const tools = event.calls.map(({ tool }) => tool);
  const taken = { step, finish_reason: null, content: event.content, tools, returns };
  return {
    ...state,
    step: Math.max(state.step, step),
    trajectory: [...state.trajectory, taken],
    totals: tools.reduce((totals, tool) => countTool(totals, tool, 0), state.totals),
  };
}

export function afterDelivery(state: TrialState, event: AnswerDelivered): TrialState {
  if (state.delivered !== null) throw new IllegalTransition("answer-delivered twice");
  return { ...state, delivered: event };
}

export function afterCommandReturn(state: TrialState, event: CommandReturned): TrialState {
  const command = running(state, event.type);
  return { ...state, command: { ...command, returned: event } };
}

function running({ command }: TrialState, what: string): CommandState {
  if (command === null || command.returned !== null) throw new IllegalTransition(`${what} while no command runs`);
  return command;
}
