import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ModelResponse } from "../../src/core/message.js";
import { createModel } from "../../src/models/create-model.js";
import { failedRequest } from "../../src/models/failed-request.js";
import type { Attempt } from "../../src/models/retry.js";
import { createThrottle, type ThrottleLimits } from "../../src/models/throttle.js";
import { errorReply, textReply } from "../support/model-server.js";
import { clock, ENV, modelConfig, modelRequest, respond, serve } from "./ask.js";

const answer = (tokens: number | null = null): Attempt => ({
  ok: true,
  request_ms: 1,
  response: {
    model: "m",
    content: "a",
    reasoning: null,
    tool_calls: [],
    finish_reason: "stop",
    usage: { input_tokens: tokens, output_tokens: null, cached_tokens: null, reasoning_tokens: null },
    cost_usd: null,
  } satisfies ModelResponse,
});
const busy = (retry_after_ms: number | null = null): Attempt => ({
  ok: false,
  request_ms: 1,
  ...failedRequest("rate-limit", "slow down", { status: 429, retry_after_ms }),
});

/** A throttle whose requests end when the test says so. */
function stage(limits: Partial<ThrottleLimits> = {}) {
  const throttle = createThrottle(
    { requests_per_minute: null, tokens_per_minute: null, max_wait_ms: 60_000, ...limits },
    { iso: clock.iso, milliseconds: () => performance.now() },
  );
  const open: ((attempt: Attempt) => void)[] = [];
  const startedAt: number[] = [];
  return {
    /** When each request started, in milliseconds. */
    startedAt,
    inFlight: () => open.length,
    async begin(count: number, tokens = 0, signal?: AbortSignal): Promise<Promise<Attempt>[]> {
      const runs = Array.from({ length: count }, () =>
        throttle.run(tokens, { signal: signal ?? new AbortController().signal, on_wait: () => {} }, () => {
          startedAt.push(performance.now());
          return new Promise<Attempt>((resolve) => open.push(resolve));
        }),
      );
      await vi.advanceTimersByTimeAsync(0);
      return runs;
    },
    /** Ends the oldest requests in flight, one after the other. */
    async end(...attempts: Attempt[]): Promise<void> {
      for (const attempt of attempts) {
        open.shift()?.(attempt);
        await vi.advanceTimersByTimeAsync(0);
      }
    },
  };
}

describe("requests in flight", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it("are as many as are asked for while the endpoint bears it", async () => {
    const { begin, inFlight } = stage();
    await begin(100);
    expect(inFlight()).toBe(100);
  });

  it("are halved by a 429, once for all that were in flight together, and never fewer than one", async () => {
    const { begin, end, inFlight } = stage();
    await begin(8);
    await end(busy(), busy(), busy());
    await begin(8);
    expect(inFlight()).toBe(5);
    await end(busy(), busy(), busy(), busy(), busy());
    expect(inFlight()).toBe(4);
    for (let round = 0; round < 4; round++) {
      await end(...Array(inFlight()).fill(busy()));
      await begin(8);
    }
    expect(inFlight()).toBe(1);
  });

  it("grow by one with as many successes as are allowed, until all go at once again", async () => {
    const { begin, end, inFlight } = stage();
    await begin(4);
    await end(busy(), answer(), answer(), answer());
    const seen: number[] = [];
    await begin(200);
    for (let round = 0; round < 6; round++) {
      seen.push(inFlight());
      await end(...Array(inFlight()).fill(answer()));
    }
    expect(seen.at(0)).toBeLessThan(4);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBeGreaterThan(4);
  });

  it("are not held back by other failures, nor by a lack of money", async () => {
    const { begin, end, inFlight } = stage();
    await begin(4);
    await end(
      { ok: false, request_ms: 1, ...failedRequest("server", "x") },
      { ok: false, request_ms: 1, ...failedRequest("rate-limit", "no credits", { may_pass: false }) },
    );
    await begin(50);
    expect(inFlight()).toBe(52);
  });

  it("start in the order of their asking, those that leave excepted", async () => {
    const { begin, end } = stage();
    await begin(2);
    await end(busy(), answer());
    const reason = new Error("the trial's time is up");
    const abort = new AbortController();
    const [first] = await begin(1);
    const leaving = await begin(5, 0, abort.signal);
    const [last] = await begin(1);
    const left = Promise.allSettled(leaving);
    abort.abort(reason);
    expect(await left).toEqual(Array(5).fill({ status: "rejected", reason }));
    await end(answer(1));
    expect(await first).toEqual(answer(1));
    await end(answer(2));
    expect(await last).toEqual(answer(2));
  });

  it("go on where a request throws, which is a bug of another part", async () => {
    const throttle = createThrottle({ requests_per_minute: null, tokens_per_minute: null, max_wait_ms: 1 }, clock);
    const call = { signal: new AbortController().signal, on_wait: () => {} };
    await throttle.run(0, call, async () => busy());
    await expect(throttle.run(0, call, () => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
    expect(await throttle.run(0, call, async () => answer())).toEqual(answer());
  });
});

describe("a Retry-After", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it("holds back every request of the account until it is over", async () => {
    const { begin, end, startedAt } = stage();
    await begin(2);
    await end(busy(3000));
    await begin(1);
    await end(answer());
    expect(startedAt).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2999);
    expect(startedAt).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(startedAt).toHaveLength(3);
  });

  it("longer than the longest wait holds back none: each call is to fail by itself", async () => {
    const { begin, end, inFlight } = stage({ max_wait_ms: 1000 });
    await begin(1);
    await end(busy(86_400_000));
    await begin(1);
    expect(inFlight()).toBe(1);
  });
});

describe("the limits of a minute", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it("hold for requests in every 60 s, wherever they begin", async () => {
    const { begin, end, startedAt, inFlight } = stage({ requests_per_minute: 3 });
    await begin(1);
    await vi.advanceTimersByTimeAsync(50_000);
    await begin(9);
    for (let minute = 0; minute < 5; minute++) {
      await end(...Array(inFlight()).fill(answer()));
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(startedAt.map((at) => Math.round((at - (startedAt[0] ?? 0)) / 1000))).toEqual([
      0, 50, 50, 60, 110, 110, 120, 170, 170, 180,
    ]);
  });

  it("hold for tokens as expected first and as counted later", async () => {
    const { begin, end, startedAt } = stage({ tokens_per_minute: 1000 });
    await begin(3, 400);
    expect(startedAt).toHaveLength(2);
    await end(answer(100));
    expect(startedAt).toHaveLength(3);
    await end(answer(900));
    await begin(1, 400);
    expect(startedAt).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(startedAt).toHaveLength(4);
  });

  it("let a request that is above them go when it is alone in its minute", async () => {
    const { begin, end, startedAt } = stage({ tokens_per_minute: 1000 });
    await begin(1, 10);
    await vi.advanceTimersByTimeAsync(1000);
    await begin(1, 5000);
    await end(answer(10));
    expect(startedAt).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(startedAt).toHaveLength(2);
  });
});

describe("a request that leaves the queue", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it("lets a smaller one behind it go at once", async () => {
    const { begin, inFlight } = stage({ tokens_per_minute: 1000 });
    await begin(1, 800);
    const abort = new AbortController();
    const leaving = Promise.allSettled(await begin(1, 900, abort.signal));
    await begin(1, 100);
    expect(inFlight()).toBe(1);
    abort.abort();
    await leaving;
    expect(inFlight()).toBe(2);
  });
});

describe("a model whose endpoint is busy", () => {
  it("answers every call in the end, each failed request told", async () => {
    let taken = 0;
    const server = await serve(async ({ index }) => {
      // Bears two at once, from the twentieth request on any number.
      taken++;
      const tooMany = taken > 2 && index < 20;
      await new Promise((resolve) => setTimeout(resolve, 5));
      taken--;
      return tooMany ? errorReply(429, "slow down", { "retry-after-ms": "5" }) : textReply("a");
    });
    const config = modelConfig({ base_url: server.base_url, retries: { max: 50, min_wait_ms: 1, max_wait_ms: 100 } });
    const model = createModel(config, ENV, clock);
    const all = await Promise.all(Array.from({ length: 40 }, () => respond(model, modelRequest())));
    expect(all.every(({ reply }) => reply.ok)).toBe(true);
    const retries = all.reduce((sum, { retries }) => sum + retries.length, 0);
    expect(server.requests).toHaveLength(40 + retries);
  });

  it("does not count the wait for a place as the request's time", async () => {
    let now = 0;
    const server = await serve(() => {
      now += 40;
      return textReply("a");
    });
    const ticking = { iso: clock.iso, milliseconds: () => now };
    const config = modelConfig({ base_url: server.base_url, requests_per_minute: 1 });
    const model = createModel(config, ENV, ticking);
    const first = await respond(model, modelRequest());
    const second = respond(model, modelRequest());
    await setImmediate();
    expect(server.requests).toHaveLength(1);
    // The minute is over when the throttle looks next, which a third call makes it do.
    now = 70_000;
    const abort = new AbortController();
    const third = respond(model, modelRequest(), abort.signal).catch(() => "aborted");
    await setImmediate();
    abort.abort();
    expect(await third).toBe("aborted");
    expect([first.reply.request_ms, (await second).reply.request_ms]).toEqual([40, 40]);
  });
});
