const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
const CHINESE = /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]$/;
const DAY_FIRST = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)? ${MONTH},? (\\d{4})$`, "i");
const MONTH_FIRST = new RegExp(`^${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})$`, "i");

/**
 * A day as YYYY-MM-DD, from that form, from one with the month's English name (`12 March 1884`, `Mar. 12, 1884`) or from a Chinese one
 * (`1884年3月12日`); null for all else: `3/4/2024` can be read in two ways, a month or a year alone is no day, 31 April is none.
 */
export function isoDate(text: string): string | null {
  const written = ISO.exec(text) ?? CHINESE.exec(text);
  if (written !== null) return day(written[1], written[2], written[3]);
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) return day(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_FIRST.exec(text);
  return monthFirst === null ? null : day(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]);
}

function monthOf(name = ""): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function day(year = "", month = "", date = ""): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}
