import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IllegalTransition } from "../../src/core/errors.js";
import type { TrialEvent, TrialEventBody } from "../../src/core/event.js";
import { fold, NEW_TRIAL, reduce } from "../../src/core/reduce.js";
import { candidate, respond, resumed, started, toolReturned } from "../support/events.js";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const list = (...bodies: TrialEventBody[]): TrialEvent[] => bodies.map((body, seq) => ({ seq, at: at(seq), ...body }));

describe("reduce", () => {
  it("opens a trial with trial-started and nothing else", () => {
    expect(fold(list(started())).phase).toBe("open");
    expect(() => fold(list(respond({ content: "hello" })))).toThrow(IllegalTransition);
    expect(() => fold(list(started(), started()))).toThrow(IllegalTransition);
  });

  it("refuses an event out of sequence", () => {
    const [first] = list(started());
    if (first === undefined) throw new Error("no event");
    expect(() => reduce(NEW_TRIAL, { ...first, seq: 1 })).toThrow(/event 1 .* event 0 was due/);
  });

  it("puts tool results into the history in the order of the calls, whatever order they came in", () => {
    const turn = respond({ calls: ["a", "b", "c"] });
    const inOrder = fold(list(started(), turn, toolReturned("a"), toolReturned("b"), toolReturned("c")));
    fc.assert(
      fc.property(fc.shuffledSubarray(["a", "b", "c"], { minLength: 3 }), (order) => {
        const state = fold(list(started(), turn, ...order.map((id) => toolReturned(id))));
        expect(state.history).toEqual(inOrder.history);
        expect(state.turn).toEqual({ kind: "ask" });
      }),
    );
  });

  it("keeps the calls that have no result yet pending", () => {
    const state = fold(list(started(), respond({ calls: ["a", "b"] }), toolReturned("b")));
    expect(state.turn).toMatchObject({ kind: "calls", pending: [{ call: { id: "a" } }] });
  });

  it("refuses a result for a call that is not open, and a second result for the same call", () => {
    expect(() => fold(list(started(), respond({ calls: ["a"] }), toolReturned("x")))).toThrow(/call x/);
    expect(() => fold(list(started(), respond({ calls: ["a", "b"] }), toolReturned("a"), toolReturned("a")))).toThrow(
      IllegalTransition,
    );
  });

  it("keeps a turn with broken tool JSON out of the history and quotes it as a fault", () => {
    const state = fold(list(started(), respond({ calls: ["a"], args: '{"sql": "SELECT' })));
    expect(state.history).toEqual([]);
    expect(state.turn).toMatchObject({ kind: "fault", reason: "bad-arguments" });
    expect(state.turn.kind === "fault" && state.turn.detail).toContain('{"sql": "SELECT');
  });

  it("tells an empty reply, a reply without a call and a refusal apart", () => {
    const reason = (body: TrialEventBody) => {
      const { turn } = fold(list(started(), body));
      return turn.kind === "fault" ? turn.reason : turn.kind;
    };
    expect(reason(respond({ content: "  " }))).toBe("empty-reply");
    expect(reason(respond({ content: "The answer is 4." }))).toBe("no-tool-call");
    expect(reason(respond({ content: "no", finish: "content_filter" }))).toBe("refusal");
  });

  it("resets the repairs by tool progress, not by a failing tool", () => {
    const repaired = [
      started(),
      respond({ content: "hm" }),
      { type: "repair-requested", reason: "no-tool-call", message: "call a tool" } as const,
      respond({ calls: ["a"] }),
    ];
    expect(fold(list(...repaired, toolReturned("a", { ok: false }))).repairs).toBe(1);
    expect(fold(list(...repaired, toolReturned("a"))).repairs).toBe(0);
  });

  it("counts tokens, requests and tools, and takes unknown counts for unknown, not for zero", () => {
    const state = fold(
      list(
        started(),
        { type: "model-failed", purpose: "agent", request_digest: "d", failure: failure(), final: false, ms: 5 },
        respond({ calls: ["a"], input: 10 }),
        toolReturned("a"),
        respond({ calls: ["b"], input: null }),
        candidate("b"),
      ),
    );
    expect(state.totals.requests).toEqual({ "rate-limit": 1, ok: 2 });
    expect(Object.values(state.totals.usage)).toMatchObject([{ input_tokens: 10, cached_tokens: null }]);
    expect(state.totals.tools).toEqual({ execute_probe_query: 1, submit_tool_result: 1 });
    expect(state.totals.recomputed).toBe(true);
    expect(state.step).toBe(2);
  });

  it("does not count the time in which no process worked on the trial", () => {
    const events = list(started(), respond({ calls: ["a"] }), resumed(), toolReturned("a"));
    const late = events.map((event) => (event.seq >= 2 ? { ...event, at: at(event.seq + 3600) } : event));
    expect(fold(late).totals.wall_ms).toBe(2000);
  });

  it("takes up a suspended trial only with trial-resumed", () => {
    const suspended = [started(), { type: "trial-suspended", why: "cancelled" } as const];
    expect(fold(list(...suspended)).phase).toBe("suspended");
    expect(() => fold(list(...suspended, respond({ content: "x" })))).toThrow(IllegalTransition);
    expect(fold(list(...suspended, resumed())).phase).toBe("open");
  });

  it("lets nothing follow trial-finished", () => {
    const finished = [
      started(),
      {
        type: "trial-finished",
        outcome: { kind: "no-answer", reason: "empty" },
        prediction: null,
        signature: null,
      } as const,
    ];
    expect(fold(list(...finished)).phase).toBe("finished");
    for (const next of [resumed(), respond({ content: "x" }), toolReturned("a")]) {
      expect(() => fold(list(...finished, next))).toThrow(IllegalTransition);
    }
  });

  it("only ever lets the history grow at its end", () => {
    const bodies = [
      started(),
      respond({ content: "thinking" }),
      { type: "repair-requested", reason: "no-tool-call", message: "call a tool" } as const,
      respond({ calls: ["a", "b"] }),
      toolReturned("a"),
      toolReturned("b"),
      { type: "answer-forced", message: "submit now" } as const,
      respond({ calls: ["c"] }),
      candidate("c"),
    ];
    let before = NEW_TRIAL;
    for (const event of list(...bodies)) {
      const after = reduce(before, event);
      expect(after.history.slice(0, before.history.length)).toEqual(before.history);
      before = after;
    }
  });
});

const failure = () => ({ class: "rate-limit", message: "slow down", status: 429 }) as const;
