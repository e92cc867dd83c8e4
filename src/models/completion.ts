import { z } from "zod";
import type { ModelRequest, ModelResponse, ToolCall, Usage } from "../core/message.js";
import type { ModelConfig } from "../core/profile.js";
import { costOf } from "./price.js";
import { recoverToolCalls } from "./text-tool-calls.js";

/** Content as text, or as parts: text parts count, `thinking` parts are reasoning, other kinds are passed over. */
const part = z.union([
  z.string().transform((text) => ({ text, thinking: "" })),
  z.looseObject({ text: z.string() }).transform(({ text }) => ({ text, thinking: "" })),
  z.looseObject({ thinking: z.unknown() }).transform(({ thinking }) => ({ text: "", thinking: joinTexts(thinking) })),
  z.unknown().transform(() => ({ text: "", thinking: "" })),
]);
const content = z.union([z.string().transform((text) => [{ text, thinking: "" }]), z.array(part)]).nullish();

/** Arguments are JSON text by the API; some servers give the object itself, or nothing for no arguments. */
const argumentsText = z
  .union([z.string(), z.looseObject({})])
  .nullish()
  .transform((value) => (typeof value === "string" ? value : JSON.stringify(value ?? {})).trim() || "{}");

const message = z.looseObject({
  content,
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string().min(1), arguments: argumentsText }),
      }),
    )
    .nullish(),
});

const count = z.int().min(0).nullish().catch(null);
const usage = z
  .looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(null),
    completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish().catch(null),
  })
  .nullish()
  .catch(null);

const completion = z.looseObject({
  model: z.string().nullish().catch(null),
  choices: z.tuple([z.looseObject({ message, finish_reason: z.string().nullish().catch(null) })], z.unknown()),
  usage,
});

export type CompletionRead = { readonly response: ModelResponse } | { readonly problem: string };

/** Reads a parsed chat completion of whatever server; `problem` says where it is none. */
export function readCompletion(body: unknown, request: ModelRequest, config: ModelConfig): CompletionRead {
  const read = completion.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { problem: `no chat completion: ${issue?.path.join(".") || "the body"}: ${issue?.message}` };
  }
  const [{ message: said, finish_reason }] = read.data.choices;
  const parts = said.content ?? [];
  const text = said.refusal ? said.refusal : parts.map((one) => one.text).join("");
  const thinking = parts.map((one) => one.thinking).join("");
  const reasoning = said.reasoning_content || said.reasoning || thinking || null;
  const native = (said.tool_calls ?? []).map((call) => ({ id: call.id ?? "", ...call.function }));
  const spoken =
    native.length > 0 ? { calls: native, content: text } : recoverToolCalls(text, reasoning, request.tools);
  const counted = usageOf(read.data.usage);
  return {
    response: {
      model: read.data.model || config.name,
      content: spoken.content === "" ? null : spoken.content,
      reasoning,
      tool_calls: withOwnIds(spoken.calls, request),
      finish_reason: said.refusal ? "refusal" : (finish_reason ?? null),
      usage: counted,
      cost_usd: costOf(counted, config.price),
    },
  };
}

function usageOf(counts: z.output<typeof usage>): Usage {
  return {
    input_tokens: counts?.prompt_tokens ?? null,
    output_tokens: counts?.completion_tokens ?? null,
    cached_tokens: counts?.prompt_tokens_details?.cached_tokens ?? null,
    reasoning_tokens: counts?.completion_tokens_details?.reasoning_tokens ?? null,
  };
}

/**
 * Gives every call an id that no other call of the conversation has: some servers send none, or count from 0 in every
 * response. The same response to the same request gets the same ids.
 */
function withOwnIds(calls: readonly ToolCall[], request: ModelRequest): ToolCall[] {
  const taken = new Set(
    request.messages.flatMap((one) => (one.role === "assistant" ? one.tool_calls.map(({ id }) => id) : [])),
  );
  return calls.map((call) => {
    const wanted = call.id || "call";
    let id = call.id || `${wanted}_1`;
    for (let next = 2; taken.has(id); next++) id = `${wanted}_${next}`;
    taken.add(id);
    return { id, name: call.name, arguments: call.arguments };
  });
}

function joinTexts(value: unknown): string {
  if (typeof value === "string") return value;
  const texts = z.array(z.looseObject({ text: z.string() })).safeParse(value);
  return texts.success ? texts.data.map(({ text }) => text).join("") : "";
}
