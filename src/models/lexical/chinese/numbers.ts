const DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const SCALES: Readonly<Record<string, number>> = { 万: 1e4, 亿: 1e8 };

/** A number in a regular expression: digits or Chinese numerals, with 万 or 亿. */
export const NUMBER = String.raw`(?:\d[\d,]*(?:\.\d+)?\s*[万亿千百]?|[零〇一二两三四五六七八九十百千万亿]+)`;

/** `8000`, `1.5万`, `三十五` → their value; null for anything else. */
export function chineseNumber(text: string): number | null {
  const plain = /^(\d[\d,]*(?:\.\d+)?)\s*([万亿千百])?$/.exec(text.trim());
  if (plain?.[1] !== undefined) {
    const scale = plain[2] === undefined ? 1 : (SCALES[plain[2]] ?? UNITS[plain[2]] ?? 1);
    return Number(plain[1].replaceAll(",", "")) * scale;
  }
  return numeral(text.trim());
}

function numeral(text: string): number | null {
  let total = 0;
  let section = 0;
  let digit: number | null = null;
  for (const sign of text) {
    const [value, unit, scale] = [DIGITS[sign], UNITS[sign], SCALES[sign]];
    if (value !== undefined) digit = value;
    else if (unit !== undefined) {
      section += (digit ?? 1) * unit;
      digit = null;
    } else if (scale !== undefined) {
      total = (total + section + (digit ?? 0)) * scale;
      section = 0;
      digit = null;
    } else return null;
  }
  return text === "" ? null : total + section + (digit ?? 0);
}
