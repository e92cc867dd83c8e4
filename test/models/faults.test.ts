import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/core/ports/clock.js";
import { createModel } from "../../src/models/create-model.js";
import { NO_IMAGES } from "../support/images.js";
import { errorReply, type Reply, textReply } from "../support/model-server.js";
import { ask, CANARY, clock, ENV, modelConfig, modelRequest, respond, serve } from "./ask.js";
import { FAULTS } from "./fault-matrix.js";

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
