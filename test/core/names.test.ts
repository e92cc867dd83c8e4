import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { naturalOrder } from "../../src/core/natural-order.js";
import { nearest } from "../../src/core/nearest.js";

describe("the natural order of names", () => {
  it("puts task_9 before task_10 and an equal number with fewer zeros first", () => {
    const names = ["task_10", "b", "task_9", "task_009", "a1b2", "a1b10", "task", "任务2", "任务10"];
    expect(names.toSorted(naturalOrder)).toEqual([
      "a1b2",
      "a1b10",
      "b",
      "task",
      "task_009",
      "task_9",
      "task_10",
      "任务2",
      "任务10",
    ]);
  });

  it("is a total order", () => {
    const name = fc
      .array(fc.constantFrom("a", "b", "0", "1", "12", "_", "é"), { maxLength: 5 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) + 0);
        expect(naturalOrder(a, b) === 0).toBe(a === b);
        if (naturalOrder(a, b) <= 0 && naturalOrder(b, c) <= 0) expect(naturalOrder(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe("the nearest name", () => {
  it.each([
    ["chekpoint_interval", ["checkpoint_interval", "retry_limit"], ["checkpoint_interval"]],
    ["Repeats", ["repeats"], ["repeats"]],
    ["raect", ["react", "exact"], ["react"]],
    ["banana", ["seconds", "tokens"], []],
    ["ab", ["xy"], ["xy"]],
    ["", ["x"], ["x"]],
  ])("of %s among %j is %j", (word, candidates, expected) => {
    expect(nearest(word, candidates)).toEqual(expected);
  });

  it("is every candidate in reach, nearest first, ties by name, each once", () => {
    expect(nearest("task_12", ["task_9", "task_10", "task_1", "task_11", "task_11"], 3)).toEqual([
      "task_1",
      "task_10",
      "task_11",
    ]);
  });
});
