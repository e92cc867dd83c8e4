import { describe, expect, it } from "vitest";
import type { RunRecord, TrialEnd } from "../../../src/core/run-record.js";
import { COUNT_RED, cliStage, probe, submit, turnOf } from "../../support/cli-run.js";
import { errorReply, type ModelScript, textReply } from "../../support/model-server.js";

const GIVES_UP = "agent: {repair_limit: 0}";
const endsOf = (records: readonly RunRecord[]): TrialEnd[] =>
  records.filter((record) => record.record === "trial-end").sort((a, b) => a.k - b.k);

describe("row 3: an endpoint that says 429", () => {
  it("with Retry-After: 1 is not asked before, by no trial; retries count for the trial, and many are flagged", async () => {
    const refusedAt: number[] = [];
    const stage = await cliStage({
      script: (request) => {
        if (request.index >= 6) return textReply("no");
        refusedAt.push(request.at);
        return errorReply(429, "slow down", { "retry-after": "1" });
      },
      model: "retries: {max: 5, min_wait_ms: 1, max_wait_ms: 5000}",
      profile: `${GIVES_UP}\nrepeats: 3\nconcurrency: 3`,
    });
    const { code, stdout } = await stage.run();
    expect(code).toBe(0);
    const firstRefusal = refusedAt[0] ?? 0;
    const later = stage.server.requests.filter(({ at }) => at > firstRefusal + 900);
    // Those that were on their way when the first refusal came may be in between; after them nobody asks for a second.
    expect(stage.server.requests.length - later.length).toBeLessThanOrEqual(3);
    const requests = endsOf(await stage.records()).map((end) => end.requests);
    expect(requests.reduce((sum, counts) => sum + (counts["rate-limit"] ?? 0), 0)).toBe(6);
    expect(requests.every((counts) => counts.ok === 1)).toBe(true);
    expect(stdout).toContain("failed requests: rate-limit ×6");
    expect(stdout).toContain("MANY FAILED REQUESTS: 66.7 % of 9");
  });

  it("ends the trial at once with `retries.max: 0`", async () => {
    const stage = await cliStage({
      script: () => errorReply(429, "slow down", { "retry-after": "1" }),
      model: "retries: {max: 0}",
      profile: "repeats: 1",
    });
    expect((await stage.run()).code).toBe(3);
    expect(endsOf(await stage.records())).toMatchObject([
      { outcome: { kind: "infra-error", class: "rate-limit" }, requests: { "rate-limit": 1 } },
    ]);
  });

  it("gets fewer requests at once, and as many as before when it bears them again", async () => {
    let bears = 2;
    const script: ModelScript = async (request) => {
      if (request.index > 12) bears = 8;
      if (stage.server.inFlight.now > bears) return errorReply(429, "too many at once");
      return { ...textReply("no"), header_delay_ms: 30 };
    };
    const stage = await cliStage({
      script,
      model: "retries: {max: 20, min_wait_ms: 5, max_wait_ms: 20}",
      profile: `${GIVES_UP}\nrepeats: 40\nconcurrency: 8`,
    });
    expect((await stage.run("--quiet")).code).toBe(0);
    expect(stage.server.inFlight.most).toBeGreaterThan(4);
    expect(endsOf(await stage.records()).every(({ outcome }) => outcome.kind === "agent-error")).toBe(true);
  });
});

describe("row 4: what no retry can mend", () => {
  it.each([
    [400, "This model's maximum context length is 8192 tokens", { kind: "limit-reached", limit: "context-window" }, 0],
    [401, "Incorrect API key", { kind: "infra-error", class: "auth", message: "Incorrect API key" }, 3],
    [404, "no such model", { kind: "infra-error", class: "not-found", message: "no such model" }, 3],
  ])(
    "%i is asked once, and ends the trial as what it is, with the server's words",
    async (status, words, outcome, code) => {
      const stage = await cliStage({ script: () => errorReply(status, words), profile: "repeats: 1" });
      expect((await stage.run()).code).toBe(code);
      expect(stage.server.requests).toHaveLength(1);
      expect(endsOf(await stage.records())).toMatchObject([{ outcome }]);
      const failed = (await stage.events("task_1", 1)).find((event) => event.type === "model-failed");
      expect(failed).toMatchObject({ final: true, failure: { status, message: words } });
    },
  );
});

describe("row 13: a request that is tried again", () => {
  it("is one trial, one attempt, two requests, and the tokens that were paid", async () => {
    const stage = await cliStage({
      script: (request) => (request.index === 0 ? errorReply(500, "oops") : textReply("no")),
      profile: `${GIVES_UP}\nrepeats: 1`,
    });
    await stage.run();
    const [end, ...others] = endsOf(await stage.records());
    expect(others).toEqual([]);
    expect(end).toMatchObject({
      attempt: 1,
      steps: 1,
      requests: { server: 1, ok: 1 },
      usage: [{ calls: 1, input_tokens: 100, output_tokens: 20 }],
    });
  });
});

describe("row 14: two infrastructure errors of three", () => {
  it("are valid 1/3, no pass^3, both brackets, and never a bare 100 %; --retry-failed tries only them again", async () => {
    const repaired = { now: false };
    const stage = await cliStage({
      script: (request) => {
        if (request.index === 0) return submit();
        return repaired.now ? textReply("no") : errorReply(401, "key expired");
      },
      profile: `${GIVES_UP}\nrepeats: 3\nconcurrency: 1`,
    });
    const { code, stdout } = await stage.run();
    expect(code).toBe(3);
    expect(stdout).toContain("valid 1/3; 2× infra");
    expect(stdout).toContain("pass^3 –");
    expect(stdout).toContain("valid only 100.0 %, errors as misses 33.3 %");
    expect(stdout).toContain("infra 2/3");

    repaired.now = true;
    const before = stage.server.requests.length;
    const first = await stage.events("task_1", 2);
    const retried = await stage.on("resume", "--retry-failed");
    expect(retried.code).toBe(0);
    expect(stage.server.requests.length - before).toBe(2);
    expect(retried.stdout).toContain("infra 0/3");
    expect(endsOf(await stage.records()).map(({ k, attempt }) => [k, attempt])).toEqual([
      [1, 1],
      [2, 1],
      [2, 2],
      [3, 1],
      [3, 2],
    ]);
    expect(await stage.events("task_1", 2)).toEqual(first);
    expect((await stage.events("task_1", 2, 2)).at(-1)).toMatchObject({ outcome: { kind: "agent-error" } });
    expect((await stage.on("resume", "--retry-failed")).stdout).toBe(retried.stdout);
  });
});

describe("row 24: waiting", () => {
  it("for a place and between retries uses up nothing of a trial's seconds", async () => {
    const stage = await cliStage({
      script: (request) => (request.index === 0 ? errorReply(429, "wait", { "retry-after": "3" }) : textReply("no")),
      model: "retries: {max: 2, min_wait_ms: 1, max_wait_ms: 5000}",
      profile: `${GIVES_UP}\nrepeats: 2\nconcurrency: 2\nlimits: {seconds: 2}`,
    });
    expect((await stage.run()).code).toBe(0);
    const ends = endsOf(await stage.records());
    expect(ends.map(({ outcome }) => outcome.kind)).toEqual(["agent-error", "agent-error"]);
    for (const { wall_ms } of ends) expect(wall_ms).toBeLessThan(2000);
  });
});

describe("row 26: an endpoint that answers differently every time", () => {
  it("shows in the report as the share of equal answers", async () => {
    const stage = await cliStage({
      script: (request) => {
        if (turnOf(request) === 0) return probe();
        return submit(request.index === 1 ? COUNT_RED : "SELECT 3 AS n", "s");
      },
      profile: "repeats: 3\nconcurrency: 1",
    });
    const { stdout } = await stage.run();
    expect(stdout).toContain("same answer in 33.3 % of repeat pairs (1 task)");
    expect(stdout).toContain("flaky 1");
  });
});
