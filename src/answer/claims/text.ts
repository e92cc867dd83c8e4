/** Characters of scripts that put no spaces between words, as part of a character class. */
export const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}々〇ー";

/** A letter or digit of a script that puts spaces between words, as a part of a regular expression. */
export const SPACED_WORD = `(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}]`;

const SPACE_AT_SCRIPT_CHANGE = new RegExp(
  `(?<=[${UNSPACED}]) (?=${SPACED_WORD})|(?<=(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}]) (?=[${UNSPACED}])`,
  "gu",
);
/** ① is a mark of a list and no part of a name, but NFKC makes it the digit 1. */
const CIRCLED_NUMBERS = /[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]/g;

/**
 * Text in the form in which names are compared: NFKC, trimmed, one space for any white space, and none where Chinese or
 * Japanese meets Latin or digits (`苏州 2 部` and `苏州2部` are one name).
 */
export function comparable(text: string): string {
  return text
    .replaceAll(CIRCLED_NUMBERS, " ")
    .normalize("NFKC")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(SPACE_AT_SCRIPT_CHANGE, "");
}

/** Length in characters as a person counts them, not in UTF-16 units. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether the character before `index` and the one at it belong to one word of a spaced script (so: no boundary). */
export function insideWord(text: string, index: number): boolean {
  return WORD_BEFORE.test(text.slice(Math.max(0, index - 2), index)) && WORD_AT.test(text.slice(index, index + 2));
}

/** Whether `index` stands between two digits. */
export function insideNumber(text: string, index: number): boolean {
  return /\p{Nd}$/u.test(text.slice(Math.max(0, index - 2), index)) && /^\p{Nd}/u.test(text.slice(index, index + 2));
}

const WORD_BEFORE = new RegExp(`${SPACED_WORD}$`, "u");
const WORD_AT = new RegExp(`^${SPACED_WORD}`, "u");

/** A regular expression that matches `text` literally. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * A regular expression for any of `terms`, longest first, case ignored. A term that begins or ends with Latin letters or digits
 * matches whole words only, so that `0 笔` is not found in `10 笔` nor `rest` in `Everest`. Matches nothing without terms.
 */
export function anyOf(terms: readonly string[]): RegExp {
  const sources = terms
    .map(comparable)
    .filter((term) => term !== "")
    .sort((a, b) => b.length - a.length)
    .map((term) => {
      const front = /^\p{Nd}/u.test(term) ? "(?<![\\p{Nd}.,])" : WORD_AT.test(term) ? `(?<!${SPACED_WORD})` : "";
      const back = WORD_BEFORE.test(term) ? `(?!${SPACED_WORD})` : "";
      return `${front}${literally(term)}${back}`;
    });
  return sources.length === 0 ? /(?!)/gu : new RegExp(sources.join("|"), "giu");
}
