import { anyOf } from "./text.js";

/** A zero-use word speaks of an entity if any of it is within so many characters before or after. */
const WINDOW = 15;

const TERMS = [
  ..."没用 没有用 没有使用 未使用 未用 未启用 未收 没收 没有收 未开 没开 没有开 从未 零定金 零使用 零收 零开 零单 零笔 0笔 0单 0次 0条".split(
    " ",
  ),
  ..."never|unused|not use|not used|not using|didn't use|doesn't use|don't use|hasn't used|haven't used|not yet".split(
    "|",
  ),
  ..."no use|no usage|no orders|no deposits|no records|no entries|no sales|zero use|zero usage|zero orders|zero deposits".split(
    "|",
  ),
  ..."zero records|zero entries|zero sales|0 orders|0 deposits|0 records|0 entries|0 sales|0 uses|0 times".split("|"),
];

/**
 * Whether a word that says "has no entries" stands near a span: then its absence from the domain is a fact of the business
 * and no mistake. `more` are further words.
 */
export function zeroUseFinder(more: readonly string[]): (claim: string, start: number, end: number) => boolean {
  const terms = anyOf([...TERMS, ...more]);
  return (claim, start, end) => {
    const from = Math.max(0, start - WINDOW);
    return [...claim.matchAll(terms)].some(
      (match) => match.index + match[0].length > from && match.index < end + WINDOW,
    );
  };
}
