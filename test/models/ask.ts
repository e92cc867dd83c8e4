import { onTestFinished } from "vitest";
import type { Message, ModelRequest, ToolSchema } from "../../src/core/message.js";
import type { ChatModel, ModelReply, RetryNotice } from "../../src/core/ports/chat-model.js";
import type { Clock } from "../../src/core/ports/clock.js";
import type { ModelConfig } from "../../src/core/profile.js";
import { createModel } from "../../src/models/create-model.js";
import { NO_IMAGES } from "../support/images.js";
import { type ModelScript, type ModelServer, startModelServer } from "../support/model-server.js";

export const CANARY = "sk-canary/0123456789+abcdef";
export const ENV = { MODEL_API_KEY: CANARY };

export const clock: Clock = { iso: () => new Date().toISOString(), milliseconds: () => performance.now() };

/** A model's configuration with quick retries: two of them, 1 to 2,000 ms apart. */
export function modelConfig(more: Partial<ModelConfig> = {}): ModelConfig {
  return {
    provider: "openai",
    name: "asked-model",
    temperature: 0.2,
    max_output_tokens: null,
    base_url: "http://127.0.0.1:9/v1",
    api_key_env: "MODEL_API_KEY",
    timeout_seconds: 30,
    proxy: null,
    ca_file: null,
    headers: {},
    extra_body: {},
    send_seed: true,
    reasoning_history: 0,
    cache_responses: false,
    retries: { max: 2, min_wait_ms: 1, max_wait_ms: 2000 },
    requests_per_minute: null,
    tokens_per_minute: null,
    price: null,
    ...more,
  };
}

export const TOOLS: readonly ToolSchema[] = [
  {
    name: "execute_probe_query",
    description: "Runs SQL.",
    parameters: {
      type: "object",
      properties: { sql: { type: "string" }, limit: { type: "integer" }, columns: { type: "array" } },
    },
  },
  { name: "list_context", description: "Lists.", parameters: { type: "object", properties: {} } },
];

export function modelRequest(more: Partial<ModelRequest> = {}): ModelRequest {
  const messages: readonly Message[] = [
    { role: "system", content: "Answer with tools." },
    { role: "user", content: "有多少行？" },
  ];
  return { purpose: "agent", messages, tools: TOOLS, temperature: 0.2, seed: 7, max_output_tokens: null, ...more };
}

export interface Asked {
  readonly reply: ModelReply;
  readonly retries: readonly RetryNotice[];
  readonly server: ModelServer;
}

/** Asks a model at a scripted server once, retries included. */
export async function ask(
  script: ModelScript,
  more: {
    readonly config?: Partial<ModelConfig>;
    readonly request?: Partial<ModelRequest>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Asked> {
  const server = await serve(script);
  const model = createModel(modelConfig({ base_url: server.base_url, ...more.config }), ENV, clock);
  const { reply, retries } = await respond(model, modelRequest(more.request), more.signal);
  return { reply, retries, server };
}

/** A scripted server that is closed when the test is over. */
export async function serve(script: ModelScript): Promise<ModelServer> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
}

export async function respond(
  model: ChatModel,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<Pick<Asked, "reply" | "retries">> {
  const retries: RetryNotice[] = [];
  const on_retry = async (notice: RetryNotice) => void retries.push(notice);
  return {
    reply: await model.respond(request, { signal, on_retry, on_wait: () => {}, asked_before: 0, images: NO_IMAGES }),
    retries,
  };
}
