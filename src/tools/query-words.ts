/** Words that carry no meaning of their own in a search. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at by for from how in is it its many much of on or that the their this to was were what when where which who with 的 了 和 是 在 有 与 及 或 为".split(
    " ",
  ),
);

/**
 * The distinct words to search a text for, lower case: words of letters and digits; runs of Chinese characters as pairs of neighbours,
 * since nothing separates their words. Words without meaning of their own are left out unless there are no others.
 */
export function queryWords(query: string): string[] {
  const runs =
    query
      .normalize("NFKC")
      .toLowerCase()
      .match(/\p{Script=Han}+|[\p{L}\p{N}_]+/gu) ?? [];
  const words = [
    ...new Set(
      runs.flatMap((run) => (/\p{Script=Han}/u.test(run) ? pairs(run.replaceAll(/\P{Script=Han}/gu, "")) : [run])),
    ),
  ];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A test for a word in a lower-case text: Chinese anywhere, other words from their beginning (`sale` finds `sales`). */
export function wordTest(word: string): (text: string) => boolean {
  if (/\p{Script=Han}/u.test(word)) return (text) => text.includes(word);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "u");
  return (text) => text.includes(word) && pattern.test(text);
}
