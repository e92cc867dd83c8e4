import type { ModelRequest, ModelResponse, ToolCall } from "../../core/message.js";
import type { ChatModel, ModelReply } from "../../core/ports/chat-model.js";
import type { ModelConfig } from "../../core/profile.js";
import { type PlanAnswer, planAnswer } from "../lexical-plan/lexical-plan.js";
import { type PolicyOptions, type Submission, solve } from "./policy.js";
import { roleAnswer } from "./role-answer.js";
import { type Call, keyOfCall, readTranscript, type Transcript } from "./transcript.js";

export const LEXICAL_MODEL = "lexical-1";

/**
 * The embedded baseline: answers like a chat model, but reads questions by rules. It keeps no state: each request is worked out
 * from its messages alone, so the same messages, temperature and seed give the same response. Costs nothing.
 */
export function createLexicalModel(config: ModelConfig): ChatModel {
  return {
    async respond(request, call): Promise<ModelReply> {
      call.signal.throwIfAborted();
      const started = performance.now();
      const response = answer(request, { temperature: request.temperature ?? config.temperature, seed: request.seed });
      return { ok: true, response, request_ms: performance.now() - started };
    },
  };
}

function answer(request: ModelRequest, options: PolicyOptions): ModelResponse {
  const { purpose } = request;
  switch (purpose) {
    case "agent":
      return act(request, options);
    case "process-validator":
    case "answer-validator":
    case "verifier":
    case "extractor":
      return response(request, { content: roleAnswer(request, purpose), tool_calls: [], finish_reason: "stop" });
    case "planner":
    case "executor":
    case "finalizer":
    case "condenser":
      return planRole(request, planAnswer({ ...request, purpose }, options));
  }
}

function planRole(request: ModelRequest, { content, calls, submission }: PlanAnswer): ModelResponse {
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  const said = response(request, { content, tool_calls: toolCalls(request, calls), finish_reason });
  return submission === null ? said : { ...said, extra: extraOf(submission) };
}

function act(request: ModelRequest, options: PolicyOptions): ModelResponse {
  const transcript = readTranscript(request);
  const next = follow(transcript, options);
  const tool_calls = toolCalls(request, "call" in next ? [next.call] : next);
  const extra = "call" in next ? { extra: extraOf(next) } : {};
  return { ...response(request, { content: null, tool_calls, finish_reason: "tool_calls" }), ...extra };
}

/** Ids go on through the conversation. */
function toolCalls(request: ModelRequest, calls: readonly Call[]): ToolCall[] {
  const { calls: made } = readTranscript(request);
  return calls.map((call, index) => ({
    id: `call_${made + index + 1}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
}

const extraOf = ({ reading, slots }: Submission) => ({ reading, slots });

function response(
  request: ModelRequest,
  said: Pick<ModelResponse, "content" | "tool_calls" | "finish_reason">,
): ModelResponse {
  const written = [...said.tool_calls.map((call) => call.arguments), ...(said.content === null ? [] : [said.content])];
  return {
    model: LEXICAL_MODEL,
    ...said,
    reasoning: null,
    usage: {
      input_tokens: tokensIn(request.messages.map((message) => message.content ?? "").join("\n")),
      output_tokens: tokensIn(written.join("\n")),
      cached_tokens: null,
      reasoning_tokens: null,
    },
    cost_usd: 0,
  };
}

/** Runs the policy over the results so far: the submission, or the calls whose results it needs next. */
function follow(transcript: Transcript, options: PolicyOptions): Submission | readonly Call[] {
  const steps = solve(transcript, options);
  let step = steps.next();
  while (step.done !== true) {
    const results = step.value.map((call) => transcript.results.get(keyOfCall(call)));
    const missing = step.value.filter((_, index) => results[index] === undefined);
    if (missing.length > 0 && !transcript.mustSubmit) return missing;
    step = steps.next(results.map((result) => result ?? ""));
  }
  return step.value;
}

/** Its own estimate: four characters a token, as is usual for English; a Chinese character counts as one. */
function tokensIn(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return Math.ceil((text.length - han) / 4) + han;
}
