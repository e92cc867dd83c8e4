import { PART_CHARACTERS, tokensOfPart, wholeCharacters } from "../core/tokens.js";

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
    const count = tokensOfPart(text.slice(start, end));
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
    if (tokensOfPart(part.slice(0, middle)) <= max) fits = middle;
    else tooLong = middle;
  }
  return part.slice(0, wholeCharacters(part, fits));
}
