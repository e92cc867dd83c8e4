import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairCoinCdf, incompleteBeta, tCdf, tQuantile } from "../../src/stats/distributions.js";

describe("Student's t", () => {
  it.each([
    [0.975, 1, 12.706204736],
    [0.975, 2, 4.30265273],
    [0.975, 4, 2.776445105],
    [0.95, 11, 1.795884819],
    [0.975, 49, 2.009575237],
    [0.95, 49, 1.676550893],
    [0.975, 1_000_000, 1.959966],
  ])("has its quantile %f with %i degrees of freedom at %f", (p, df, t) => {
    expect(tQuantile(p, df)).toBeCloseTo(t, 6);
    expect(tQuantile(1 - p, df)).toBeCloseTo(-t, 6);
  });

  it("has the closed forms of one and two degrees of freedom", () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (t) => {
        expect(tCdf(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 12);
        expect(tCdf(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 12);
      }),
    );
  });

  it("rises, is symmetric, and its quantile is its inverse", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        (p, df, t) => {
          expect(tCdf(tQuantile(p, df), df)).toBeCloseTo(p, 10);
          expect(tCdf(t, df) + tCdf(-t, df)).toBeCloseTo(1, 12);
          expect(tCdf(t + 0.1, df)).toBeGreaterThan(tCdf(t, df) - 1e-15);
        },
      ),
    );
  });

  it("refuses what has no quantile", () => {
    expect(() => tQuantile(1, 3)).toThrow(RangeError);
    expect(() => tQuantile(0.5, 0)).toThrow(RangeError);
    expect(tQuantile(0.5, 3)).toBe(0);
  });
});

describe("the incomplete beta function", () => {
  it("is the integral of its density", () => {
    for (const [x, a, b] of [
      [0.3, 2, 5],
      [0.7, 3.5, 1.5],
      [0.5, 10, 10],
      [0.05, 1, 20],
    ] as const) {
      expect(incompleteBeta(x, a, b)).toBeCloseTo(integral(x, a, b) / integral(1, a, b), 6);
    }
  });

  it("is 0 and 1 at its ends", () => {
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([0, 1]);
  });
});

/** ∫ u^(a−1) (1−u)^(b−1) du from 0 to x, by the midpoint rule. */
function integral(x: number, a: number, b: number): number {
  const steps = 200_000;
  let sum = 0;
  for (let step = 0; step < steps; step++) {
    const u = ((step + 0.5) / steps) * x;
    sum += u ** (a - 1) * (1 - u) ** (b - 1);
  }
  return (sum / steps) * x;
}

describe("fair coins", () => {
  it("are counted as Pascal's triangle counts them", () => {
    for (let trials = 1; trials <= 40; trials++) {
      let row = [1];
      for (let i = 0; i < trials; i++) row = [1, ...row.map((value, at) => value + (row[at + 1] ?? 0))];
      let sum = 0;
      for (const [successes, ways] of row.entries()) {
        sum += ways;
        expect(fairCoinCdf(successes, trials)).toBeCloseTo(sum / 2 ** trials, 12);
      }
    }
  });
});
