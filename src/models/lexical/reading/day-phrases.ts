import { isNumeric } from "../schema/schema.js";
import {
  type Days,
  dayDays,
  decadeDays,
  isYear,
  monthDays,
  quarterDays,
  writtenDay,
  yearDays,
} from "../words/dates.js";
import { ordinalWord, unitColumns } from "../words/numbers.js";
import { monthNumber } from "../words/world.js";
import { insideValue } from "./numbers.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";
import { isYearNumber } from "./years.js";

export interface DayPhrase {
  /** Null: a month of any year. */
  readonly days: Days | null;
  /** The month of a phrase without a year. */
  readonly month: number | null;
  readonly to: number;
}

/** The date, month, quarter, year or decade that starts at a token; null if none does. */
export function dayPhraseAt(reading: Reading, index: number): DayPhrase | null {
  const { question } = reading;
  if (reading.spent.has(index) || insideValue(question, index)) return null;
  const token = question.tokens[index];
  if (token === undefined) return null;
  if (token.kind === "date") return phrase(writtenDay(token.text), index + 1);
  return (
    monthPhrase(question, index) ??
    quarterPhrase(question, index) ??
    (followsAmount(reading, index) ? null : yearPhrase(question, index))
  );
}

const COMPARING = new Set(
  "at least most more less fewer than over above below under greater higher lower larger smaller exceeding exceeds or equal to of is are the with a an".split(
    " ",
  ),
);

/** `attendance of at least 2000`: a number of the field before, though it could be a year. */
function followsAmount({ question }: Reading, index: number): boolean {
  let at = index - 1;
  while (COMPARING.has(lowerAt(question, at))) at--;
  if (index - 1 - at < 2) return false;
  const column = mentionAt(question, at)?.columns[0]?.column;
  return column !== undefined && isNumeric(column) && !isYearNumber(column);
}

function phrase(days: Days | null, to: number): DayPhrase | null {
  return days === null ? null : { days, month: null, to };
}

/** `March 2012`, `March 5, 2012`, `5 March 2012`, `5th of March 2012`, `March`. */
function monthPhrase(question: Question, index: number): DayPhrase | null {
  const dayFirst = dayNumber(question, index);
  if (dayFirst !== null) {
    const at = skip(question, dayFirst.to, ["of"]);
    const month = capitalMonth(question, at);
    const yearAt = skip(question, at + 1, [",", "of"]);
    if (month !== null && isYear(lowerAt(question, yearAt))) {
      return phrase(dayDays(Number(lowerAt(question, yearAt)), month, dayFirst.day), yearAt + 1);
    }
  }
  const month = capitalMonth(question, index);
  if (month === null) return null;
  const direct = skip(question, index + 1, [",", "of", "in", "the", "year"]);
  if (isYear(lowerAt(question, direct))) return phrase(monthDays(Number(lowerAt(question, direct)), month), direct + 1);
  const day = dayNumber(question, index + 1);
  const yearAt = day === null ? -1 : skip(question, day.to, [",", "of", "in"]);
  if (day !== null && isYear(lowerAt(question, yearAt))) {
    return phrase(dayDays(Number(lowerAt(question, yearAt)), month, day.day), yearAt + 1);
  }
  return { days: null, month, to: index + 1 };
}

function capitalMonth(question: Question, index: number): number | null {
  const token = question.tokens[index];
  return token === undefined || !/^\p{Lu}/u.test(token.text) ? null : monthNumber(token.lower);
}

function dayNumber(question: Question, index: number): { day: number; to: number } | null {
  const token = question.tokens[index];
  if (token?.kind !== "number" || !/^\d{1,2}$/.test(token.text)) return null;
  const ending = /^(st|nd|rd|th)$/.test(lowerAt(question, index + 1)) ? 1 : 0;
  return { day: Number(token.text), to: index + 1 + ending };
}

function skip(question: Question, index: number, words: readonly string[]): number {
  let at = index;
  while (words.includes(lowerAt(question, at))) at++;
  return at;
}

/** `first quarter of 2012`, `Q1 2012`. */
function quarterPhrase(question: Question, index: number): DayPhrase | null {
  const short = /^q([1-4])$/.exec(lowerAt(question, index))?.[1];
  const place = lowerAt(question, index + 1) === "quarter" ? ordinalWord(lowerAt(question, index)) : null;
  const quarter = short === undefined ? place : Number(short);
  if (quarter === null) return null;
  const at = skip(question, index + (short === undefined ? 2 : 1), ["of", "in", "the", "year"]);
  return isYear(lowerAt(question, at)) ? phrase(quarterDays(Number(lowerAt(question, at)), quarter), at + 1) : null;
}

function yearPhrase(question: Question, index: number): DayPhrase | null {
  const token = question.tokens[index];
  if (token?.kind !== "number" || !isYear(token.text) || token.text.includes(",")) return null;
  const year = Number(token.text);
  if (lowerAt(question, index + 1) === "s" && year % 10 === 0) return phrase(decadeDays(year), index + 2);
  return countsSomething(question, index) ? null : phrase(yearDays(year), index + 1);
}

/** `2000 points`, `2000 kg`: an amount, not a year. */
function countsSomething(question: Question, index: number): boolean {
  const next = question.tokens[index + 1];
  if (next === undefined) return false;
  if (unitColumns(next.stem).length > 0 && !["year", "season"].includes(next.stem)) return true;
  const before = lowerAt(question, index - 1);
  const amount = ["than", "least", "most", "over", "under", "above", "below", "exceeding"].includes(before);
  const mention = mentionAt(question, index + 1);
  return amount && mention !== null && (mention.columns.length > 0 || mention.tables.length > 0);
}
