import { comparable } from "../../answer/claims/text.js";
import { type DateMention, readDates } from "./dates.js";
import { type NumberMention, type Reading, readNumbers } from "./numbers.js";
import { plainText } from "./plain-text.js";

/** What some texts hold, in the forms in which statements are compared with them. */
export interface Observed {
  hasNumber(mention: NumberMention): boolean;
  hasDate(mention: DateMention): boolean;
  /** Case, width and white space do not count. */
  hasText(text: string): boolean;
}

const WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Reads texts; JSON is read value by value, so that the commas of a list are none of its numbers. */
export function observe(texts: readonly string[]): Observed {
  const lines = texts.flatMap((text) => leaves(text));
  const plain = plainText(lines.join("\n"));
  const { dates, rest } = readDates(plain);
  const days = dates.flatMap(({ readings }) => readings);
  const values = [...readNumbers(rest, "all"), ...readNumbers(partsOf(days), "all"), ...spelledOut(rest)];
  const words = comparable(lines.join(" ")).toLowerCase();
  const hasNumber = (mention: NumberMention): boolean =>
    standsIn(plain, mention.text) ||
    values.some((value) => isSame(mention, value)) ||
    (mention.parts.length > 0 && mention.parts.every((part) => readNumbers(part, "sure").every(hasNumber)));
  return {
    hasNumber,
    hasDate: ({ text, readings }) =>
      standsIn(plain, text) || readings.some((reading) => days.some((day) => day.startsWith(reading))),
    hasText: (text) => words.includes(comparable(text).toLowerCase()),
  };
}

/** `2024-03-01` holds the numbers 2024, 3 and 1. */
const partsOf = (days: readonly string[]): string => days.join("\n").replaceAll(/[-:]/g, " ");

function spelledOut(text: string): NumberMention[] {
  const found = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const values = [...new Set(found.map((word) => WORDS.indexOf(word)))].filter((value) => value >= 0);
  return readNumbers(values.join(" "), "sure").slice();
}

function isSame(said: NumberMention, seen: NumberMention): boolean {
  if (said.negative && !seen.negative) return false;
  if (seen.parts.length > 0 && seen.parts.some((part) => readNumbers(part, "sure").some((one) => isSame(said, one)))) {
    return true;
  }
  return said.readings.some((meant) => seen.readings.some((value) => isWithin(meant, value)));
}

/** The value that was seen, rounded to the places that are said, is what is said. Doubles first: nearly all pairs are far apart. */
function isWithin(said: Reading, seen: Reading): boolean {
  const [a, b, half] = [said.value.toNumber(), seen.value.toNumber(), said.tolerance.toNumber()];
  if (Math.abs(a - b) > half + 1e-9 * Math.max(Math.abs(a), Math.abs(b))) return false;
  return said.value.minus(seen.value).abs().lessThanOrEqualTo(said.tolerance);
}

/** As it is written there, and not inside a longer number or word. */
function standsIn(text: string, said: string): boolean {
  for (let at = text.indexOf(said); at >= 0; at = text.indexOf(said, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + said.length, at + said.length + 2);
    if (!/[\p{Nd}A-Za-z]$|\p{Nd}[.,]$|-$/u.test(before) && !/^[\p{Nd}A-Za-z%]|^[.,]\p{Nd}/u.test(after)) return true;
  }
  return false;
}

function leaves(text: string): string[] {
  const value = jsonOf(text);
  return value === undefined ? [text] : leavesOf(value);
}

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => [key, ...leavesOf(inner)]);
  }
  return value === null ? [] : [String(value)];
}

/** Only lists and objects: a lone number or text needs no reading. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
