import { Decimal } from "decimal.js";
import { CHINESE_NUMERAL, chineseNumeral } from "./numerals.js";

/** Long enough for any number that a person writes; longer runs of digits are ids, and compared as text. */
const MAX_DIGITS = 60;
const Exact = Decimal.clone({ precision: 2 * MAX_DIGITS });

/** One thing that a number in a text can mean. */
export interface Reading {
  readonly value: Decimal;
  /** Half of the last place that is written: what is within it was rounded to this. 0 where nothing may have been rounded. */
  readonly tolerance: Decimal;
}

export interface NumberMention {
  /** As it stands there. */
  readonly text: string;
  /** A minus stands before it. A number without one may be the size of a negative one ("fell by 5"). */
  readonly negative: boolean;
  /** What it can mean: `12.5%` 12.5 and 0.125, `3万` 30000 and 3 (of a column in 万). */
  readonly readings: readonly Reading[];
  /** `1,234` may also be a list of 1 and 234; empty where there is no comma. */
  readonly parts: readonly string[];
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
export function readNumbers(text: string, numerals: "all" | "sure"): readonly NumberMention[] {
  const written = [...text.matchAll(NUMBER)].flatMap(({ 0: found, groups = {} }) => writtenNumber(found, groups));
  const spelled = [...text.replaceAll(NUMBER, " ").matchAll(NUMERAL)].flatMap(({ 0: found, groups = {} }) =>
    numerals === "all" || isSure(found) ? spelledNumber(found, groups) : [],
  );
  return [...written, ...spelled];
}

type Groups = Readonly<Record<string, string | undefined>>;

function writtenNumber(found: string, { sign, digits = "", exponent, scale, rate }: Groups): NumberMention[] {
  const plain = digits.replaceAll(",", "");
  if (plain.length > MAX_DIGITS) return [];
  return [
    {
      text: found.trim(),
      negative: sign === "-",
      readings: readingsOf(plain, Number(exponent ?? 0), SCALES[scale?.toLowerCase() ?? ""] ?? 0, shiftOf(rate)),
      parts: digits.includes(",") ? digits.split(",") : [],
    },
  ];
}

function spelledNumber(found: string, { numeral = "", rate }: Groups): NumberMention[] {
  const digits = chineseNumeral(numeral);
  if (digits === null) return [];
  const readings = readingsOf(digits, 0, 0, rate === undefined ? null : -2).map(({ value }) => ({
    value,
    tolerance: NOTHING,
  }));
  return [{ text: found, negative: false, readings, parts: [] }];
}

/** 三个, 一些 and 第一 count and point; 三十五, 百分之十 and 二〇二四 are quantities. */
const isSure = (found: string): boolean =>
  found.startsWith("百分之") ||
  (/[一二两三四五六七八九]/u.test(found) && /[百千亿]|十.|.[十万]/u.test(found)) ||
  /^[零〇一二三四五六七八九]{4}$/u.test(found);

const NOTHING = new Exact(0);

/** The decimal places by which a rate's word moves a number: per cent −2, per mille −3; null where there is none. */
const shiftOf = (rate: string | undefined): number | null => (rate === undefined ? null : rate === "‰" ? -3 : -2);

function readingsOf(plain: string, exponent: number, scale: number, rate: number | null): Reading[] {
  const written = new Exact(plain).abs();
  const places = plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0;
  const significant = plain.replace(".", "").replace(/^0+/, "").length;
  const half = significant > 1 || places > 0 ? new Exact(0.5).times(power(-places)) : NOTHING;
  const shifts = new Set([exponent, exponent + scale, ...(rate === null ? [] : [exponent + scale + rate])]);
  return [...shifts].map((shift) => ({ value: written.times(power(shift)), tolerance: half.times(power(shift)) }));
}

const power = (exponent: number): Decimal => new Exact(10).pow(exponent);
