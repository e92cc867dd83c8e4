import { createRequire } from "node:module";
import type * as O200k from "gpt-tokenizer/encoding/o200k_base";

/** Texts are encoded in parts of so many characters: a tokenizer takes quadratic time over a long run without spaces. */
export const PART_CHARACTERS = 1000;

/** Tokens of a text (o200k_base), counted in parts of 1,000 characters, which adds at most one token a part. */
export function countTokens(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length; ) {
    const end = wholeCharacters(text, start + PART_CHARACTERS);
    count += tokensOfPart(text.slice(start, end));
    start = end;
  }
  return count;
}

/** Tokens of a text that is no longer than a part. */
export function tokensOfPart(text: string): number {
  return tokenizer().encode(text, PLAIN_TEXT).length;
}

/** `end`, or one less where that would part the two halves of a character. */
export function wholeCharacters(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** `<|endoftext|>` in data is text like any other. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

const require = createRequire(import.meta.url);

/** Its tables are loaded with the first text that is counted. */
function tokenizer(): typeof O200k {
  return require("gpt-tokenizer/encoding/o200k_base");
}
