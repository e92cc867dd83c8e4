import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dealt } from "../../src/core/shard.js";

describe("dealing a plan to shards", () => {
  it("goes round", () => {
    expect(dealt(["a", "b", "c", "d", "e"], { index: 1, count: 2 })).toEqual(["a", "c", "e"]);
    expect(dealt(["a", "b", "c", "d", "e"], { index: 2, count: 2 })).toEqual(["b", "d"]);
  });

  it("gives every item to exactly one shard, and none more than one item more than another", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.integer({ min: 1, max: 12 }), (size, count) => {
        const items = Array.from({ length: size }, (_, index) => index);
        const shards = Array.from({ length: count }, (_, index) => dealt(items, { index: index + 1, count }));
        expect(shards.flat().sort((a, b) => a - b)).toEqual(items);
        const sizes = shards.map((shard) => shard.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
