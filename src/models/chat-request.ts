import type OpenAI from "openai";
import type { Message, ModelRequest } from "../core/message.js";
import type { ModelConfig } from "../core/profile.js";

type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/**
 * The body of a chat-completions request. What is null or empty is left out, so that endpoints which know only the basics
 * are not troubled; `extra_body` goes on top. Equal requests have equal bodies.
 */
export function chatBody(
  request: ModelRequest,
  config: ModelConfig,
  extraBody: Readonly<Record<string, unknown>>,
): ChatBody {
  const { messages, tools, temperature, seed, max_output_tokens } = request;
  return {
    model: config.name,
    messages: messages.map(chatMessage),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    ...(temperature === null ? {} : { temperature }),
    ...(seed === null || !config.send_seed ? {} : { seed }),
    ...(max_output_tokens === null ? {} : { max_tokens: max_output_tokens }),
    ...extraBody,
  };
}

function chatMessage(message: Message): OpenAI.Chat.Completions.ChatCompletionMessageParam {
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
