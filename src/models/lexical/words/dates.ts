/** A stretch of days: from the first (inclusive) to the last (exclusive), ISO. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly grain: "day" | "month" | "quarter" | "year" | "decade";
}

const iso = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

export function dayDays(year: number, month: number, day: number): Days | null {
  const valid = month >= 1 && month <= 12 && day >= 1 && day <= 31 && year >= 1000 && year <= 2999;
  return valid ? { from: iso(year, month, day), to: iso(year, month, day + 1), grain: "day" } : null;
}

export function monthDays(year: number, month: number): Days {
  return { from: iso(year, month, 1), to: iso(year, month + 1, 1), grain: "month" };
}

export function quarterDays(year: number, quarter: number): Days {
  return { from: iso(year, quarter * 3 - 2, 1), to: iso(year, quarter * 3 + 1, 1), grain: "quarter" };
}

export function yearDays(year: number): Days {
  return { from: iso(year, 1, 1), to: iso(year + 1, 1, 1), grain: "year" };
}

export function decadeDays(year: number): Days {
  return { from: iso(year, 1, 1), to: iso(year + 10, 1, 1), grain: "decade" };
}

/** `2014/3/1`, `2014-03-01`, `3/1/2014` (month first); null for anything else. */
export function writtenDay(text: string): Days | null {
  const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (yearFirst !== null) return dayDays(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const yearLast = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (yearLast === null) return null;
  const [, first, second, year] = yearLast.map(Number);
  const monthFirst = dayDays(year ?? 0, first ?? 0, second ?? 0);
  return monthFirst ?? dayDays(year ?? 0, second ?? 0, first ?? 0);
}

/** Whether a number can be a year by itself. */
export function isYear(text: string): boolean {
  return /^(1[5-9]|20)\d{2}$/.test(text);
}
