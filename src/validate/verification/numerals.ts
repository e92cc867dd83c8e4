const DIGITS = "零一二三四五六七八九";
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const SCALES: Readonly<Record<string, number>> = { 万: 1e4, 亿: 1e8 };

/** A run of Chinese numerals, `点` with decimals included. */
export const CHINESE_NUMERAL = "[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?";

/**
 * The value of Chinese numerals, as decimal text: `三十五` → 35, `二〇二四` → 2024, `三点五` → 3.5. Null where they are no number, or only
 * an approximate one (三四十, 两三).
 */
export function chineseNumeral(text: string): string | null {
  const [whole = "", fraction] = text.replaceAll("〇", "零").replaceAll("两", "二").split("点");
  const spelled = [...whole].every((sign) => DIGITS.includes(sign));
  if (spelled && whole.length === 2) return null;
  const value = spelled ? spelledDigits(whole) : composed(whole);
  if (value === null || value === "") return null;
  return fraction === undefined ? value : `${value}.${spelledDigits(fraction)}`;
}

const spelledDigits = (text: string): string => [...text].map((sign) => DIGITS.indexOf(sign)).join("");

/** `一千二百`, `十五`, `三万五千`: a digit before each unit but a leading 十, units falling within a scale. */
function composed(text: string): string | null {
  let total = 0;
  let section = 0;
  let digit: number | null = null;
  for (const [index, sign] of [...text].entries()) {
    const [value, unit, scale] = [DIGITS.indexOf(sign), UNITS[sign], SCALES[sign]];
    if (value >= 0) {
      if (digit !== null && digit !== 0) return null;
      digit = value;
    } else if (unit !== undefined) {
      if (digit === null && !(unit === 10 && index === 0)) return null;
      section += (digit ?? 1) * unit;
      digit = null;
    } else if (scale !== undefined) {
      if (section === 0 && digit === null && total === 0) return null;
      total = (total + section + (digit ?? 0)) * scale;
      section = 0;
      digit = null;
    }
  }
  return String(total + section + (digit ?? 0));
}
