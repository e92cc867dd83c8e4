import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { z } from "zod";
import type { ModelRequest, ModelResponse } from "../core/message.js";
import type { ChatModel, ModelCall } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { ModelConfig } from "../core/profile.js";
import { chatBody } from "./chat-request.js";
import { readCompletion } from "./completion.js";
import type { Credentials } from "./credentials.js";
import { type FailedRequest, failedRequest } from "./failed-request.js";
import { httpFailure } from "./http-failure.js";
import { type Fetch, httpFetch, ReplyError } from "./http-fetch.js";
import { readImages } from "./request-images.js";
import { type Attempt, withRetries } from "./retry.js";
import { type Scrubber, scrubberFor } from "./secrets.js";
import type { Throttle } from "./throttle.js";

interface Endpoint {
  readonly client: OpenAI;
  readonly config: ModelConfig;
  readonly credentials: Credentials;
  readonly scrubber: Scrubber;
  readonly clock: Clock;
}

/**
 * Any OpenAI-compatible chat-completions endpoint, through the `openai` package with its retries, logging and reading of
 * the environment off. Nothing that it returns holds a secret, even where the server echoes one. `ca` is PEM text.
 */
export function createOpenAiModel(
  config: ModelConfig,
  credentials: Credentials,
  ca: string | null,
  throttle: Throttle,
  clock: Clock,
): ChatModel {
  const client = new OpenAI({
    baseURL: config.base_url,
    apiKey: credentials.key ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    timeout: config.timeout_seconds * 1000,
    fetch: errorsAsText(onlyHeaders(headerNames(credentials), httpFetch({ proxy: credentials.proxy, ca }))),
    defaultHeaders: credentials.headers,
  });
  const endpoint = { client, config, credentials, scrubber: scrubberFor(credentials.secrets), clock };
  return {
    respond: (request, call) => {
      const tokens = config.tokens_per_minute === null ? 0 : expectedTokens(request);
      const ask = () => askOnce(endpoint, request, call);
      return withRetries(config.retries, call, () => throttle.run(tokens, call, ask));
    },
  };
}

/** A token is about four bytes of UTF-8 in any script; the response's usage corrects it. */
const expectedTokens = (request: ModelRequest): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify([request.messages, request.tools])) / 4);

type Asked = Pick<ModelCall, "signal" | "images">;

type Read = { readonly ok: true; readonly response: ModelResponse } | ({ readonly ok: false } & FailedRequest);

/** One request. Rejects only when `signal` is aborted. */
async function askOnce(endpoint: Endpoint, request: ModelRequest, call: Asked): Promise<Attempt> {
  call.signal.throwIfAborted();
  const { clock, scrubber } = endpoint;
  const before = clock.milliseconds();
  const read = await send(endpoint, request, call);
  const request_ms = clock.milliseconds() - before;
  if (read.ok) return { ...read, request_ms };
  return { ...read, failure: { ...read.failure, message: scrubber.text(read.failure.message) }, request_ms };
}

async function send(endpoint: Endpoint, request: ModelRequest, { signal, images }: Asked): Promise<Read> {
  const shown = await readImages(request, images);
  if ("problem" in shown) return { ok: false, ...failedRequest("bad-request", shown.problem) };
  try {
    const body = chatBody(request, endpoint.config, endpoint.credentials.extra_body, shown.contents);
    const response = await endpoint.client.chat.completions.create(body, { signal }).asResponse();
    return readReply(endpoint, request, response.headers, await response.text());
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, ...failureOf(error, endpoint) };
  }
}

/** What a response with status 200 says. A server that puts its error into one is taken at its word. */
function readReply(endpoint: Endpoint, request: ModelRequest, headers: Headers, text: string): Read {
  const type = headers.get("content-type");
  if (type !== null && !/json/i.test(type)) return broken(`the reply is ${type}, not JSON: ${text}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return broken(text.trim() === "" ? "the reply is empty" : `the reply is no JSON: ${text}`);
  }
  const read = readCompletion(endpoint.scrubber.json(body), request, endpoint.config);
  if ("response" in read) return { ok: true, response: read.response };
  const status = errorStatus(body);
  if (status === null) return broken(`${read.problem}: ${text}`);
  const failed = httpFailure(status, headers, text, Date.parse(endpoint.clock.iso()));
  return { ok: false, ...failed };
}

const broken = (message: string): Read => ({ ok: false, ...failedRequest("server", message, { status: 200 }) });

/** The status inside `{"error": {"code": 429, …}}`, as gateways send it with status 200; 500 where the error has none. */
function errorStatus(body: unknown): number | null {
  const read = z.looseObject({ error: z.unknown() }).safeParse(body);
  if (!read.success || !read.data.error) return null;
  const code = z.looseObject({ code: z.int().min(400).max(599) }).safeParse(read.data.error);
  return code.success ? code.data.code : 500;
}

/** What the `openai` package threw, in our classes. Rethrows a bug. */
function failureOf(error: unknown, { config, clock }: Endpoint): FailedRequest {
  if (error instanceof APIConnectionTimeoutError) {
    return failedRequest("timeout", `no complete reply within ${config.timeout_seconds} s (model.timeout_seconds)`);
  }
  if (error instanceof APIConnectionError) {
    const { cause } = error;
    if (cause instanceof ReplyError) return failedRequest("server", cause.message);
    const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_/.test(codeOf(cause));
    return failedRequest("connection", words(cause), isCertificate ? { may_pass: false } : {});
  }
  if (error instanceof APIError && typeof error.status === "number") {
    const body = typeof error.error === "string" ? error.error : error.message;
    return httpFailure(error.status, new Headers(error.headers), body, Date.parse(clock.iso()));
  }
  throw error;
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** An error's message; of an AggregateError (every address of a host refused) that of the first, whose own is empty. */
function words(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return words(error.errors[0]);
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}

/** The package keeps an error's body only in OpenAI's shape; compatible endpoints have many. So it is handed on as text. */
function errorsAsText(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    const { status, headers } = response;
    return new Response(JSON.stringify({ error: await response.text() }), { status, headers });
  };
}

/**
 * Sends these headers and no other: the package adds what it reads from the process's environment (OPENAI_CUSTOM_HEADERS)
 * and a description of this machine.
 */
function onlyHeaders(names: ReadonlySet<string>, fetch: Fetch): Fetch {
  return (input, init = {}) => {
    const headers = [...new Headers(init.headers)].filter(([name]) => names.has(name));
    return fetch(input, { ...init, headers });
  };
}

function headerNames({ key, headers }: Credentials): ReadonlySet<string> {
  const own = Object.keys(headers).map((name) => name.toLowerCase());
  return new Set(["accept", "content-type", "user-agent", ...(key === null ? [] : ["authorization"]), ...own]);
}
