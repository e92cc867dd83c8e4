import { canonicalDate } from "../../answer/date.js";

/** A day, a month or a time of day that a text names. */
export interface DateMention {
  /** As it stands there. */
  readonly text: string;
  /** What it can mean, `YYYY-MM-DD`, `YYYY-MM`, `HH:MM` or `HH:MM:SS`: two of them where day and month can be either. */
  readonly readings: readonly string[];
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?<year>(?:1\\d|20|21)\\d{2})";

/** Longer forms first: what one takes, the next does not see. */
const FORMS: readonly RegExp[] = [
  String.raw`(?<![\d.])${YEAR}\s*年\s*(?<month>\d{1,2})\s*月(?:\s*(?<day>\d{1,2})\s*[日号])?`,
  String.raw`(?<![\d.-])${YEAR}(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?!\d)(?!\k<mark>\d)`,
  String.raw`(?<![\d./-])(?<first>\d{1,2})(?<mark>[/.])(?<second>\d{1,2})\k<mark>${YEAR}(?!\d)`,
  String.raw`(?<![\p{L}\d])${MONTH}\s+${DAY},?\s+${YEAR}(?!\d)`,
  String.raw`(?<!\d)${DAY}\s+(?:of\s+)?${MONTH},?\s+${YEAR}(?!\d)`,
  String.raw`(?<![\p{L}\d])${MONTH},?\s+${YEAR}(?!\d)`,
  String.raw`(?<![\d.-])${YEAR}-(?<month>\d{2})(?![\d-])`,
  String.raw`(?<![\d.,])(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})(?![\d.,]\d|\d)`,
  String.raw`(?<![\d:.])(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?(?!\d)(?!:\d)`,
].map((source) => new RegExp(source, "giu"));

/** The dates and times in a plain text, and the text with them blanked out, so that their numbers are not read again. */
export function readDates(text: string): { readonly dates: readonly DateMention[]; readonly rest: string } {
  const dates: DateMention[] = [];
  const rest = FORMS.reduce(
    (left, form) =>
      left.replaceAll(form, (found: string, ...more: unknown[]) => {
        const readings = readingsOf(groupsIn(more.at(-1)));
        if (readings.length === 0) return found;
        dates.push({ text: found.trim(), readings });
        return " ".repeat(found.length);
      }),
    // A time follows its day directly in ISO texts.
    text.replaceAll(/(?<=\d)T(?=\d{2}:\d{2})/g, " "),
  );
  return { dates, rest };
}

type Groups = Readonly<Record<string, string>>;

function groupsIn(value: unknown): Groups {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function readingsOf({ year, month, day, name, first, second, hour, minute, seconds }: Groups): string[] {
  if (hour !== undefined) {
    const time = [hour.padStart(2, "0"), minute, ...(seconds === undefined ? [] : [seconds])].join(":");
    return Number(hour) < 24 && Number(minute) < 60 ? [time] : [];
  }
  if (first !== undefined) return [...new Set([dayOf(year, first, second), dayOf(year, second, first)])].flat();
  const number = name === undefined ? month : String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
  return day === undefined ? dayOf(year, number, "1").map((date) => date.slice(0, 7)) : dayOf(year, number, day);
}

/** The day in ISO form; none where there is no such day. */
function dayOf(year: string | undefined, month: string | undefined, day: string | undefined): string[] {
  return canonicalDate(`${year}-${month}-${day}`) === null ? [] : [canonicalDate(`${year}-${month}-${day}`) ?? ""];
}
