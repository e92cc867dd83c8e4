import { describe, expect, it, vi } from "vitest";
import { createWorkClock } from "../../src/run/work-clock.js";

/** A clock that a test moves, and timers that move with it. */
function controlled() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let now = 0;
  const work = createWorkClock({ iso: () => "", milliseconds: () => now });
  const pass = (milliseconds: number) => {
    now += milliseconds;
    vi.advanceTimersByTime(milliseconds);
  };
  return { work, pass };
}

describe("a trial's work clock", () => {
  it("stands still while its only call waits", () => {
    const { work, pass } = controlled();
    work.onCall(true);
    pass(10);
    work.onWait(true);
    pass(1000);
    work.onWait(false);
    pass(5);
    work.onCall(false);
    expect([work.worked(), work.waited()]).toEqual([15, 1000]);
  });

  it("goes on while one of two calls works", () => {
    const { work, pass } = controlled();
    work.onCall(true);
    work.onCall(true);
    work.onWait(true);
    pass(100);
    expect([work.worked(), work.waited()]).toEqual([100, 0]);
    work.onWait(true);
    pass(50);
    expect([work.worked(), work.waited()]).toEqual([100, 50]);
  });

  it("rings an alarm by worked time, however long the waiting was", () => {
    const { work, pass } = controlled();
    const expire = vi.fn();
    work.alarm(100, expire);
    work.onCall(true);
    pass(60);
    work.onWait(true);
    pass(100_000);
    expect(expire).not.toHaveBeenCalled();
    work.onWait(false);
    pass(39);
    expect(expire).not.toHaveBeenCalled();
    pass(1);
    expect(expire).toHaveBeenCalledTimes(1);
  });

  it("keeps silent once an alarm is called off", () => {
    const { work, pass } = controlled();
    const expire = vi.fn();
    work.alarm(10, expire)();
    pass(1000);
    expect(expire).not.toHaveBeenCalled();
  });
});
