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
  const { encode, decode } = tokenizer();
  let left = max;
  let start = 0;
  while (start < text.length) {
    const end = wholeCharacters(text, start + PART_CHARACTERS);
    const tokens = encode(text.slice(start, end), PLAIN_TEXT);
    if (tokens.length > left) return text.slice(0, start) + withoutHalf(decode(tokens.slice(0, left)));
    left -= tokens.length;
    start = end;
  }
  return text;
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

/** A cut between the tokens of one character leaves a replacement character at the end. */
function withoutHalf(text: string): string {
  return text.replace(/\uFFFD+$/, "");
}
