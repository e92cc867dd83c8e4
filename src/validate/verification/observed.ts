import { comparable } from "../../answer/claims/text.js";
import { type DateMention, readDates } from "./dates.js";
import { type NumberMention, readNumbers } from "./numbers.js";
import { plainText } from "./plain-text.js";
import { seenNumbers } from "./seen-numbers.js";

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
  const lines = texts.flatMap(leaves);
  const plain = plainText(lines.join("\n"));
  const { dates, rest } = readDates(plain);
  const days = [...new Set(dates.flatMap(({ readings }) => readings))];
  const numbers = seenNumbers([rest, partsOf(days), spelledOut(rest)].flatMap((text) => readNumbers(text, "all")));
  let words: string | null = null;
  const hasNumber = (mention: NumberMention): boolean =>
    numbers.has(mention) ||
    (mention.parts.length > 0 && mention.parts.every(hasNumber)) ||
    standsIn(plain, mention.text);
  return {
    hasNumber,
    hasDate: ({ text, readings }) =>
      readings.some((reading) => days.some((day) => day.startsWith(reading))) || standsIn(plain, text),
    hasText: (text) => {
      words ??= comparable(lines.join(" ")).toLowerCase();
      return words.includes(comparable(text).toLowerCase());
    },
  };
}

/** `2024-03-01` holds the numbers 2024, 3 and 1. */
const partsOf = (days: readonly string[]): string => days.join("\n").replaceAll(/[-:]/g, " ");

/** The values of number words, as digits. */
function spelledOut(text: string): string {
  const found = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...new Set(found.map((word) => WORDS.indexOf(word)))].filter((value) => value >= 0).join(" ");
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
