import type { Candidate } from "../choice.js";
import { isTemporal, type SchemaColumn } from "../schema/schema.js";
import { isYearMonth } from "../sql/expressions.js";
import { type Condition, columnValue, type Operator, type Ref, ref } from "../sql/plan.js";
import type { Days } from "../words/dates.js";
import { stem } from "../words/stem.js";
import { comparatorAt, comparatorBehind } from "./comparators.js";
import { type DayPhrase, dayPhraseAt } from "./day-phrases.js";
import { lowerAt, type Question, type Reading } from "./question.js";
import { isYearNumber } from "./years.js";

/** Reads dates, months, years and spans of them into conditions. */
export function readPeriods(reading: Reading): void {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    if (reading.spent.has(index)) continue;
    const found = compared(reading, index) ?? plain(reading, index);
    if (found === null) continue;
    if (place(reading, found)) index = found.to - 1;
  }
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly low: Days | null;
  readonly high: Days | null;
  readonly operator: Operator | "between";
  readonly month: number | null;
}

const BEFORE_A_DATE = ["the", "year", "years", "of", "date", "season", "month", "day", "that", "in", "on"];

function compared(reading: Reading, index: number): Found | null {
  const comparator = comparatorAt(reading.question, index);
  if (comparator === null) return null;
  const at = skip(reading.question, comparator.to);
  const first = dayPhraseAt(reading, at);
  if (first === null || first.days === null) return null;
  if (comparator.operator !== "between") {
    return { from: index, to: first.to, low: first.days, high: first.days, operator: comparator.operator, month: null };
  }
  const second = spanEnd(reading, first);
  if (second !== null)
    return { from: index, to: second.to, low: first.days, high: second.days, operator: "between", month: null };
  return {
    from: index,
    to: first.to,
    low: first.days,
    high: first.days,
    operator: lowerAt(reading.question, index) === "from" ? "=" : ">=",
    month: null,
  };
}

/** The second date of `2010 and 2012`, `2010 to 2012`, `2010-2012`. */
function spanEnd(reading: Reading, first: DayPhrase): DayPhrase | null {
  if (!["and", "to", "-", "–", "until", "through"].includes(lowerAt(reading.question, first.to))) return null;
  const second = dayPhraseAt(reading, skip(reading.question, first.to + 1));
  return second?.days == null ? null : second;
}

function skip(question: Question, index: number): number {
  let at = index;
  while (BEFORE_A_DATE.includes(lowerAt(question, at))) at++;
  return at;
}

function plain(reading: Reading, index: number): Found | null {
  const first = dayPhraseAt(reading, index);
  if (first === null) return null;
  if (first.days === null) {
    const said = ["in", "during", "of", "for", "each", "every"].includes(lowerAt(reading.question, index - 1));
    return said ? { from: index, to: first.to, low: null, high: null, operator: "=", month: first.month } : null;
  }
  const behind = comparatorBehind(reading.question, first.to);
  if (behind !== null)
    return { from: index, to: behind.to, low: first.days, high: first.days, operator: behind.operator, month: null };
  const second = ["-", "–", "to"].includes(lowerAt(reading.question, first.to)) ? spanEnd(reading, first) : null;
  if (second !== null)
    return { from: index, to: second.to, low: first.days, high: second.days, operator: "between", month: null };
  return { from: index, to: first.to, low: first.days, high: first.days, operator: "=", month: null };
}

function place(reading: Reading, found: Found): boolean {
  const column = temporalColumn(reading, found);
  if (column === null) return false;
  const condition = conditionOf(column, found);
  if (condition === null) return false;
  reading.conditions.push({ what: condition, from: found.from, to: found.to });
  for (let index = found.from; index < found.to; index++) reading.spent.add(index);
  return true;
}

function conditionOf(column: SchemaColumn, found: Found): Condition | null {
  const target: Ref = ref({ table: column.table, column: column.name });
  if (found.month !== null) {
    if (!isTemporal(column) && !isYearMonth(column)) return null;
    return {
      kind: "compare",
      left: { kind: "date-part", part: "month", of: target },
      operator: "=",
      right: { kind: "number", value: found.month },
    };
  }
  if (found.low === null || found.high === null) return null;
  if (isYearNumber(column)) return yearCondition(target, found.low, found.high, found.operator);
  const period = (from: string | null, to: string | null, negated = false): Condition => ({
    kind: "period",
    ref: target,
    from,
    to,
    negated,
  });
  switch (found.operator) {
    case "=":
    case "between":
      return period(found.low.from, found.high.to);
    case "<>":
      return period(found.low.from, found.high.to, true);
    case ">":
      return period(found.low.to, null);
    case ">=":
      return period(found.low.from, null);
    case "<":
      return period(null, found.low.from);
    case "<=":
      return period(null, found.low.to);
  }
}

function yearCondition(target: Ref, low: Days, high: Days, operator: Operator | "between"): Condition {
  const year = (day: string) => Number(day.slice(0, 4));
  const left = columnValue(target);
  if (operator === "between" || (operator === "=" && low.grain === "decade")) {
    const last = high.grain === "decade" ? year(high.from) + 9 : year(high.from);
    return {
      kind: "between",
      left,
      low: { kind: "number", value: year(low.from) },
      high: { kind: "number", value: last },
    };
  }
  return { kind: "compare", left, operator, right: { kind: "number", value: year(low.from) } };
}

/** The column that a period speaks of: one named nearby, else the likeliest date of the tables in play. */
function temporalColumn(reading: Reading, found: Found): SchemaColumn | null {
  const { question } = reading;
  const candidates = question.schema.tables
    .flatMap((table) => table.columns)
    .filter((column) => suits(column, found))
    .map(
      (column): Candidate<SchemaColumn> => ({
        option: column,
        label: `${column.table}.${column.name}`,
        score: nearness(question, column, found) + habit(question, column, found),
      }),
    );
  return question.chooser.choose(`date column at token ${found.from}`, candidates);
}

function suits(column: SchemaColumn, found: Found): boolean {
  const grain = found.low?.grain;
  if (isTemporal(column)) return true;
  if (isYearMonth(column)) return grain !== "day";
  return isYearNumber(column) && (grain === "year" || grain === "decade");
}

/** Fields named around the period speak for themselves: `born in 1990`, `opened before 1985`, `the 2009 season`. */
function nearness(question: Question, column: SchemaColumn, found: Found): number {
  let best = 0;
  for (const mention of question.mentions) {
    const link = mention.columns.find((candidate) => candidate.column === column);
    if (link === undefined) continue;
    const gap =
      mention.to <= found.from ? found.from - mention.to : mention.from >= found.to ? mention.from - found.to + 1 : 0;
    if (gap > 8 || crossesComma(question, mention.to, found.from)) continue;
    best = Math.max(best, link.score * (1 - gap * 0.07));
  }
  return best;
}

function crossesComma(question: Question, from: number, to: number): boolean {
  return question.tokens.slice(from, Math.max(from, to)).some((token) => token.text === "," || token.text === ";");
}

function habit(question: Question, column: SchemaColumn, found: Found): number {
  const words = new Set(column.words);
  let score = 0;
  if (isYearNumber(column) && found.low?.grain === "year") score += 0.25;
  if (words.has(stem("date")) || words.has("day")) score += 0.1;
  if (column.words.some((word) => /^(birth|birthday|dob|born|death)$/.test(word))) score -= 0.35;
  if (column.words.some((word) => /^(updat|update|last|modified|edit|end|expir)/.test(word))) score -= 0.15;
  if (/registered|signup|created/.test(column.name)) score -= 0.02;
  score += tableNearness(question, column.table, found);
  return score + inRange(column, found);
}

function tableNearness(question: Question, table: string, found: Found): number {
  const gaps = question.mentions
    .filter(
      (mention) =>
        mention.tables[0]?.table.name === table ||
        mention.values[0]?.column.table === table ||
        (mention.columns.length === 1 && mention.columns[0]?.column.table === table),
    )
    .map((mention) => Math.abs(mention.from - found.from));
  return gaps.length === 0 ? 0 : 0.3 - Math.min(...gaps) * 0.015;
}

function inRange(column: SchemaColumn, found: Found): number {
  if (found.low === null || column.min === null || column.max === null) return 0;
  const asked = found.low.from.slice(0, 4);
  const [low, high] = [column.min, column.max].map((value) => /(\d{4})/.exec(value)?.[1] ?? null);
  if (low == null || high == null || (isTemporal(column) && column.type.startsWith("VARCHAR"))) return 0;
  return asked >= low && asked <= high ? 0.1 : -0.2;
}
