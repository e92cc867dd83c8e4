import { comparable, insideWord, literally, UNSPACED } from "./text.js";

const NUMERALS = "(?:[一二三四五六七八九十]+|[0-9]+)";

/** Endings of organisation names. What follows must not make another word of them: 一部分, 三区域, 组织, 直辖市. */
const SUFFIXES = [
  "咨询中心",
  "咨询部(?!分)",
  "事业部(?!分)",
  "战区(?!域)",
  "战队(?![员长友])",
  "军团(?!长)",
  "直辖(?!市|县)",
  `${NUMERALS}部(?!分|门|队|署|长|曲|手机|电话|电影|电脑|车|设备|作品|影片|小说)`,
  `${NUMERALS}区(?![域间别块])`,
  `(?:${NUMERALS}|(?<![分重改编]))组(?![织合成长员建件别内装图])`,
  "OB",
];

/** Numbered units are counted off by these words, not named: 售出12部. */
const COUNTED = /(?:了|(?<!公)共|共计|总计|合计|累计|售出|卖出|开出|新增|仅有|只有|超过|达到|约为|分为?)$/;
const NUMBERED = new RegExp(`^${NUMERALS}[部区组]$`);

/** A run of suffixes without a gap, e.g. 三部直辖: where its first one starts, and where it ends. */
export interface Ending {
  readonly start: number;
  readonly end: number;
}

/** Finds endings of names in a piece of comparable text; `more` are further suffixes, literally. */
export function suffixFinder(more: readonly string[]): (text: string) => readonly Ending[] {
  const literal = more
    .map(comparable)
    .filter((suffix) => suffix !== "")
    .map(literally);
  const patterns = [...SUFFIXES, ...literal].map((source) => new RegExp(source, "gu"));
  return (text) => chains(patterns.flatMap((pattern) => endingsIn(text, pattern)));
}

function endingsIn(text: string, pattern: RegExp): Ending[] {
  return [...text.matchAll(pattern)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
    .filter(({ start, end }) => !(/^\p{L}/u.test(text.slice(start, end)) && insideWord(text, start)))
    .filter(({ end }) => !insideWord(text, end))
    .filter(({ start, end }) => !NUMBERED.test(text.slice(start, end)) || !COUNTED.test(text.slice(0, start)));
}

/** Endings that touch or overlap are one: of 苏州三部直辖 the longest name is meant, not 苏州三部. In the order of the text. */
function chains(endings: readonly Ending[]): Ending[] {
  const joined: Ending[] = [];
  for (const ending of endings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || ending.start > last.end) joined.push(ending);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, ending.end) };
  }
  return joined;
}

/**
 * Text in which a name may stand: letters, digits, marks that join them, single spaces between words of spaced scripts, and
 * the dots of abbreviations.
 */
export const NAME_RUN = new RegExp(
  `[\\p{L}\\p{M}\\p{N}]+(?:(?:[-_&'’+#·]+|(?<![${UNSPACED}]) (?![${UNSPACED}])|(?<=\\p{L})\\. ?(?=\\p{L}))[\\p{L}\\p{M}\\p{N}]+)*`,
  "gu",
);
