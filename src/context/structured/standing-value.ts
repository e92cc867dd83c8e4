import { cellText } from "./cell-text.js";
import { isUnit, quantityOf } from "./units.js";

/**
 * A value as it really stands in a text, or null where it does not: the same characters, white space and Markdown's marks aside, and not
 * a part of a longer number or word: no `12` in `2012`, `12.5`, `-12` or `A12`. A number takes the unit with it that follows it there,
 * or the currency before it, so that `5` for `5 million` or `5 kg` cannot lose it.
 */
export function standingValue(value: string, text: string): string | null {
  const [wanted, all] = [plain(value), plain(text)];
  if (wanted === "") return null;
  for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + 1)) {
    const [before, after] = [all.slice(0, at), all.slice(at + wanted.length)];
    if (!isPartOfMore(before, wanted, after)) {
      const whole = isBareNumber(wanted) ? withUnit(before, wanted, after) : wanted;
      if (whole !== null) return whole;
    }
  }
  return null;
}

/** Lines as one text: what stands on neighbouring lines goes on, in Chinese without a space between. */
export function joinedLines(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    const isChinese = HAN.test(text.slice(-1)) && HAN.test(line.slice(0, 1));
    return text === "" || isChinese ? text + line : `${text} ${line}`;
  }, "");
}

const HAN = /[\p{Script=Han}，。；：、]/u;

function plain(text: string): string {
  return cellText(text.normalize("NFC")) ?? "";
}

function isBareNumber(text: string): boolean {
  const quantity = quantityOf(text);
  return quantity !== null && quantity.unit === null;
}

function isPartOfMore(before: string, value: string, after: string): boolean {
  const [first, last] = [value.charAt(0), value.slice(-1)];
  if (isLetter(first) && isLetter(before.slice(-1))) return true;
  if (isLetter(last) && isLetter(after.charAt(0))) return true;
  if (/\d/.test(first) && (/[\p{L}\d]$/u.test(lastLetters(before)) || /\d[.,]$/.test(before) || isSigned(before)))
    return true;
  return /\d/.test(last) && /^[.,]?\d/.test(after);
}

/** A letter of a script that parts its words. */
function isLetter(character: string): boolean {
  return /\p{L}/u.test(character) && !isHan(character);
}

const isHan = (character: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character);

/** The end of a text where that is a letter or digit of a word; Chinese characters are words of their own. */
function lastLetters(text: string): string {
  const last = text.slice(-1);
  return isHan(last) ? "" : last;
}

/** A minus sign that the value would lose; a dash between two numbers or words is none. */
function isSigned(before: string): boolean {
  return /(?:^|[\s(（:：,，=])[-−–]$/u.test(before);
}

/** Read as units only where they are a part of the value: after a bare number they are mostly something else (`in 1887 in Paris`, `the 1990s`). */
const WORDS_AS_WELL: readonly string[] = ["in", "s"];
const WORDS = new Intl.Segmenter("zh", { granularity: "word" });
/** Characters in which a unit must end. */
const UNIT_CHARACTERS = 24;

/** Null where letters are joined to the number that are no unit we know (`12th`). */
function withUnit(before: string, number: string, after: string): string | null {
  const currency = /[¥￥$€£]\s?$/u.exec(before)?.[0];
  if (currency !== undefined) return `${currency.trim()}${number}`;
  const compound = /^\s?[\p{L}°µ²³]+\/[\p{L}²³]+/u.exec(after)?.[0];
  if (compound !== undefined && isUnit(compound.trim().split("/")[0] ?? "")) return number + compound;
  let longest = "";
  let read = "";
  for (const { segment } of WORDS.segment(after.slice(0, UNIT_CHARACTERS))) {
    read += segment;
    const unit = read.trim();
    if (isUnit(unit) && !WORDS_AS_WELL.includes(unit)) longest = read.trimEnd();
  }
  if (longest === "" && isLetter(after.charAt(0))) return null;
  return number + longest;
}
