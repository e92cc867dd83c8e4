import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bootstrap } from "../../src/stats/bootstrap.js";
import { mcnemar, pairedDelta } from "../../src/stats/paired.js";
import { signFlip } from "../../src/stats/sign-flip.js";
import { oneSidedTest, upperBound, verdictOf } from "../../src/stats/verdict.js";
import { A, B, differences } from "./vectors.js";

const changes = differences(A, B);
const wildChanges = (size: { minLength?: number; maxLength: number }) =>
  fc.array(fc.integer({ min: -3, max: 3 }), size).map((thirds) => thirds.map((third) => third / 3));

describe("the paired comparison of vectors A and B", () => {
  it("has the specification's Δ, standard error, t and p", () => {
    expect(pairedDelta(changes)).toMatchObject({
      tasks: 5,
      delta: expect.closeTo(0.0666667, 7),
      stderr: expect.closeTo(0.1247219, 7),
      t: expect.closeTo(0.5345225, 7),
      p: expect.closeTo(0.6213083, 7),
      min_visible_effect: expect.closeTo(2.8016 * 0.1247219, 6),
    });
  });

  it("has an exact sign-flip p of 1 over 32 patterns", () => {
    expect(signFlip(changes)).toEqual({ p: 1, flips: 32, exact: true, seed: null });
  });

  it("has the specification's bootstrap", () => {
    expect(bootstrap(changes)).toMatchObject({
      stderr: expect.closeTo(0.1107714, 7),
      ci95: [expect.closeTo(-0.1333333, 7), expect.closeTo(0.2666667, 7)],
    });
  });
});

describe("the paired comparison", () => {
  it("of a run with itself is 0 with no interval, in words no change", () => {
    const none = [0, 0, 0, 0];
    expect(pairedDelta(none)).toMatchObject({ delta: 0, t: null, p: null, ci95: null, min_visible_effect: null });
    expect(verdictOf(none)).toBe("no change");
  });

  it("is null where there is nothing to compare or no spread", () => {
    expect(pairedDelta([])).toMatchObject({ tasks: 0, delta: null, stderr: null, ci95: null });
    expect(pairedDelta([0.5])).toMatchObject({ delta: 0.5, stderr: null, ci95: null, p: null });
    expect(pairedDelta([0.5, 0.5])).toMatchObject({ delta: 0.5, stderr: 0, ci95: null, p: null });
    expect(signFlip([])).toBeNull();
    expect(verdictOf([])).toBeNull();
    expect(upperBound([0.5])).toBeNull();
  });

  it("turns round when base and head change places, and never says NaN", () => {
    fc.assert(
      fc.property(wildChanges({ maxLength: 12 }), (values) => {
        const there = pairedDelta(values);
        const back = pairedDelta(values.map((value) => -value));
        expect(back.delta).toEqual(there.delta === null ? null : expect.closeTo(-there.delta, 12));
        expect(back.p).toEqual(there.p === null ? null : expect.closeTo(there.p, 12));
        for (const number of [there.delta, there.stderr, there.t, there.p, ...(there.ci95 ?? [])]) {
          expect(number === null || Number.isFinite(number)).toBe(true);
        }
      }),
    );
  });
});

describe("McNemar's exact test", () => {
  it.each([
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [8, 2, 0.109375],
    [10, 4, 0.1795654],
    [0, 0, 1],
    [3, 3, 1],
  ])("of %i against %i discordant tasks has p = %f", (baseOnly, headOnly, p) => {
    expect(mcnemar(baseOnly, headOnly)).toBeCloseTo(p, 7);
    expect(mcnemar(headOnly, baseOnly)).toBeCloseTo(p, 7);
  });

  it("is the sign-flip test of differences of one", () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(5), (worse, better) => {
        fc.pre(worse + better > 0);
        const flips = signFlip([...Array(worse).fill(-1), ...Array(better).fill(1)]);
        expect(flips?.p).toBeCloseTo(mcnemar(worse, better), 12);
      }),
    );
  });
});

describe("the sign-flip test", () => {
  it("is the share of all sign patterns that are as extreme", () => {
    fc.assert(
      fc.property(wildChanges({ minLength: 1, maxLength: 8 }), (values) => {
        const thirds = values.map((value) => Math.round(value * 3));
        const seen = thirds.reduce((sum, third) => sum + third, 0);
        const sums = Array.from({ length: 2 ** thirds.length }, (_, mask) =>
          thirds.reduce((sum, third, bit) => sum + ((mask >> bit) & 1 ? third : -third), 0),
        );
        const share = (holds: (sum: number) => boolean) => sums.filter(holds).length / sums.length;
        expect(signFlip(values)?.p).toBe(share((sum) => Math.abs(sum) >= Math.abs(seen)));
        expect(signFlip(values, "less")?.p).toBe(share((sum) => sum <= seen));
        expect(signFlip(values, "greater")?.p).toBe(share((sum) => sum >= seen));
      }),
    );
  });

  it("is exact up to 16 tasks and draws 10,000 patterns with a seed beyond", () => {
    expect(signFlip(Array(16).fill(1))).toEqual({ p: 2 / 65_536, flips: 65_536, exact: true, seed: null });
    expect(signFlip(Array(17).fill(1))).toEqual({ p: 1 / 10_001, flips: 10_000, exact: false, seed: 42 });
    expect(signFlip([1, ...Array(16).fill(0)], "less")?.p).toBe(1);
  });

  it("draws nearly what is exact", () => {
    const sixteen = Array.from({ length: 16 }, (_, task) => ((task % 5) - 1.5) / 3);
    const exact = signFlip(sixteen, "greater")?.p ?? Number.NaN;
    const drawn = signFlip([...sixteen, 0], "greater")?.p ?? Number.NaN;
    expect(Math.abs(drawn - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 10_000));
  });
});

describe("the one-sided test", () => {
  const small = [-1, -1, -2 / 3, -1, -1 / 3, -1];
  const large = Array.from({ length: 40 }, (_, task) => ((task % 4) - 2) / 3);

  it("flips signs below 30 tasks, where most tasks did not change, and without spread; else uses t", () => {
    expect(oneSidedTest(small, "worse")).toEqual({ method: "sign-flip", p: 1 / 64, holds: true });
    expect(oneSidedTest(large, "worse").method).toBe("t");
    expect(oneSidedTest([...large, ...Array(40).fill(0)], "worse").method).toBe("sign-flip");
    expect(oneSidedTest(Array(40).fill(-1 / 3), "worse")).toMatchObject({ method: "sign-flip", holds: true });
  });

  it("with t holds exactly where the upper bound lies below the margin", () => {
    fc.assert(
      fc.property(
        wildChanges({ minLength: 30, maxLength: 60 }),
        fc.double({ min: 0, max: 0.3, noNaN: true }),
        (values, margin) => {
          const test = oneSidedTest(values, "worse", margin);
          fc.pre(test.method === "t");
          const bound = upperBound(values) ?? Number.NaN;
          fc.pre(Math.abs(bound + margin) > 1e-9);
          expect(test.holds).toBe(bound < -margin);
        },
      ),
    );
  });

  it("forgives a margin, and sees better as the mirror of worse", () => {
    expect(oneSidedTest(small, "worse", 0.9).holds).toBe(false);
    expect(
      oneSidedTest(
        small.map((change) => -change),
        "better",
      ),
    ).toEqual(oneSidedTest(small, "worse"));
  });

  it("never holds with so few tasks that nothing could be seen", () => {
    for (let tasks = 0; tasks <= 4; tasks++) expect(oneSidedTest(Array(tasks).fill(-1), "worse").holds).toBe(false);
    expect(oneSidedTest(Array(5).fill(-1), "worse").holds).toBe(true);
  });
});

describe("the words", () => {
  it.each([
    ["worse", [-1, -1, -1, -1, -1]],
    ["likely worse", [-1, -1, -1, 0]],
    ["within noise", [-1, 1, -1, 0]],
    ["likely better", [1, 1, 1, 0]],
    ["better", [1, 1, 1, 1, 1]],
    ["no change", [0, 0]],
    ["within noise", [-1]],
  ])("are %s for %j", (word, values) => {
    expect(verdictOf(values)).toBe(word);
  });
});
