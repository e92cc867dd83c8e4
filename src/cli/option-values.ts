import { UsageError } from "../core/errors.js";

/** A whole number of at least `least` from a flag's text. Throws UsageError. */
export function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${flag} ${text}: give a whole number of at least ${least}`);
  }
  return value;
}

/** A number from 0 to 1 from a flag's text. Throws UsageError. */
export function rate(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1)) {
    throw new UsageError(`${flag} ${text}: give a rate from 0 to 1, e.g. 0.6`);
  }
  return value;
}

/** One of a few words from a flag's text. Throws UsageError. */
export function oneOf<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new UsageError(`${flag} ${text}: give one of ${words.join(", ")}`);
  return found;
}

/** For commander: every value of a flag that may be repeated, in order. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** A comma list without its empty parts. */
export function commaList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
