import type { ModelFailureClass } from "../../src/core/message.js";
import type { ModelConfig } from "../../src/core/profile.js";
import { errorReply, type Reply, textReply } from "../support/model-server.js";

/** What an endpoint can do wrong over HTTP, and what becomes of it. */
export interface Fault {
  readonly what: string;
  readonly reply: Reply;
  readonly config?: Partial<ModelConfig>;
  readonly class: ModelFailureClass;
  readonly message: string | RegExp;
  /** All requests, the first included: 3 where the fault is retried, since `retries.max` is 2. */
  readonly requests: 1 | 3;
}

const QUICK = { timeout_seconds: 0.3 };
const html = (status: number): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<html><h1>Bad gateway</h1></html>",
});
const json = (body: unknown): Reply => ({ body });
const choices = (message: unknown) => json({ model: "m", choices: [{ message }] });

export const FAULTS: readonly Fault[] = [
  // A status that waiting does not mend.
  {
    what: "400",
    reply: errorReply(400, "bad temperature"),
    class: "bad-request",
    message: "bad temperature",
    requests: 1,
  },
  { what: "401", reply: errorReply(401, "no such key"), class: "auth", message: "no such key", requests: 1 },
  { what: "402", reply: errorReply(402, "no credits"), class: "rate-limit", message: "no credits", requests: 1 },
  { what: "403", reply: errorReply(403, "forbidden"), class: "auth", message: "forbidden", requests: 1 },
  { what: "404", reply: errorReply(404, "no such model"), class: "not-found", message: "no such model", requests: 1 },
  { what: "405", reply: errorReply(405, "post it"), class: "bad-request", message: "post it", requests: 1 },
  {
    what: "422 with a detail",
    reply: errorReply(422, { detail: [{ msg: "seed: extra" }] }),
    class: "bad-request",
    message: '{"detail":[{"msg":"seed: extra"}]}',
    requests: 1,
  },
  {
    what: "a redirect",
    reply: errorReply(301, "", { location: "https://example.org/v1" }),
    class: "not-found",
    message: "redirected to https://example.org/v1: set model.base_url to the place itself",
    requests: 1,
  },
  {
    what: "429 for want of money",
    reply: errorReply(429, { error: { message: "You are out.", code: "insufficient_quota" } }),
    class: "rate-limit",
    message: "You are out.",
    requests: 1,
  },
  {
    what: "429 of a minute's quota",
    reply: errorReply(429, {
      error: { message: "You exceeded your current quota, check plan and billing.", status: "RESOURCE_EXHAUSTED" },
    }),
    class: "rate-limit",
    message: "You exceeded your current quota, check plan and billing.",
    requests: 3,
  },
  // A request that does not fit into the model.
  ...[
    { error: { message: "Too long.", code: "context_length_exceeded" } },
    { error: { message: "This model's maximum context length is 8192 tokens. However, you requested 9000." } },
    { object: "error", message: "The prompt (length 9000) is longer than the maximum model length of 8192", code: 400 },
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size",
        type: "exceed_context_size_error",
      },
    },
    { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } },
    [
      {
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        },
      },
    ],
    { error: { message: "Range of input length should be [1, 129024]" } },
    { error: "This model's maximum prompt length is 131072 but the request contains 150000 tokens." },
  ].map(
    (body): Fault => ({
      what: `400 with ${JSON.stringify(body)}`,
      reply: errorReply(400, body),
      class: "context-window",
      message: /long|length|size|count/i,
      requests: 1,
    }),
  ),
  {
    what: "413 for the context",
    reply: errorReply(413, "prompt is too long"),
    class: "context-window",
    message: "prompt is too long",
    requests: 1,
  },
  // A status that may pass.
  { what: "408", reply: errorReply(408, "slow"), class: "timeout", message: "slow", requests: 3 },
  { what: "429", reply: errorReply(429, "slow down"), class: "rate-limit", message: "slow down", requests: 3 },
  { what: "500", reply: errorReply(500, "oops"), class: "server", message: "oops", requests: 3 },
  {
    what: "500 without a body",
    reply: { status: 500, body: "" },
    class: "server",
    message: "status 500 without a message",
    requests: 3,
  },
  { what: "502 in HTML", reply: html(502), class: "server", message: /Bad gateway/, requests: 3 },
  { what: "503", reply: errorReply(503, { message: "loading" }), class: "server", message: "loading", requests: 3 },
  { what: "504", reply: errorReply(504, "gateway"), class: "server", message: "gateway", requests: 3 },
  { what: "529", reply: errorReply(529, "overloaded"), class: "server", message: "overloaded", requests: 3 },
  // A reply that is late, cut or none.
  {
    what: "a slow header",
    reply: { ...textReply("late"), header_delay_ms: 5000 },
    config: QUICK,
    class: "timeout",
    message: "no complete reply within 0.3 s (model.timeout_seconds)",
    requests: 3,
  },
  {
    what: "a slow body",
    reply: { ...textReply("late"), body_delay_ms: 5000 },
    config: QUICK,
    class: "timeout",
    message: "no complete reply within 0.3 s (model.timeout_seconds)",
    requests: 3,
  },
  {
    what: "a slow body of an error",
    reply: { ...errorReply(400, "late"), body_delay_ms: 5000 },
    config: QUICK,
    class: "timeout",
    message: /no complete reply/,
    requests: 3,
  },
  {
    what: "a connection cut before the header",
    reply: { ...textReply("x"), cut: "before-headers" },
    class: "connection",
    message: "socket hang up",
    requests: 3,
  },
  {
    what: "a connection cut in the body",
    reply: { ...textReply("x"), cut: "in-body" },
    class: "connection",
    message: "aborted",
    requests: 3,
  },
  {
    what: "broken JSON",
    reply: { body: '{"choices": [' },
    class: "server",
    message: 'the reply is no JSON: {"choices": [',
    requests: 3,
  },
  { what: "no body", reply: { body: "" }, class: "server", message: "the reply is empty", requests: 3 },
  {
    what: "HTML with status 200",
    reply: html(200),
    class: "server",
    message: /the reply is text\/html, not JSON: <html>/,
    requests: 3,
  },
  {
    what: "an event stream",
    reply: { headers: { "content-type": "text/event-stream" }, body: "data: {}\n\n" },
    class: "server",
    message: /text\/event-stream, not JSON/,
    requests: 3,
  },
  {
    what: "a reply beyond all bounds",
    reply: { body: Buffer.alloc(33 * 1024 * 1024, " ") },
    config: { retries: { max: 2, min_wait_ms: 1, max_wait_ms: 5 } },
    class: "server",
    message: /the reply is bigger than/,
    requests: 3,
  },
  // JSON that is no completion.
  {
    what: "no choices",
    reply: json({ model: "m", choices: [] }),
    class: "server",
    message: /^no chat completion: choices/,
    requests: 3,
  },
  { what: "null", reply: json(null), class: "server", message: /^no chat completion: the body/, requests: 3 },
  {
    what: "a choice without message",
    reply: json({ choices: [{}] }),
    class: "server",
    message: /choices.0.message/,
    requests: 3,
  },
  {
    what: "a call without a name",
    reply: choices({ tool_calls: [{ id: "a", function: { name: "", arguments: "{}" } }] }),
    class: "server",
    message: /tool_calls.0.function.name/,
    requests: 3,
  },
  {
    what: "a number for content",
    reply: choices({ content: 7 }),
    class: "server",
    message: /message.content/,
    requests: 3,
  },
  // An error in a reply with status 200, as gateways send it.
  {
    what: "429 inside 200",
    reply: json({ error: { code: 429, message: "upstream is busy" } }),
    class: "rate-limit",
    message: "upstream is busy",
    requests: 3,
  },
  {
    what: "400 inside 200",
    reply: json({ error: { code: 400, message: "maximum context length is 5" } }),
    class: "context-window",
    message: /maximum/,
    requests: 1,
  },
  {
    what: "an error without a code inside 200",
    reply: json({ error: "upstream died" }),
    class: "server",
    message: "upstream died",
    requests: 3,
  },
];
