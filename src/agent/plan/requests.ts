import type { TrialStarted } from "../../core/event.js";
import type { Message, ModelRequest, Purpose, ToolSchema } from "../../core/message.js";
import { assembledOutputs, fullEvidence } from "../../core/plan-outputs.js";
import { modelFor, type Profile } from "../../core/profile.js";
import type { TrialState } from "../../core/state.js";
import { disciplineText } from "../discipline.js";
import { conversation, materialParts, SUBMIT_TOOL } from "../messages.js";
import { type PlanTexts, planTexts } from "./prompts.js";
import { readEvidenceSchema } from "./read-evidence.js";
import { evidenceLines, outputLines, type ShownOutput } from "./shown.js";

/** What the roles of a plan are asked: pure functions of the events so far. Each role sees what it works with and no more. */

/** Failure reasons that a new plan is shown; older ones are often settled by now (seed 3, section 4.3). */
const RECENT_FAILURES = 5;

interface Asked {
  readonly state: TrialState;
  readonly started: TrialStarted;
  readonly profile: Profile;
}

export function plannerRequest(asked: Asked): ModelRequest {
  const { state, started } = asked;
  const text = planTexts(started.language);
  const { fail_reasons, dead_ends } = state.plan;
  const tools = started.tools.filter(({ name }) => name !== SUBMIT_TOOL);
  const parts = [
    ...materialParts(started),
    part(text.parts.tools, tools.map(({ name }) => name).join(", "), text),
    ...optional(text.parts.finished, outputLines(state, text), text),
    ...optional(
      text.parts.deadEnds,
      dead_ends.map((words) => words.join(" ")),
      text,
    ),
    ...optional(
      text.parts.failures,
      fail_reasons.slice(-RECENT_FAILURES).map(({ reason }) => reason),
      text,
    ),
    question(started),
    text.askPlan,
  ];
  const messages: Message[] = [
    { role: "system", content: text.planner },
    { role: "user", content: parts.join("\n\n") },
    ...sentBack(state),
  ];
  return requestOf(asked, "planner", messages, []);
}

/** A reply that was sent back stands in the conversation unless it was no plan at all, and then only what is wrong with it does. */
function sentBack({ plan_work: { replies, refusals } }: TrialState): Message[] {
  return refusals.flatMap(({ reason, message }, index): Message[] => {
    const reply = replies[index];
    const said = reason === "unusable" || reply?.ok !== true ? null : reply.response.content;
    return [
      ...(said === null ? [] : [{ role: "assistant", content: said, tool_calls: [] } as const]),
      { role: "user", content: message },
    ];
  });
}

export function executorRequest(asked: Asked): ModelRequest {
  const { state, started, profile } = asked;
  const text = planTexts(started.language);
  const { max_tool_calls } = profile.agent.plan;
  const spent = state.plan_work.tool_calls >= max_tool_calls;
  const parts = [
    ...fixFirst(state, text),
    ...materialParts(started),
    question(started),
    ...optional(text.parts.finished, outputLines(state, text), text),
    ...optional(text.parts.evidence, evidenceLines(evidenceBefore(state)), text),
    subGoal(state, text),
    text.askOutput,
  ];
  const messages: Message[] = [
    { role: "system", content: text.executor(max_tool_calls) },
    { role: "user", content: parts.join("\n\n") },
    ...conversation(state, started, modelFor(profile, "executor")),
    ...(spent ? [{ role: "user", content: text.toolsSpent } as const] : []),
  ];
  return requestOf(asked, "executor", messages, spent ? [] : executorTools(state, started));
}

/** What was there when the execution began: its opening must stay as it is while its conversation grows. */
const evidenceBefore = ({ plan, plan_work }: TrialState) => plan.evidence.slice(0, plan_work.evidence_before);

function executorTools({ plan_work }: TrialState, started: TrialStarted): readonly ToolSchema[] {
  const offered = started.tools.filter(({ name }) => name !== SUBMIT_TOOL);
  return plan_work.evidence_before === 0 ? offered : [...offered, readEvidenceSchema(started.language)];
}

/** Why the last try at this sub-goal failed comes before everything else, with that try. */
function fixFirst({ plan: { plan, cursor, verdict, outputs, fail_reasons } }: TrialState, text: PlanTexts): string[] {
  const current = plan[cursor];
  if (current === undefined || verdict?.sub_goal !== current.id) return [];
  const reason = verdict.verdict?.reason ?? fail_reasons.findLast(({ sub_goal }) => sub_goal === current.id)?.reason;
  const last = outputs[current.id];
  if (reason === undefined || verdict.verdict?.passed === true) return [];
  return [
    part(text.parts.fixFirst, reason, text),
    ...(last === undefined ? [] : [part(text.parts.lastOutput, last.text, text)]),
  ];
}

function subGoal({ plan: { plan, cursor } }: TrialState, text: PlanTexts): string {
  const current = plan[cursor];
  if (current === undefined) throw new Error("an executor without a sub-goal");
  const { id, goal, accept, tool_hint } = current;
  return part(text.parts.subGoal, `<sub_goal>\n${JSON.stringify({ id, goal, accept, tool_hint })}\n</sub_goal>`, text);
}

export function finalizerRequest(asked: Asked): ModelRequest {
  const { state, started, profile } = asked;
  const text = planTexts(started.language);
  const { degraded, finalizer_calls } = state.plan_work;
  const outputs = assembledOutputs(state.plan);
  const lines = disciplineText(started.language, profile.discipline);
  const parts = [
    ...materialParts(started),
    part(text.parts.outputs, outputs, text),
    part(text.parts.cited, citedLines(state, outputs), text),
    ...(degraded === null ? [] : [text.notVerified(text.degraded[degraded])]),
    question(started),
    text.askSubmission,
  ];
  const messages: Message[] = [
    { role: "system", content: lines === null ? text.finalizer : `${text.finalizer}\n\n${lines}` },
    { role: "user", content: parts.join("\n\n") },
    ...conversation(state, started, modelFor(profile, "finalizer")),
  ];
  return requestOf(asked, "finalizer", messages, finalizerTools(state, started, finalizer_calls));
}

/** Only the submission, until a validator sends an answer back: what it then asks for may need every tool. */
function finalizerTools(
  { validation, forced_at }: TrialState,
  { tools }: TrialStarted,
  calls: number,
): readonly ToolSchema[] {
  const rejected = validation.process.rejections + validation.answer.rejections > 0 && calls > 0;
  return rejected && forced_at === null ? tools : tools.filter(({ name }) => name === SUBMIT_TOOL);
}

/** The calls behind what is cited, whole, for one of them is to be run again; of what they returned the digest. */
function citedLines({ plan: { evidence }, trajectory }: TrialState, text: string): string {
  const cited = new Set(text.match(/\bE\d+\b/g) ?? []);
  return evidence
    .filter(({ id }) => cited.has(id))
    .map((entry) => {
      const args = fullEvidence(trajectory, entry)?.args;
      return `<evidence>\n${JSON.stringify({ id: entry.id, tool: entry.tool, args, digest: entry.digest })}\n</evidence>`;
    })
    .join("\n");
}

export function condenserRequest(asked: Asked, folded: readonly ShownOutput[]): ModelRequest {
  const text = planTexts(asked.started.language);
  return requestOf(
    asked,
    "condenser",
    [
      { role: "system", content: text.condenser },
      { role: "user", content: folded.map(({ text: said }) => said).join("\n\n") },
    ],
    [],
  );
}

function requestOf(
  { started, profile }: Asked,
  purpose: Purpose,
  messages: readonly Message[],
  tools: readonly ToolSchema[],
): ModelRequest {
  const { temperature, max_output_tokens } = modelFor(profile, purpose);
  return { purpose, messages, tools, temperature, seed: started.seed, max_output_tokens };
}

const question = ({ question: asked }: TrialStarted): string => `<question>\n${asked}\n</question>`;

const part = (heading: string, body: string, text: PlanTexts): string =>
  `${heading}:\n${body === "" ? text.none : body}`;

const optional = (heading: string, lines: readonly string[], text: PlanTexts): string[] =>
  lines.length === 0 ? [] : [part(heading, lines.join("\n"), text)];
