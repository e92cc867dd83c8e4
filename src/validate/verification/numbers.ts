import { CHINESE_NUMERAL, chineseNumeral } from "./numerals.js";

/** Long enough for any number that a person writes; longer runs of digits are ids, and compared as text. */
const MAX_DIGITS = 60;

/** One thing that a number in a text can mean: `digits` × 10^`exponent`. */
export interface Reading {
  /** Unsigned, with or without a point. */
  readonly digits: string;
  readonly exponent: number;
  /** Digits after the point: what is within half of the last one was rounded to this. Null where nothing may have been rounded. */
  readonly places: number | null;
}

export interface NumberMention {
  /** As it stands there. */
  readonly text: string;
  /** A minus stands before it. A number without one may be the size of a negative one ("fell by 5"). */
  readonly negative: boolean;
  /** What it can mean: `12.5%` 12.5 and 0.125, `3万` 30000 and 3 (of a column in 万). */
  readonly readings: readonly Reading[];
  /** `1,234` may also be a list of 1 and 234; empty where there is no comma. */
  readonly parts: readonly NumberMention[];
}

const SCALES: Readonly<Record<string, number>> = {
  十: 1,
  百: 2,
  千: 3,
  万: 4,
  十万: 5,
  百万: 6,
  千万: 7,
  亿: 8,
  万亿: 12,
  thousand: 3,
  k: 3,
  million: 6,
  mn: 6,
  m: 6,
  billion: 9,
  bn: 9,
  b: 9,
  trillion: 12,
};

const NUMBER = new RegExp(
  [
    String.raw`(?<![A-Za-z0-9_]|[A-Za-z0-9]\.)(?<sign>(?<![\p{L}\p{N})\]%])[+-])?`,
    String.raw`(?<digits>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE](?<exponent>[+-]?\d{1,2})(?![\p{L}\d]))?`,
    String.raw`(?:\s?(?<scale>万亿|[十百千]?万|[十百千亿]|(?:thousand|million|billion|trillion|bn|mn|[kmb])(?![\p{L}\d])))?`,
    String.raw`(?:\s?(?<rate>%|‰|percent(?:age points?)?(?!\p{L})|个?百分点))?`,
  ].join(""),
  "giu",
);
const NUMERAL = new RegExp(`(?<rate>百分之)?(?<numeral>${CHINESE_NUMERAL})`, "gu");

/** The numbers in a plain text, Chinese numerals too: all of them, or only those that are surely meant as quantities. */
export function readNumbers(text: string, which: "all" | "sure"): readonly NumberMention[] {
  const isQuantity = (found: string, at: number, from: string) =>
    which === "all" || !(isOrdinal(from, at, found) || (NUMERAL_ONLY.test(found) && !isSure(found)));
  const written = [...text.matchAll(NUMBER)].flatMap(({ 0: found, index, groups = {} }) =>
    isQuantity(found, index, text) ? writtenNumber(found, groups) : [],
  );
  const rest = text.replaceAll(NUMBER, (found) => " ".repeat(found.length));
  const spelled = [...rest.matchAll(NUMERAL)].flatMap(({ 0: found, index, groups = {} }) =>
    isQuantity(found, index, rest) ? spelledNumber(found, groups) : [],
  );
  return [...written, ...spelled];
}

/** `1st`, `第3`: a place in an order, which a paraphrase may give to what it speaks of. */
const isOrdinal = (text: string, at: number, found: string): boolean =>
  /第\s?$/u.test(text.slice(Math.max(0, at - 2), at)) ||
  /^(?:st|nd|rd|th)\b/i.test(text.slice(at + found.length, at + found.length + 3));

const NUMERAL_ONLY = /^[^0-9]+$/;

/** 三个, 一些 and 一点 count and point; 三十五, 百分之十 and 二〇二四 are quantities. */
const isSure = (found: string): boolean =>
  found.startsWith("百分之") ||
  (/[一二两三四五六七八九]/u.test(found) && /[百千亿]|十.|.[十万]/u.test(found)) ||
  /^[零〇一二三四五六七八九]{4}$/u.test(found);

type Groups = Readonly<Record<string, string | undefined>>;

function writtenNumber(found: string, { sign, digits = "", exponent, scale, rate }: Groups): NumberMention[] {
  const plain = digits.replaceAll(",", "");
  const negative = sign === "-";
  if (plain.length > MAX_DIGITS) return [{ text: found.trim(), negative, readings: [], parts: [] }];
  const shift = SCALES[scale?.toLowerCase() ?? ""] ?? 0;
  const parts = digits.includes(",") ? digits.split(",").flatMap((part) => writtenNumber(part, { digits: part })) : [];
  const readings = readingsOf(plain, Number(exponent ?? 0), shift, shiftOf(rate));
  return [{ text: found.trim(), negative, readings, parts }];
}

function spelledNumber(found: string, { numeral = "", rate }: Groups): NumberMention[] {
  const digits = chineseNumeral(numeral);
  if (digits === null || digits.length > MAX_DIGITS) return [];
  const readings = readingsOf(digits, 0, 0, rate === undefined ? null : -2);
  return [{ text: found, negative: false, readings: readings.map((one) => ({ ...one, places: null })), parts: [] }];
}

/** The decimal places by which a rate's word moves a number: per cent −2, per mille −3; null where there is none. */
const shiftOf = (rate: string | undefined): number | null => (rate === undefined ? null : rate === "‰" ? -3 : -2);

/** One single digit is not taken for a rounded value: 5 is not 4.7. */
function readingsOf(digits: string, exponent: number, scale: number, rate: number | null): Reading[] {
  const decimals = digits.includes(".") ? digits.length - digits.indexOf(".") - 1 : 0;
  const significant = digits.replace(".", "").replace(/^0+/, "").length;
  const places = significant > 1 || decimals > 0 ? decimals : null;
  const shifts = new Set([exponent, exponent + scale, ...(rate === null ? [] : [exponent + scale + rate])]);
  return [...shifts].map((shift) => ({ digits, exponent: shift, places }));
}
