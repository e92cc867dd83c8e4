const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
/** No date is longer; keeps the pattern away from long texts. */
const MAX_LENGTH = 64;

/**
 * A date or date with time in ISO form; null where the text is neither or the day does not exist. `YYYY-M-D` is padded. A time
 * has hours and minutes, optional seconds and fraction; with a zone it is moved to UTC and ends in `Z`, without one it stays as it
 * is. Zeros at the end of a fraction are not part of the value: `10:30:00.500` is `10:30:00.5`, and `.000` is nothing. Midnight
 * stays a time. Years 1 … 9999.
 */
export function canonicalDate(text: string): string | null {
  if (text[4] !== "-" || text.length > MAX_LENGTH) return null;
  const match = DATE.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const date = utcDate(Number(year), Number(month), Number(day));
  if (date === null) return null;
  if (hour === undefined) return date.toISOString().slice(0, 10);
  const offset = zoneMinutes(zone);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59 || offset === null) return null;
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second ?? 0));
  if (!isCommonYear(date.getUTCFullYear())) return null;
  const rest = (fraction ?? "").replace(/0+$/, "");
  return `${date.toISOString().slice(0, 19)}${rest === "" ? "" : `.${rest}`}${zone === undefined ? "" : "Z"}`;
}

/** Midnight UTC of a day that exists, else null. */
function utcDate(year: number, month: number, day: number): Date | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && isCommonYear(year) ? date : null;
}

function isCommonYear(year: number): boolean {
  return year >= 1 && year <= 9999;
}

/** Minutes east of UTC of `Z`, `+08`, `+0800` or `+08:00`; 0 without a zone, null where it does not exist. */
function zoneMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
