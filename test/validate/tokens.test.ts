import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToTokens } from "../../src/validate/tokens.js";

const { encode } = createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base");
const count = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

describe("cutting a text to tokens", () => {
  it("leaves a text that fits as it is, also one with more bytes than tokens", () => {
    expect(cutToTokens("a short text", 100)).toBe("a short text");
    const words = "quick brown foxes ".repeat(20);
    expect(cutToTokens(words, count(words) + 1)).toBe(words);
  });

  it("keeps the longest beginning that has so many tokens", () => {
    const text = "The rate is stored as a fraction, not as a percentage. ".repeat(10);
    const shown = cutToTokens(text, 25);
    expect(text.startsWith(shown)).toBe(true);
    expect(count(shown)).toBe(25);
  });

  it("takes marks of a model's own for text like any other", () => {
    expect(cutToTokens("<|endoftext|> and more <|endoftext|>".repeat(4), 5)).toContain("<|");
  });

  it("cuts between characters, whatever their script", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, max) => {
          const shown = cutToTokens(text, max);
          expect(text.startsWith(shown)).toBe(true);
          expect(count(shown)).toBeLessThanOrEqual(max);
          expect(shown).not.toMatch(/[\uD800-\uDBFF]$/);
        },
      ),
    );
  });

  it("gets through a long run without spaces, on which a tokenizer alone would take minutes", () => {
    const run = "a".repeat(400_000);
    const shown = cutToTokens(run, 10_000);
    expect(shown.length).toBeGreaterThan(10_000);
    expect(run.startsWith(shown)).toBe(true);
  });
});
