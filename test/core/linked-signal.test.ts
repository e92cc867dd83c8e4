import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { linkedSignal } from "../../src/core/linked-signal.js";

describe("a linked signal", () => {
  it("is aborted by the first of its sources, with its reason, also by one that was aborted before", () => {
    const sources = [new AbortController(), new AbortController()];
    const linked = linkedSignal(sources.map(({ signal }) => signal));
    expect(linked.signal.aborted).toBe(false);
    sources[1]?.abort("second");
    sources[0]?.abort("first");
    expect(linked.signal.reason).toBe("second");
    expect(linkedSignal([AbortSignal.abort("before")]).signal.reason).toBe("before");
  });

  it("leaves nothing behind at its sources when it is released", () => {
    const source = new AbortController();
    const linked = linkedSignal([source.signal]);
    linked.release();
    expect(getEventListeners(source.signal, "abort")).toEqual([]);
    source.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});
