import type { ModelFailureClass } from "../core/message.js";
import { type FailedRequest, failedRequest } from "./failed-request.js";
import { retryAfter } from "./retry-after.js";

/** The names that providers have for "this request does not fit into the model's context window". */
const CONTEXT_CODES: readonly string[] = [
  "context_length_exceeded",
  "exceed_context_size_error",
  "string_above_max_length",
  "model_max_prompt_tokens_exceeded",
];

/** Their words for it: OpenAI, vLLM, DeepSeek · llama.cpp, LM Studio · Anthropic · Google · xAI, Moonshot · Qwen · Mistral, Groq, Bedrock. */
const CONTEXT_WORDS: readonly RegExp[] = [
  /maximum context length|max(imum)? model length|context[ _]length[ _]exceed/i,
  /(exceeds?|overflows?|than) the (available |model'?s? )?context/i,
  /context (window|limit|size)/i,
  /(prompt|input|request) is too long/i,
  /input token count .*exceeds/i,
  /maximum prompt length|exceeded model token limit/i,
  /range of input length should be/i,
  /too large for model with .* context|reduce the length of the (messages|prompt)/i,
];

/** 429, yet waiting does not help: the account is out of money. Google says "quota" and "billing" of a minute's limit too. */
const OUT_OF_MONEY =
  /insufficient[_ ](quota|balance|credits?|funds)|exceeded_current_quota|billing_(hard_limit|not_active)|余额不足/i;

const CLASS_BY_STATUS: Readonly<Record<number, ModelFailureClass>> = {
  401: "auth",
  402: "rate-limit",
  403: "auth",
  404: "not-found",
  408: "timeout",
  429: "rate-limit",
};

/** What a response with a failing status means. `body` is its text, `now` (epoch ms) is for dates in Retry-After. */
export function httpFailure(status: number, headers: Headers, body: string, now: number): FailedRequest {
  const { message, names } = wordsOf(body);
  const location = headers.get("location");
  if (status < 400) {
    return failedRequest(
      "not-found",
      `redirected to ${location ?? "nowhere"}: set model.base_url to the place itself`,
      { status },
    );
  }
  const text = message === "" ? `status ${status} without a message` : message;
  const retry_after_ms = retryAfter(headers, now);
  if ([400, 413, 422].includes(status)) {
    const tooLong =
      names.some((name) => CONTEXT_CODES.includes(name)) || CONTEXT_WORDS.some((words) => words.test(message));
    return failedRequest(tooLong ? "context-window" : "bad-request", text, { status });
  }
  const outOfMoney =
    status === 402 || (status === 429 && [message, ...names].some((words) => OUT_OF_MONEY.test(words)));
  const byStatus = CLASS_BY_STATUS[status] ?? (status >= 500 ? "server" : "bad-request");
  return failedRequest(byStatus, text, { status, retry_after_ms, ...(outOfMoney ? { may_pass: false } : {}) });
}

/**
 * The server's own words and its codes, whatever their shape: `{error: {message, code, type}}`, `{error: "…"}`,
 * `{message}`, `{detail}`, a list of those; else all of the text.
 */
function wordsOf(body: string): { readonly message: string; readonly names: readonly string[] } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { message: body.trim(), names: [] };
  }
  return describe(parsed) ?? { message: body.trim(), names: [] };
}

function describe(value: unknown): { readonly message: string; readonly names: readonly string[] } | null {
  if (typeof value === "string") return { message: value, names: [] };
  if (Array.isArray(value)) return value.length === 0 ? null : describe(value[0]);
  if (value === null || typeof value !== "object") return null;
  const members = new Map<string, unknown>(Object.entries(value));
  const inner = describe(members.get("error") ?? members.get("message") ?? members.get("detail"));
  if (inner === null) return null;
  const own = [members.get("code"), members.get("type"), members.get("status")].filter(
    (name) => typeof name === "string",
  );
  return { message: inner.message, names: [...own, ...inner.names] };
}
