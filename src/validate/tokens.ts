import { createRequire } from "node:module";
import type * as O200k from "gpt-tokenizer/encoding/o200k_base";

/** Texts are encoded in parts of so many characters: a tokenizer takes quadratic time over a long run without spaces. */
const PART_CHARACTERS = 1000;

/**
 * The longest beginning of a text that has at most `max` tokens (o200k_base, counted in parts of 1,000 characters, which adds at
 * most one token a part); the text itself where it fits. Whole characters only. Pure, and the tokenizer's tables are loaded
 * only for a text that could be too long: a token is at least one byte.
 */
export function cutToTokens(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  let left = max;
  let start = 0;
  while (start < text.length) {
    const end = wholeCharacters(text, start + PART_CHARACTERS);
    const count = countTokens(text.slice(start, end));
    if (count > left) return text.slice(0, start) + beginning(text.slice(start, end), left);
    left -= count;
    start = end;
  }
  return text;
}

/** The longest beginning of a part, by halving. */
function beginning(part: string, max: number): string {
  let [fits, tooLong] = [0, part.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countTokens(part.slice(0, middle)) <= max) fits = middle;
    else tooLong = middle;
  }
  return part.slice(0, wholeCharacters(part, fits));
}

function countTokens(text: string): number {
  return tokenizer().encode(text, PLAIN_TEXT).length;
}

/** `<|endoftext|>` in data is text like any other. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

const require = createRequire(import.meta.url);

function tokenizer(): typeof O200k {
  return require("gpt-tokenizer/encoding/o200k_base");
}

/** `end`, or one less where that would part the two halves of a character. */
function wholeCharacters(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
