import type OpenAI from "openai";
import type { ContentPart, ImageReference, Message, ModelRequest } from "../core/message.js";
import type { ModelConfig } from "../core/profile.js";

/** Bytes of a request's images by their digest. */
export type ImageContents = ReadonlyMap<string, Uint8Array>;

type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/**
 * The body of a chat-completions request. What is null or empty is left out, so that endpoints which know only the basics
 * are not troubled; `extra_body` goes on top. Equal requests have equal bodies. `images` holds every image that the request shows.
 */
export function chatBody(
  request: ModelRequest,
  config: ModelConfig,
  extraBody: Readonly<Record<string, unknown>>,
  images: ImageContents,
): ChatBody {
  const { messages, tools, temperature, seed, max_output_tokens } = request;
  return {
    model: config.name,
    messages: messages.map((message) => chatMessage(message, images)),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    ...(temperature === null ? {} : { temperature }),
    ...(seed === null || !config.send_seed ? {} : { seed }),
    ...(max_output_tokens === null ? {} : { max_tokens: max_output_tokens }),
    ...extraBody,
  };
}

function chatMessage(message: Message, images: ImageContents): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  if (message.role === "user") return { role: "user", content: userContent(message.content, images) };
  if (message.role !== "assistant") return message;
  const tool_calls = message.tool_calls.map((call) => ({
    id: call.id,
    type: "function" as const,
    function: { name: call.name, arguments: call.arguments },
  }));
  // An assistant message must have content or calls; some endpoints refuse an empty list of calls, others null content without calls.
  const said = tool_calls.length === 0 ? { content: message.content ?? "" } : { content: message.content, tool_calls };
  // Not of the API itself, but how the servers that want it back call it: DeepSeek, Kimi, GLM, vLLM, SGLang, llama.cpp.
  const reasoning = message.reasoning === undefined ? {} : { reasoning_content: message.reasoning };
  return { role: "assistant", ...said, ...reasoning };
}

function userContent(
  content: string | readonly ContentPart[],
  images: ImageContents,
): string | OpenAI.Chat.Completions.ChatCompletionContentPart[] {
  if (typeof content === "string") return content;
  return content.map((part) =>
    part.type === "text" ? { ...part } : { type: "image_url", image_url: { url: dataUrl(part.image, images) } },
  );
}

function dataUrl({ path, digest, type }: ImageReference, images: ImageContents): string {
  const bytes = images.get(digest);
  if (bytes === undefined) throw new Error(`the bytes of ${path} were not read`);
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}
