/** A unit of a kind of quantity, and how many of the kind's own unit it is. Kinds are never converted into each other. */
export interface Unit {
  readonly kind: string;
  /** Decimal text, exact. */
  readonly factor: string;
}

/** Spellings count as written: `Mg` is no `mg`. Months, bytes (1,000 or 1,024?) and currencies among each other have no fixed factor. */
const KINDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  mass: {
    "0.000001": ["µg", "μg", "mcg"],
    "0.001": ["mg", "毫克"],
    "1": ["g", "克"],
    "1000": ["kg", "千克", "公斤"],
    "500": ["斤"],
    "1000000": ["t", "tonnes", "吨"],
    "453.59237": ["lb", "lbs"],
    "28.349523125": ["oz"],
  },
  length: {
    "0.001": ["mm", "毫米"],
    "0.01": ["cm", "厘米"],
    "1": ["m", "米"],
    "1000": ["km", "千米", "公里"],
    "0.0254": ["in"],
    "0.3048": ["ft"],
    "1609.344": ["mi", "miles"],
  },
  area: { "1": ["m²", "m2", "平方米"], "10000": ["ha", "公顷"], "1000000": ["km²", "km2", "平方公里"] },
  volume: { "0.001": ["ml", "mL", "毫升"], "0.01": ["cl", "cL"], "1": ["l", "L", "升"] },
  time: {
    "0.001": ["ms", "毫秒"],
    "1": ["s", "sec", "seconds", "秒"],
    "60": ["min", "minutes", "分钟"],
    "3600": ["h", "hr", "hrs", "hour", "hours", "小时"],
    "86400": ["d", "day", "days", "天"],
  },
  power: { "1": ["W"], "1000": ["kW"], "1000000": ["MW"] },
  energy: { "1": ["Wh"], "1000": ["kWh"], "1000000": ["MWh"] },
  share: { "1": ["%", "percent", "per cent"], "0.1": ["‰"] },
  count: {
    "1000": ["thousand"],
    "10000": ["万"],
    "1000000": ["million"],
    "100000000": ["亿"],
    "1000000000": ["billion"],
  },
  yuan: { "1": ["元", "¥", "￥", "CNY"], "10000": ["万元"], "100000000": ["亿元"] },
  dollar: { "1": ["$", "USD"], "1000000": ["million USD"] },
  euro: { "1": ["€", "EUR"], "1000000": ["million EUR"] },
  pound: { "1": ["£", "GBP"] },
  celsius: { "1": ["°C", "℃"] },
  fahrenheit: { "1": ["°F", "℉"] },
};

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(KINDS).flatMap(([kind, factors]) =>
    Object.entries(factors).flatMap(([factor, names]) => names.map((name): [string, Unit] => [name, { kind, factor }])),
  ),
);

export function unitOf(name: string): Unit | null {
  return UNITS.get(name) ?? null;
}

export function isUnit(name: string): boolean {
  return UNITS.has(name);
}

/** The unit that a field's name gives in brackets at its end: `Dose (mg)`, `金额（万元）`. */
export function unitInName(field: string): string | null {
  const name = /[([（【]\s*([^)\]）】]+?)\s*[)\]）】]\s*$/u.exec(field)?.[1];
  return name !== undefined && UNITS.has(name) ? name : null;
}

export interface Quantity {
  /** `-1234.5`: without thousands commas. */
  readonly number: string;
  readonly unit: string | null;
}

const NUMBER = /^([¥￥$€£])?\s*([+-]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(.*)$/u;
const MOST_DIGITS = 15;

/**
 * `1,200.5 mg` as a number and its unit; null for any other text: a unit that we do not know, and what is a code rather than a
 * number (leading zeros, more than 15 digits).
 */
export function quantityOf(text: string): Quantity | null {
  const found = NUMBER.exec(text);
  if (found === null) return null;
  const [, currency, sign = "", grouped = "", fraction = "", after = ""] = found;
  const whole = grouped.replaceAll(",", "");
  if (/^0\d/.test(whole) || whole.length + fraction.length > MOST_DIGITS) return null;
  const named = after.trim();
  if (currency !== undefined && named !== "") return null;
  const unit = currency ?? (named === "" ? null : named);
  if (unit !== null && !UNITS.has(unit)) return null;
  return { number: `${sign === "-" ? "-" : ""}${whole}${fraction}`, unit };
}
