import { z } from "zod";
import type { Message, ModelFailure, ModelRequest, ModelResponse, ToolCall } from "../core/message.js";

/** The chat-completions API from the serving side: what others ask us, and what they get. */

export type ServedRead =
  | { readonly ok: true; readonly request: ModelRequest; readonly stream: boolean }
  /** What cannot be served, in words. */
  | { readonly ok: false; readonly problem: string };

/** What is asked for where the request says nothing. */
export type ServedDefaults = Pick<ModelRequest, "temperature" | "seed" | "max_output_tokens">;

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const content = z.union([
  z.string(),
  z
    .array(textPart, "text, or a list of text parts: pictures are not served")
    .transform((parts) => parts.map(({ text }) => text).join("")),
]);
const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer"]), content }),
  z.looseObject({ role: z.literal("user"), content }),
  z.looseObject({
    role: z.literal("assistant"),
    content: content.nullish(),
    tool_calls: z.array(toolCall).nullish(),
    reasoning_content: z.string().nullish(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content }),
]);
const tool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});
const count = z.int().min(1).nullish();
const bodySchema = z.strictObject({
  messages: z.array(message).min(1),
  tools: z.array(tool).nullish(),
  tool_choice: z.enum(["auto", "none"], "auto or none").nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  seed: z.int().nullish(),
  max_tokens: count,
  max_completion_tokens: count,
  stream: z.boolean().nullish(),
  n: z.literal(1).nullish(),
  top_p: z.literal(1).nullish(),
  frequency_penalty: z.literal(0).nullish(),
  presence_penalty: z.literal(0).nullish(),
  response_format: z.strictObject({ type: z.literal("text") }).nullish(),
  // What changes no answer is taken and passed over; the profile names the model.
  model: z.unknown().optional(),
  user: z.unknown().optional(),
  metadata: z.unknown().optional(),
  store: z.unknown().optional(),
  parallel_tool_calls: z.unknown().optional(),
  stream_options: z.unknown().optional(),
});

/** Reads the parsed body of a request. What we cannot pass on is refused rather than left out: it would change the answer. */
export function readServedRequest(body: unknown, defaults: ServedDefaults): ServedRead {
  const read = bodySchema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { ok: false, problem: `${issue?.path.join(".") || "the body"}: ${issue?.message}` };
  }
  const { messages, tools, tool_choice, temperature, seed, max_tokens, max_completion_tokens, stream } = read.data;
  const request: ModelRequest = {
    purpose: "agent",
    messages: messages.map(messageOf),
    tools: tool_choice === "none" ? [] : (tools ?? []).map(toolOf),
    temperature: temperature ?? defaults.temperature,
    seed: seed ?? defaults.seed,
    max_output_tokens: max_completion_tokens ?? max_tokens ?? defaults.max_output_tokens,
  };
  return { ok: true, request, stream: stream === true };
}

function messageOf(said: z.infer<typeof message>): Message {
  switch (said.role) {
    case "system":
    case "developer":
      return { role: "system", content: said.content };
    case "user":
      return { role: "user", content: said.content };
    case "tool":
      return { role: "tool", tool_call_id: said.tool_call_id, content: said.content };
    case "assistant": {
      const tool_calls = (said.tool_calls ?? []).map(
        ({ id, function: { name, arguments: text } }): ToolCall => ({ id, name, arguments: text }),
      );
      const reasoning = said.reasoning_content;
      return {
        role: "assistant",
        content: said.content ?? null,
        tool_calls,
        ...(reasoning == null ? {} : { reasoning }),
      };
    }
  }
}

function toolOf({ function: { name, description, parameters } }: z.infer<typeof tool>): ModelRequest["tools"][number] {
  return { name, description: description ?? "", parameters: parameters ?? { type: "object", properties: {} } };
}

/** A response as the API's JSON. `id` and `created` (seconds) are the caller's. */
export function servedResponse(
  response: ModelResponse,
  id: string,
  created: number,
): Readonly<Record<string, unknown>> {
  const { model, finish_reason } = response;
  const choice = { index: 0, message: saidOf(response), finish_reason: finish_reason ?? "stop" };
  return { id, object: "chat.completion", created, model, choices: [choice], usage: usageOf(response) };
}

/** The same as the one chunk of a stream. */
export function servedChunk(response: ModelResponse, id: string, created: number): Readonly<Record<string, unknown>> {
  const { tool_calls, ...said } = saidOf(response);
  const calls = tool_calls?.map((call, index) => ({ index, ...call }));
  const delta = { ...said, ...(calls === undefined ? {} : { tool_calls: calls }) };
  const choice = { index: 0, delta, finish_reason: response.finish_reason ?? "stop" };
  return {
    id,
    object: "chat.completion.chunk",
    created,
    model: response.model,
    choices: [choice],
    usage: usageOf(response),
  };
}

function saidOf({ content: text, reasoning, tool_calls }: ModelResponse) {
  const calls = tool_calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  }));
  return {
    role: "assistant",
    content: text,
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function usageOf({ usage }: ModelResponse) {
  const [prompt_tokens, completion_tokens] = [usage.input_tokens ?? 0, usage.output_tokens ?? 0];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

const STATUS: Readonly<Record<ModelFailure["class"], number>> = {
  auth: 401,
  "not-found": 404,
  "bad-request": 400,
  "context-window": 400,
  "rate-limit": 429,
  timeout: 504,
  connection: 502,
  server: 502,
  "replay-diverged": 500,
};

/** A failure as the API's error. Our own retries are over by then. */
export function servedFailure(failure: Pick<ModelFailure, "class" | "message">) {
  const code = failure.class === "context-window" ? "context_length_exceeded" : failure.class;
  return { status: STATUS[failure.class], body: servedError(code, failure.message) };
}

export function servedError(code: string, text: string) {
  return { error: { message: text, type: code, code, param: null } };
}
