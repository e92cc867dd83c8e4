import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holm } from "../../src/stats/holm.js";

const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 });

describe("Holm's adjustment", () => {
  it("multiplies the smallest by how many there are, the next by one less, and never goes back", () => {
    const adjusted = holm([0.04, 0.01, 0.03, 0.005]);
    for (const [index, expected] of [0.06, 0.03, 0.06, 0.02].entries())
      expect(adjusted[index]).toBeCloseTo(expected, 12);
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });

  it("leaves a single one alone, keeps the order of the rest, and stays between p and 1", () => {
    fc.assert(
      fc.property(chances, (values) => {
        const adjusted = holm(values);
        if (values.length === 1) expect(adjusted).toEqual(values);
        for (const [index, p] of values.entries()) {
          const own = adjusted[index] ?? Number.NaN;
          expect(own).toBeGreaterThanOrEqual(p);
          expect(own).toBeLessThanOrEqual(1);
          for (const [other, q] of values.entries()) if (p <= q) expect(own).toBeLessThanOrEqual(adjusted[other] ?? -1);
        }
      }),
    );
  });
});
