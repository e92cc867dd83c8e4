import { describe, expect, it } from "vitest";
import type { ModelFailureClass } from "../../src/core/message.js";
import type { Clock } from "../../src/core/ports/clock.js";
import type { ModelConfig } from "../../src/core/profile.js";
import { createModel } from "../../src/models/create-model.js";
import { NO_IMAGES } from "../support/images.js";
import { errorReply, type Reply, textReply } from "../support/model-server.js";
import { ask, CANARY, clock, ENV, modelConfig, modelRequest, respond, serve } from "./ask.js";

interface Fault {
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

const FAULTS: readonly Fault[] = [
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

describe("a request that fails for good", () => {
  it.each(FAULTS)("with $what is $class after $requests requests, each retry told", async (fault) => {
    const { reply, retries, server } = await ask(() => fault.reply, fault.config ? { config: fault.config } : {});
    expect(reply).toMatchObject({ ok: false, failure: { class: fault.class } });
    const failure = reply.ok ? null : reply.failure;
    if (fault.message instanceof RegExp) expect(failure?.message).toMatch(fault.message);
    else expect(failure?.message).toBe(fault.message);
    expect(server.requests).toHaveLength(fault.requests);
    expect(retries.map((notice) => notice.failure)).toEqual(Array(fault.requests - 1).fill(failure));
    expect(JSON.stringify({ reply, retries })).not.toContain("canary");
  });

  it("carries the status that the server gave", async () => {
    const { reply } = await ask(() => errorReply(404, "gone"));
    expect(reply).toMatchObject({ failure: { status: 404 } });
  });

  it("keeps at most 2,000 characters of the server's words", async () => {
    const { reply } = await ask(() => errorReply(400, "很".repeat(5000)));
    expect(reply).toMatchObject({ failure: { message: "很".repeat(2000) } });
  });

  it("is a connection failure where nobody listens or the name is unknown", async () => {
    for (const base_url of ["http://127.0.0.1:9/v1", "http://nowhere.invalid/v1"]) {
      const model = createModel(
        modelConfig({ base_url, retries: { max: 1, min_wait_ms: 1, max_wait_ms: 5 } }),
        ENV,
        clock,
      );
      const { reply, retries } = await respond(model, modelRequest());
      expect(reply).toMatchObject({ ok: false, failure: { class: "connection", status: null } });
      expect(retries).toHaveLength(1);
      expect(reply.ok ? "" : reply.failure.message).toMatch(/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/);
    }
  });

  it("fails at once where the profile allows no retry", async () => {
    const { reply, retries, server } = await ask(() => errorReply(429, "slow down"), {
      config: { retries: { max: 0, min_wait_ms: 1, max_wait_ms: 5 } },
    });
    expect(reply).toMatchObject({ ok: false, failure: { class: "rate-limit" } });
    expect([retries.length, server.requests.length]).toEqual([0, 1]);
  });
});

describe("a request that fails at first", () => {
  it("is answered by a later one, with every failure told in between", async () => {
    const script = [errorReply(500, "one"), { ...textReply("x"), cut: "in-body" as const }, textReply("at last")];
    const { reply, retries, server } = await ask(script);
    expect(reply).toMatchObject({ ok: true, response: { content: "at last" } });
    expect(retries.map(({ failure }) => failure.class)).toEqual(["server", "connection"]);
    expect(server.requests).toHaveLength(3);
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
  });

  it.each([
    ["seconds", { "retry-after": "0.3" }],
    ["milliseconds", { "retry-after-ms": "300" }],
    [
      "an HTTP date, by the server's own clock",
      { "retry-after": "Tue, 03 Mar 2026 08:00:01 GMT", date: "Tue, 03 Mar 2026 08:00:00 GMT" },
    ],
  ])("waits as long as Retry-After says in %s", async (_what, headers) => {
    const { reply, retries, server } = await ask([errorReply(429, "slow down", headers), textReply("now")]);
    expect(reply.ok).toBe(true);
    const wait = retries[0]?.wait_ms ?? 0;
    expect(wait).toBeGreaterThanOrEqual(300);
    const [first, second] = server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(wait - 5);
  });

  it("is not asked again where the server wants a longer wait than the profile allows", async () => {
    const { reply, retries, server } = await ask([errorReply(429, "come back tomorrow", { "retry-after": "86400" })]);
    expect(reply).toMatchObject({
      failure: {
        class: "rate-limit",
        status: 429,
        message: "the server asks to wait 86400000 ms, longer than retries.max_wait_ms (2000): come back tomorrow",
      },
    });
    expect([retries.length, server.requests.length]).toEqual([0, 1]);
  });

  it("waits longer with every failure, never beyond the profile's longest", async () => {
    const retries = { max: 5, min_wait_ms: 8, max_wait_ms: 32 };
    const asked = await ask(() => errorReply(500, "x"), { config: { retries } });
    const longest = [8, 16, 32, 32, 32];
    expect(asked.retries.map(({ wait_ms }) => wait_ms)).toHaveLength(5);
    for (const [index, { wait_ms }] of asked.retries.entries()) {
      expect(wait_ms).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2);
      expect(wait_ms).toBeLessThanOrEqual(longest[index] ?? 0);
    }
  });

  it("counts the last request's time alone, waits left out", async () => {
    let now = 0;
    const server = await serve(({ index }) => {
      now += index === 0 ? 7000 : 40;
      return index === 0 ? errorReply(500, "x") : textReply("now");
    });
    const ticking: Clock = { iso: clock.iso, milliseconds: () => now };
    const model = createModel(modelConfig({ base_url: server.base_url }), ENV, ticking);
    const told: number[] = [];
    const reply = await model.respond(modelRequest(), {
      signal: new AbortController().signal,
      on_wait: () => {},
      asked_before: 0,
      images: NO_IMAGES,
      on_retry: async ({ request_ms }) => {
        told.push(request_ms);
        now += 100_000;
      },
    });
    expect([...told, reply.request_ms]).toEqual([7000, 40]);
  });
});

describe("a call that is aborted", () => {
  it.each([
    ["while the server thinks", { ...textReply("late"), header_delay_ms: 5000 }],
    ["while the body comes", { ...textReply("late"), body_delay_ms: 5000 }],
    ["while it waits for a retry", errorReply(429, "wait", { "retry-after": "1.9" })],
  ])("rejects with the signal's reason %s", async (_what, reply) => {
    const abort = new AbortController();
    const reason = new Error("the trial's time is up");
    const asking = ask(() => reply, { signal: abort.signal });
    setTimeout(() => abort.abort(reason), 100);
    await expect(asking).rejects.toBe(reason);
  });

  it("sends nothing where it was aborted before", async () => {
    const reason = new Error("cancelled");
    let requests = 0;
    const script = () => {
      requests++;
      return textReply("x");
    };
    await expect(ask(script, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toBe(0);
  });
});

describe("a secret", () => {
  it("that the server echoes is in nothing that comes back", async () => {
    const encoded = encodeURIComponent(CANARY);
    const echoes: readonly Reply[] = [
      errorReply(401, `Incorrect API key provided: ${CANARY}. See https://example.org/?key=${encoded}`),
      { status: 500, body: `panic: Bearer ${CANARY}` },
      { body: `not JSON ${CANARY}` },
      { headers: { "content-type": "text/plain" }, body: CANARY },
      { body: { choices: [], echo: CANARY } },
      { body: `{"choices": [], "echo": "${CANARY.replaceAll("/", "\\/")}"}` },
      errorReply(400, `${"x".repeat(1990)}${CANARY}`),
      { body: { error: { code: 403, message: CANARY } } },
      textReply(`your key is ${CANARY}`, { message: { reasoning_content: encoded }, completion: { model: CANARY } }),
      textReply(null, {
        message: { tool_calls: [{ id: CANARY, function: { name: CANARY, arguments: { key: CANARY } } }] },
      }),
    ];
    for (const echo of echoes) {
      const { reply, retries } = await ask(() => echo);
      const text = JSON.stringify({ reply, retries });
      expect(text).not.toContain("canary");
      expect(text).toContain("***");
    }
  });
});
