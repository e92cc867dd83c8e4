import type { ColumnKind } from "./schema.js";

const NUMBER_TYPES =
  /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|FLOAT|DOUBLE|REAL|DECIMAL)/;

/** What kind of values a column holds, by its SQL type and, for text, by values seen. */
export function columnKind(type: string, values: readonly string[]): ColumnKind {
  if (NUMBER_TYPES.test(type)) return "number";
  if (type.startsWith("TIMESTAMP")) return "timestamp";
  if (type === "DATE") return "date";
  if (type === "TIME") return "time";
  if (type === "BOOLEAN") return "boolean";
  return textKind(values);
}

function textKind(values: readonly string[]): ColumnKind {
  const shown = values.map((value) => value.trim()).filter((value) => value !== "");
  if (shown.length === 0) return "text";
  if (mostly(shown, (value) => dateFormat(value) !== null)) return "date";
  if (mostly(shown, (value) => looseNumber(value) !== null)) return "text-number";
  return "text";
}

function mostly(values: readonly string[], holds: (value: string) => boolean): boolean {
  return values.filter(holds).length >= values.length * 0.75;
}

/** Number in a text with padding, separators, a currency or percent sign, or a bracketed range behind it; null if none. */
export function looseNumber(text: string): number | null {
  const bare = /^[\s$€£¥]*(-?\d[\d,]*(?:\.\d+)?)\s*(?:%|\[[^\]]*\])?\s*$/.exec(text)?.[1];
  if (bare === undefined || /^0\d/.test(bare)) return null;
  return Number(bare.replaceAll(",", ""));
}

/** Formats of dates kept as text, tried in this order; the second part is what DuckDB's strptime calls it. */
const DATE_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d{1,2}-\d{1,2}$/, "%Y-%m-%d"],
  [/^\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:\d{2}:\d{2}$/, "%Y-%m-%dT%H:%M:%S"],
  [/^\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:\d{2}:\d{2}\.\d+Z?$/, "%Y-%m-%dT%H:%M:%S.%g"],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, "%Y/%m/%d"],
  [/^\d{4}\.\d{1,2}\.\d{1,2}$/, "%Y.%m.%d"],
  [/^\d{4}年\d{1,2}月\d{1,2}日$/, "%Y年%m月%d日"],
  [/^\d{1,2}\/\d{1,2}\/\d{4}$/, "%m/%d/%Y"],
  [/^\d{1,2}\/\d{1,2}\/\d{2}$/, "%m/%d/%y"],
  [/^\d{1,2}-[A-Za-z]{3}-\d{4}$/, "%d-%b-%Y"],
  [/^\d{1,2}-[A-Za-z]{3}-\d{2}$/, "%d-%b-%y"],
  [/^[A-Za-z]{3} \d{1,2}, \d{4}$/, "%b %d, %Y"],
  [/^[A-Za-z]{4,} \d{1,2}, \d{4}$/, "%B %d, %Y"],
  [/^\d{1,2} [A-Za-z]{3} \d{4}$/, "%d %b %Y"],
];

/** The strptime format of a date kept as text; null if it is no date. */
export function dateFormat(value: string): string | null {
  return DATE_FORMATS.find(([pattern]) => pattern.test(value.trim()))?.[1] ?? null;
}
