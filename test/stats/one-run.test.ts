import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bootstrap } from "../../src/stats/bootstrap.js";
import { mean, percentile, standardError, tInterval, wilson } from "../../src/stats/intervals.js";
import { brackets, meanOverTasks, withinTaskVariance } from "../../src/stats/mean-over-tasks.js";
import { passAtK, passHatK } from "../../src/stats/pass-k.js";
import { mulberry32 } from "../../src/stats/random.js";
import { A, passes, taskMeans, UNBALANCED } from "./vectors.js";

const rates = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
const passCounts = fc
  .integer({ min: 0, max: 6 })
  .chain((valid) => fc.record({ valid: fc.constant(valid), passes: fc.integer({ min: 0, max: valid }) }));

/** Every number in a value, however deep. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(numbersIn) : [];
}

describe("the mean over tasks", () => {
  it("has the specification's mean, task-clustered standard error and t interval for vector A", () => {
    const estimate = meanOverTasks(taskMeans(A));
    expect(estimate.mean).toBeCloseTo(0.6, 12);
    expect(estimate.stderr).toBeCloseTo(0.1943650632, 10);
    expect(estimate.stderr_method).toBe("task-cluster");
    expect(estimate.ci95_method).toBe("t");
    expect(estimate.ci95).toEqual([expect.closeTo(0.0603560718, 10), 1]);
  });

  it("has the specification's interval before clipping", () => {
    const [low, high] = tInterval(0.6, standardError(taskMeans(A)) ?? Number.NaN, 4);
    expect(low).toBeCloseTo(0.0603560718, 9);
    expect(high).toBeCloseTo(1.1396439282, 9);
  });

  it("takes Wilson's interval over tasks where all tasks agree, so that 3 of 3 is not certainty", () => {
    expect(meanOverTasks([1, 1, 1])).toMatchObject({
      stderr: 0,
      ci95: [expect.closeTo(0.4385, 4), 1],
      ci95_method: "wilson",
    });
    expect(meanOverTasks([0, 0, 0]).ci95).toEqual([0, expect.closeTo(0.5615, 4)]);
    expect(meanOverTasks([2 / 3, 2 / 3]).ci95_method).toBe("wilson");
  });

  it("has no error and no interval for fewer than two tasks", () => {
    expect(meanOverTasks([0.5])).toMatchObject({ tasks: 1, mean: 0.5, stderr: null, ci95: null, ci95_method: null });
    expect(meanOverTasks([])).toMatchObject({ tasks: 0, mean: null, stderr: null, ci95: null });
  });

  it("weighs tasks alike however many repeats they have", () => {
    expect(meanOverTasks(taskMeans(UNBALANCED)).mean).toBeCloseTo(0.5, 12);
  });

  it("never says NaN, and its interval holds the mean and stays within 0 and 1", () => {
    fc.assert(
      fc.property(rates, (values) => {
        const estimate = meanOverTasks(values);
        expect(numbersIn(estimate).every(Number.isFinite)).toBe(true);
        const [low, high] = estimate.ci95 ?? [0, 1];
        const centre = estimate.mean ?? 0;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(centre + 1e-12);
        expect(high).toBeGreaterThanOrEqual(centre - 1e-12);
      }),
    );
  });

  it("does not depend on the order of tasks", () => {
    fc.assert(
      fc.property(rates, (values) => {
        const forwards = numbersIn(meanOverTasks(values));
        const backwards = numbersIn(meanOverTasks(values.toReversed()));
        expect(backwards).toEqual(forwards.map((number) => expect.closeTo(number, 9)));
      }),
    );
  });
});

describe("the variance among repeats", () => {
  it("is that of vector A, and null where no task was repeated", () => {
    expect(withinTaskVariance(A)).toBeCloseTo(0.1333333, 7);
    expect(withinTaskVariance([[1], [0], []])).toBeNull();
  });
});

describe("the two brackets", () => {
  it("reads an infrastructure error as nothing, and as a miss", () => {
    const tasks = UNBALANCED.map((task) => ({
      total: task.reduce((sum, pass) => sum + pass, 0),
      valid: task.length,
      planned: 3,
    }));
    expect(brackets(tasks)).toEqual({
      valid_only: expect.closeTo(0.5, 12),
      errors_as_misses: expect.closeTo(0.4444444, 7),
    });
  });

  it("is null where nothing is valid, but a task without a valid trial is a miss in the lower one", () => {
    expect(brackets([{ total: 0, valid: 0, planned: 3 }])).toEqual({ valid_only: null, errors_as_misses: 0 });
    expect(brackets([])).toEqual({ valid_only: null, errors_as_misses: null });
  });
});

describe("pass@k and pass^k", () => {
  it.each([
    [1, 0.6, 0.6],
    [2, 0.7333333, 0.4666667],
    [3, 0.8, 0.4],
  ])("for k = %i are those of vector A", (k, at, hat) => {
    expect(passAtK(passes(A), k).value).toBeCloseTo(at, 7);
    expect(passHatK(passes(A), k).value).toBeCloseTo(hat, 7);
  });

  it("have no value for a task with fewer than k valid repeats, and count it", () => {
    expect(passHatK(passes(UNBALANCED), 3)).toEqual({ value: 0.5, tasks: 2, too_few: 1 });
    expect(passHatK([{ passes: 1, valid: 1 }], 3)).toEqual({ value: null, tasks: 0, too_few: 1 });
    expect(passAtK([], 1)).toEqual({ value: null, tasks: 0, too_few: 0 });
  });

  it("refuse a k that is no whole number from 1", () => {
    expect(() => passAtK([], 0)).toThrow(RangeError);
    expect(() => passHatK([], 1.5)).toThrow(RangeError);
  });

  it("are the shares of all draws of k repeats in which one passes, and all pass", () => {
    fc.assert(
      fc.property(passCounts, fc.integer({ min: 1, max: 6 }), (task, k) => {
        const draws = subsets(task.valid, k);
        const share = (holds: (draw: number[]) => boolean) =>
          draws.length === 0 ? null : draws.filter(holds).length / draws.length;
        const isPass = (repeat: number) => repeat < task.passes;
        expect(passAtK([task], k).value).toEqual(near(share((draw) => draw.some(isPass))));
        expect(passHatK([task], k).value).toEqual(near(share((draw) => draw.every(isPass))));
      }),
    );
  });

  it("stay finite for many repeats", () => {
    expect(passHatK([{ passes: 5000, valid: 10_000 }], 2000).value).toBeGreaterThanOrEqual(0);
    expect(passAtK([{ passes: 1, valid: 10_000 }], 5000).value).toBeCloseTo(0.5, 9);
  });
});

function near(value: number | null): unknown {
  return value === null ? null : expect.closeTo(value, 9);
}

/** All ways to choose k of 0 … n − 1. */
function subsets(n: number, k: number): number[][] {
  return Array.from({ length: 2 ** n }, (_, mask) => [...Array(n).keys()].filter((item) => (mask >> item) & 1)).filter(
    (subset) => subset.length === k,
  );
}

describe("Wilson's interval", () => {
  it.each([
    [0, 3, 0, 0.5615],
    [3, 3, 0.4385, 1],
    [45, 50, 0.7864, 0.9565],
  ])("of %i in %i is [%f, %f]", (successes, units, low, high) => {
    expect(wilson(successes, units)).toEqual([expect.closeTo(low, 4), expect.closeTo(high, 4)]);
  });

  it("solves (share − p)² = z² p (1 − p) / n at both ends", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (n, share) => {
        for (const p of wilson(share * n, n) ?? []) {
          expect((share - p) ** 2).toBeCloseTo((1.959963984540054 ** 2 * p * (1 - p)) / n, 9);
        }
      }),
    );
  });

  it("is null of nothing", () => {
    expect(wilson(0, 0)).toBeNull();
  });
});

describe("the bootstrap", () => {
  it("draws from mulberry32, seed 42", () => {
    const random = mulberry32(42);
    expect([random(), random(), random()]).toEqual([0.6011037519201636, 0.44829055899754167, 0.8524657934904099]);
  });

  it("has the specification's error and interval for vector A", () => {
    expect(bootstrap(taskMeans(A))).toEqual({
      stderr: expect.closeTo(0.1730989, 7),
      ci95: [expect.closeTo(0.2666667, 7), expect.closeTo(0.9333333, 7)],
      resamples: 10_000,
      seed: 42,
    });
  });

  it("is the same again for the same seed, another for another, and null below two tasks", () => {
    const values = [0, 0.5, 1, 1 / 3];
    expect(bootstrap(values, { resamples: 200, seed: 7 })).toEqual(bootstrap(values, { resamples: 200, seed: 7 }));
    expect(bootstrap(values, { resamples: 200, seed: 8 })).not.toEqual(bootstrap(values, { resamples: 200, seed: 7 }));
    expect(bootstrap([1])).toBeNull();
  });

  it("stays within the values", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 }), (values) => {
        const { ci95 = [Number.NaN, Number.NaN] } = bootstrap(values, { resamples: 50 }) ?? {};
        expect(ci95[0]).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
        expect(ci95[1]).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
      }),
    );
  });
});

describe("small building blocks", () => {
  it("interpolates percentiles linearly, h = (n − 1) p", () => {
    expect(percentile([1, 2, 4, 8], 0.5)).toBe(3);
    expect(percentile([1, 2, 4, 8], 0.9)).toBeCloseTo(6.8, 12);
    expect(percentile([5], 0.3)).toBe(5);
    expect(percentile([], 0.5)).toBeNull();
  });

  it("has no mean of nothing", () => {
    expect(mean([])).toBeNull();
  });
});
