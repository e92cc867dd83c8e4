/**
 * Above so many integer digits a number is written as `<digits>e<exponent>` instead of in full, so that `1e999999999` costs
 * 12 characters and not a gigabyte. Which form is taken depends on the value alone, never on how it was typed.
 */
const MAX_INTEGER_DIGITS = 400;
/** Exponents with more digits than this (after leading zeros) are beyond exact arithmetic with JS integers. */
const MAX_EXPONENT_DIGITS = 15;

const DIGIT_ZERO = 48;

interface Decimal {
  readonly negative: boolean;
  /** Integer and fraction digits together, ASCII. */
  readonly digits: string;
  /** The value is 0.<digits> × 10^point. */
  readonly point: number;
}

/**
 * A number in its canonical form, rounded half up (away from zero) to two places and always written with two; null where the
 * text is no number. Exact decimal arithmetic on strings, linear in the text's length. A number of more than 400 integer
 * digits becomes `<digits>e<exponent>`; one whose exponent has more than 15 digits stays text, unless it is zero.
 */
export function canonicalNumber(text: string, thousands: boolean): string | null {
  const plain = plainNumber(text);
  if (plain !== null) return plain;
  if (!mayBeNumber(text)) return null;
  const decimal = parseDecimal(text, thousands) ?? parseOtherScript(text, thousands);
  return decimal === null ? null : formatRounded(decimal);
}

/** The canonical form of a number that nearly has it: ASCII digits without a leading zero and at most two places. Null for all others. */
function plainNumber(text: string): string | null {
  const integerEnd = digitsEnd(text, 0);
  const leadingZero = text.charCodeAt(0) === DIGIT_ZERO && integerEnd > 1;
  if (integerEnd === 0 || integerEnd > MAX_INTEGER_DIGITS || leadingZero) return null;
  if (integerEnd === text.length) return `${text}.00`;
  const places = text.length - integerEnd - 1;
  if (places > 2 || text[integerEnd] !== "." || digitsEnd(text, integerEnd + 1) !== text.length) return null;
  return text + "00".slice(places);
}

/** Whether a text starts like a number. Nearly all texts are told apart here, without a pattern. */
function mayBeNumber(text: string): boolean {
  let at = text[0] === "+" || text[0] === "-" ? 1 : 0;
  if (text[at] === ".") at++;
  const code = text.charCodeAt(at);
  return isDigit(code) || (code > 127 && /^[+-]?\.?\p{Nd}/u.test(text));
}

function parseOtherScript(text: string, thousands: boolean): Decimal | null {
  return /\P{ASCII}/u.test(text) ? parseDecimal(asciiDigits(text), thousands) : null;
}

/** Decimal digits of any script as ASCII; all else stays. Unicode encodes digits in runs of ten, 0 first. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let first = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
    return String((code - first) % 10);
  });
}

/** Reads `[sign] digits [. digits] [e [sign] digits]`; at least one digit in front of the exponent. */
function parseDecimal(text: string, thousands: boolean): Decimal | null {
  const start = text[0] === "+" || text[0] === "-" ? 1 : 0;
  const integerEnd = thousands ? groupsEnd(text, start) : digitsEnd(text, start);
  const grouped = text.slice(start, integerEnd);
  const integer = thousands ? grouped.replaceAll(",", "") : grouped;
  const fractionEnd = text[integerEnd] === "." ? digitsEnd(text, integerEnd + 1) : integerEnd;
  const digits = integer + text.slice(integerEnd + 1, fractionEnd);
  if (digits === "") return null;
  const exponent = parseExponent(text.slice(fractionEnd));
  if (exponent === null) return null;
  const leadingZeros = zerosEnd(digits);
  const significant = digits.slice(leadingZeros);
  if (significant === "") return { negative: false, digits: "", point: 0 };
  if (exponent === Number.POSITIVE_INFINITY) return null;
  return { negative: text[0] === "-", digits: significant, point: integer.length - leadingZeros + exponent };
}

/** The value of an exponent part, 0 for none, ±Infinity where it has too many digits, null where it is malformed. */
function parseExponent(text: string): number | null {
  if (text === "") return 0;
  const match = /^[eE]([+-]?)(?=[0-9])0*/.exec(text);
  if (match === null || digitsEnd(text, match[0].length) !== text.length) return null;
  const digits = text.slice(match[0].length);
  const value = digits.length > MAX_EXPONENT_DIGITS ? Number.POSITIVE_INFINITY : Number(digits);
  return match[1] === "-" ? -value : value;
}

function formatRounded({ negative, digits, point }: Decimal): string {
  const kept = Math.max(point + 2, 0);
  const down = digits.slice(0, kept);
  const roundsUp = point + 2 >= 0 && (digits[kept] ?? "0") >= "5";
  const rounded = roundsUp ? increment(down) : down;
  if (zerosEnd(rounded) === rounded.length) return "0.00";
  const sign = negative ? "-" : "";
  const integerDigits = point + (rounded.length - down.length);
  if (integerDigits > MAX_INTEGER_DIGITS) {
    const significant = rounded.slice(0, trailingZerosStart(rounded));
    return `${sign}${significant}e${integerDigits - significant.length}`;
  }
  const hundredths = rounded.padEnd(integerDigits + 2, "0").padStart(3, "0");
  return `${sign}${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`;
}

/** Adds one to a string of digits. */
function increment(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "9") end--;
  const zeros = "0".repeat(digits.length - end);
  return end === 0 ? `1${zeros}` : `${digits.slice(0, end - 1)}${Number(digits[end - 1]) + 1}${zeros}`;
}

// Scanned by hand: a regular expression over a cell of many megabytes overflows the engine's backtracking stack.

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** End of `1,234,567`; of plain digits where the text is not grouped in threes. */
function groupsEnd(text: string, from: number): number {
  let at = digitsEnd(text, from);
  if (at === from || at - from > 3) return at;
  while (text[at] === "," && digitsEnd(text, at + 1) === at + 4) at += 4;
  return at;
}

function zerosEnd(digits: string): number {
  let at = 0;
  while (digits[at] === "0") at++;
  return at;
}

function trailingZerosStart(digits: string): number {
  let at = digits.length;
  while (digits[at - 1] === "0") at--;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
