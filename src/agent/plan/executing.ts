import type { Effect } from "../../core/effect.js";
import type { PendingCall, ToolReturned, TrialStarted } from "../../core/event.js";
import { shortened } from "../../core/observation.js";
import type { Profile } from "../../core/profile.js";
import { TOOL_BUDGET } from "../../core/reduce-plan.js";
import type { TrialState } from "../../core/state.js";
import { countTokens } from "../../core/tokens.js";
import { SUBMIT_TOOL } from "../messages.js";
import { areClose } from "./closeness.js";
import { planTexts } from "./prompts.js";
import { READ_EVIDENCE, readEvidence } from "./read-evidence.js";
import { condenserRequest } from "./requests.js";
import { type ShownOutput, shownOutputs, tokensShown } from "./shown.js";

/** The beginning of work on the current sub-goal: an output that serves is taken over, else an executor starts. */
export function beginSubGoal(state: TrialState, started: TrialStarted, profile: Profile): Effect {
  return reuse(state) ?? compress(state, started, profile) ?? startExecution(state, started);
}

/** The newest finished output of a sub-goal whose goal is much the same; no model is asked. */
function reuse({ plan: { plan, cursor, outputs }, plan_work }: TrialState): Effect | null {
  const current = plan[cursor];
  if (current === undefined || plan_work.executions > 0) return null;
  const found = Object.entries(outputs).findLast(([, { passed, goal }]) => passed && areClose(goal, current.goal));
  if (found === undefined) return null;
  const [from, { text }] = found;
  return { kind: "record", event: { type: "output-recorded", sub_goal: current.id, text, reused_from: from } };
}

/** Outputs that prompts show before the two oldest are folded. */
const SHOWN_WHOLE = 5;
/** Characters that stand in for each folded output where the condenser says nothing. */
const STAND_IN = 50;

function compress(state: TrialState, started: TrialStarted, profile: Profile): Effect | null {
  if (!profile.agent.plan.compress_outputs) return null;
  const shown = shownOutputs(state);
  if (shown.length <= SHOWN_WHOLE) return null;
  const folded = shown.slice(0, 2);
  const reply = state.plan_work.replies.at(-1);
  if (reply === undefined)
    return { kind: "call-model", request: condenserRequest({ state, started, profile }, folded) };
  const said = reply.ok ? (reply.response.content?.trim() ?? "") : "";
  const text = said === "" ? folded.map((one) => shortened(one.text, STAND_IN)).join(" ") : said;
  return {
    kind: "record",
    event: {
      type: "outputs-compressed",
      sub_goals: folded.flatMap(({ sub_goals }) => sub_goals),
      text,
      tokens_before: tokensOf(folded),
      tokens_after: countTokens(text),
    },
  };
}

const tokensOf = (outputs: readonly ShownOutput[]): number => countTokens(outputs.map(({ text }) => text).join("\n"));

function startExecution(state: TrialState, started: TrialStarted): Effect {
  const { plan, cursor, rounds } = state.plan;
  const current = plan[cursor];
  if (current === undefined) throw new Error("no sub-goal to begin");
  const { shown, full } = tokensShown(state, planTexts(started.language));
  return {
    kind: "record",
    event: {
      type: "execution-started",
      sub_goal: current.id,
      round: rounds + 1,
      shown_tokens: shown,
      full_tokens: full,
    },
  };
}

/** An executor's calls: those that code answers or refuses one by one, then the others at once. */
export function executorCalls(
  state: TrialState,
  started: TrialStarted,
  profile: Profile,
  pending: readonly PendingCall[],
): Effect {
  const { max_tool_calls } = profile.agent.plan;
  const left = Math.max(0, max_tool_calls - state.plan_work.tool_calls);
  const text = planTexts(started.language);
  const [over] = pending.slice(left);
  if (over !== undefined) return record(refused(over, TOOL_BUDGET, text.toolBudget(max_tool_calls)));
  for (const call of pending) {
    if (call.call.name === SUBMIT_TOOL) return record(refused(call, "not-now", text.notNow(SUBMIT_TOOL)));
    if (call.call.name === READ_EVIDENCE) return record(readEvidence(state, call));
  }
  return { kind: "call-tools", calls: pending };
}

const record = (event: ToolReturned): Effect => ({ kind: "record", event });

function refused({ call, args }: PendingCall, error: string, message: string): ToolReturned {
  const content = JSON.stringify({ error, message });
  return {
    type: "tool-returned",
    call_id: call.id,
    tool: call.name,
    args,
    ok: false,
    content,
    truncated: false,
    error,
    ms: 0,
  };
}
