import type { Term } from "../documents/glossary.js";
import { absent } from "../reading/absence.js";
import { isYearNumber } from "../reading/years.js";
import { isIdentifier, isNumeric, isTemporal, type SchemaColumn } from "../schema/schema.js";
import { type Condition, columnValue, type Operator, ref } from "../sql/plan.js";
import { type Days, dayDays, monthDays, quarterDays, yearDays } from "../words/dates.js";
import { chineseNumber, NUMBER } from "./numbers.js";
import { type Phrase, readPhrase, type Span, spansAfter, spansBefore } from "./phrase.js";

/** What narrows the rows, and the spans that say it. */
export interface ChineseConditions {
  readonly conditions: Condition[];
  readonly used: Set<Span>;
  /** Characters that were read as numbers, dates or comparisons. */
  readonly spent: Set<number>;
}

export function readChineseConditions(phrase: Phrase): ChineseConditions {
  const read: ChineseConditions = { conditions: [], used: new Set(), spent: new Set() };
  readTerms(phrase, read);
  readDates(phrase, read);
  readRanges(phrase, read);
  readComparisons(phrase, read);
  readAbsence(phrase, read);
  readValues(phrase, read);
  return read;
}

/** Whether a term's definition can be put into SQL. */
export function saysHow(phrase: Phrase, term: Term): boolean {
  return term.expression !== null || conditionsOf(phrase, term).length > 0;
}

function conditionsOf(phrase: Phrase, term: Term): readonly Condition[] {
  if (term.text === null) return [];
  const terms = phrase.knowledge.terms.filter((other) => other !== term);
  return readChineseConditions(readPhrase(term.text, { ...phrase.knowledge, terms }, phrase.chooser)).conditions;
}

function readTerms(phrase: Phrase, read: ChineseConditions): void {
  for (const span of phrase.spans) {
    if (span.term === null) continue;
    const { expression } = span.term;
    const conditions: readonly Condition[] =
      expression?.compares === true
        ? [{ kind: "written", sql: expression.parts }]
        : expression === null
          ? conditionsOf(phrase, span.term)
          : [];
    if (conditions.length === 0) continue;
    read.conditions.push(...conditions);
    read.used.add(span);
  }
}

const DAY = String.raw`(\d{4})\s*[年/.-]\s*(?:(\d{1,2})\s*[月/.-]\s*(?:(\d{1,2})\s*[日号]?)?|第?([一二三四1-4])季度|(上半年|下半年))?`;
const BARE_YEAR = String.raw`(\d{4})年`;

function readDates(phrase: Phrase, read: ChineseConditions): void {
  const pattern = new RegExp(
    `${DAY}(?:\\s*(?:到|至|~|—|-|和|与)\\s*${DAY})?\\s*(之间|期间)?(之后|以后|以来|起|开始|之前|以前|后|前)?`,
    "gu",
  );
  for (const match of phrase.text.matchAll(pattern)) {
    const low = daysOf(match.slice(1, 6));
    const high = match[6] === undefined ? low : daysOf(match.slice(6, 11));
    if (low === null || high === null || (!new RegExp(BARE_YEAR).test(match[0]) && !/[-/.]/.test(match[0]))) continue;
    const column = dateColumn(phrase, read, match.index, match.index + match[0].length, low.grain);
    if (column === null) continue;
    read.conditions.push(periodOf(column, low, high, match[12] ?? ""));
    for (let at = match.index; at < match.index + match[0].length; at++) read.spent.add(at);
  }
}

function daysOf([year, month, day, quarter, half]: readonly (string | undefined)[]): Days | null {
  if (year === undefined) return null;
  const whole = Number(year);
  if (half !== undefined) {
    const [from, to] =
      half === "上半年"
        ? [quarterDays(whole, 1).from, quarterDays(whole, 2).to]
        : [quarterDays(whole, 3).from, quarterDays(whole, 4).to];
    return { from, to, grain: "quarter" };
  }
  if (quarter !== undefined) return quarterDays(whole, chineseNumber(quarter) ?? 1);
  if (month === undefined) return yearDays(whole);
  return day === undefined ? monthDays(whole, Number(month)) : dayDays(whole, Number(month), Number(day));
}

function periodOf(column: SchemaColumn, low: Days, high: Days, suffix: string): Condition {
  const target = ref({ table: column.table, column: column.name });
  const after = /后/.test(suffix);
  const since = /^(以来|起|开始)$/.test(suffix);
  const before = /前/.test(suffix);
  if (isYearNumber(column)) {
    const year = (days: Days) => ({ kind: "number", value: Number(days.from.slice(0, 4)) }) as const;
    if (low !== high) return { kind: "between", left: columnValue(target), low: year(low), high: year(high) };
    const operator: Operator = after ? ">" : since ? ">=" : before ? "<" : "=";
    return { kind: "compare", left: columnValue(target), operator, right: year(low) };
  }
  const period = (from: string | null, to: string | null): Condition => ({
    kind: "period",
    ref: target,
    from,
    to,
    negated: false,
  });
  if (after) return period(low.to, null);
  if (since) return period(low.from, null);
  return before ? period(null, low.from) : period(low.from, high.to);
}

/** A date that is named near, else the first of the tables that are named. */
function dateColumn(
  phrase: Phrase,
  read: ChineseConditions,
  from: number,
  to: number,
  grain: Days["grain"],
): SchemaColumn | null {
  const suits = (column: SchemaColumn) => isTemporal(column) || (grain === "year" && isYearNumber(column));
  const candidates = phrase.knowledge.schema.tables.flatMap((table) => table.columns).filter(suits);
  const scored = candidates.map((column) => {
    const named = phrase.spans
      .filter((span) => !read.used.has(span))
      .flatMap((span) => {
        const link = span.columns.find((candidate) => candidate.column === column);
        const gap = span.to <= from ? from - span.to : span.from - to;
        return link === undefined || gap > 8 || gap < 0 ? [] : [link.score * (1 - gap * 0.05)];
      });
    const inTable = phrase.spans.some(
      (span) =>
        span.tables[0]?.table.name === column.table ||
        span.values[0]?.column.table === column.table ||
        span.columns[0]?.column.table === column.table ||
        span.term?.expression?.columns.some((used) => used.table === column.table) === true,
    );
    return {
      option: column,
      label: `${column.table}.${column.name}`,
      score: Math.max(0, ...named) + (inTable ? 0.3 : 0) + (isYearNumber(column) ? 0.25 : 0.05),
    };
  });
  return phrase.chooser.choose(`date column at ${from}`, scored);
}

const OPERATORS: readonly (readonly [string, Operator])[] = [
  ["大于等于|大于或等于|不低于|不少于|不小于|至少|最少为|>=|≥|达到", ">="],
  ["小于等于|小于或等于|不超过|不高于|不多于|不大于|至多|最多为|<=|≤", "<="],
  ["大于|超过|高于|多于|超出|>|晚于|早过", ">"],
  ["小于|低于|少于|不足|不到|<|早于", "<"],
  ["不等于|!=|<>", "<>"],
  ["等于|=|为|是", "="],
];
const UNIT = String.raw`\s*(?:元|块|岁|人|个|条|笔|次|分|件|名|家|公里|千米|米|厘米|公斤|千克|吨|天|小时|分钟|%|％|本|辆|票|种|位|年|月)?`;

function readRanges(phrase: Phrase, read: ChineseConditions): void {
  const pattern = new RegExp(
    `(?:介于|在)?\\s*(${NUMBER})${UNIT}\\s*(?:到|至|~|—|-|和|与)\\s*(${NUMBER})${UNIT}\\s*(?:之间)?`,
    "gu",
  );
  for (const match of phrase.text.matchAll(pattern)) {
    const [low, high] = [chineseNumber(match[1] ?? ""), chineseNumber(match[2] ?? "")];
    if (
      low === null ||
      high === null ||
      isSpent(read, match.index, match[0].length) ||
      !/之间|介于|到|至|~/.test(match[0])
    )
      continue;
    const span = numericBefore(phrase, read, match.index);
    const column = span === null ? null : numericColumn(phrase, span);
    if (span === null || column === null) continue;
    read.used.add(span);
    spend(read, match.index, match[0].length);
    read.conditions.push({
      kind: "between",
      left: columnValue(ref({ table: column.table, column: column.name })),
      low: { kind: "number", value: low },
      high: { kind: "number", value: high },
    });
  }
}

function readComparisons(phrase: Phrase, read: ChineseConditions): void {
  for (const [words, operator] of OPERATORS) {
    for (const match of phrase.text.matchAll(new RegExp(`(?:${words})\\s*(${NUMBER})${UNIT}`, "gu")))
      addComparison(phrase, read, match, operator);
  }
  for (const [suffix, operator] of [
    ["及?以上|或以上|以上", ">="],
    ["及?以下|或以下|以下|以内", "<="],
  ] as const) {
    for (const match of phrase.text.matchAll(new RegExp(`(${NUMBER})${UNIT}(?:${suffix})`, "gu")))
      addComparison(phrase, read, match, operator);
  }
}

function addComparison(phrase: Phrase, read: ChineseConditions, match: RegExpExecArray, operator: Operator): void {
  const value = chineseNumber(match[1] ?? "");
  if (value === null || isSpent(read, match.index, match[0].length)) return;
  const span = numericBefore(phrase, read, match.index) ?? numericAfter(phrase, read, match.index + match[0].length);
  const column = span === null ? null : numericColumn(phrase, span);
  if (span === null || column === null) return;
  read.used.add(span);
  spend(read, match.index, match[0].length);
  read.conditions.push({
    kind: "compare",
    left: columnValue(ref({ table: column.table, column: column.name })),
    operator,
    right: { kind: "number", value },
  });
}

const numeric = (column: SchemaColumn) => isNumeric(column) && !isIdentifier(column);

function numericColumn(phrase: Phrase, span: Span): SchemaColumn | null {
  const candidates = span.columns
    .filter(({ column }) => numeric(column))
    .map(({ column, score }) => ({ option: column, label: `${column.table}.${column.name}`, score }));
  return phrase.chooser.choose(`column for "${span.text}"`, candidates);
}

function numericBefore(phrase: Phrase, read: ChineseConditions, at: number): Span | null {
  return (
    spansBefore(phrase, at).find(
      (span) => at - span.to <= 3 && !read.used.has(span) && span.columns.some(({ column }) => numeric(column)),
    ) ?? null
  );
}

function numericAfter(phrase: Phrase, read: ChineseConditions, at: number): Span | null {
  return (
    spansAfter(phrase, at).find(
      (span) => span.from - at <= 2 && !read.used.has(span) && span.columns.some(({ column }) => numeric(column)),
    ) ?? null
  );
}

function isSpent(read: ChineseConditions, from: number, length: number): boolean {
  for (let at = from; at < from + length; at++) if (read.spent.has(at)) return true;
  return false;
}

function spend(read: ChineseConditions, from: number, length: number): void {
  for (let at = from; at < from + length; at++) read.spent.add(at);
}

/** `没有网站的`, `邮箱为空`, `缺失`. */
function readAbsence(phrase: Phrase, read: ChineseConditions): void {
  for (const match of phrase.text.matchAll(/没有|缺少|缺失|为空|未填写|未知/gu)) {
    const before = /空|填写|未知|缺失/.test(match[0]);
    const span = before
      ? spansBefore(phrase, match.index).find((one) => match.index - one.to <= 1)
      : spansAfter(phrase, match.index + match[0].length).find((one) => one.from - match.index - match[0].length <= 1);
    const column = span?.columns[0]?.column;
    if (span === undefined || column === undefined || read.used.has(span) || span.values.length > 0) continue;
    read.used.add(span);
    read.conditions.push(absent(column));
  }
}

function readValues(phrase: Phrase, read: ChineseConditions): void {
  for (const span of phrase.spans) {
    if (read.used.has(span) || span.values.length === 0 || top(span) > 1) continue;
    const beside = phrase.spans.filter(
      (other) => other !== span && Math.min(Math.abs(other.from - span.to), Math.abs(span.from - other.to)) <= 2,
    );
    const candidates = span.values.map(({ column, value }) => {
      const field = beside.some((other) => other.columns[0]?.column === column);
      const table = phrase.spans.some((other) => other.tables[0]?.table.name === column.table);
      return {
        option: { column, value },
        label: `${column.table}.${column.name} = ${value}`,
        score: 1 + (field ? 0.4 : 0) + (table ? 0.1 : 0),
      };
    });
    const picked = phrase.chooser.choose(`value of "${span.text}"`, candidates);
    if (picked === null) continue;
    read.used.add(span);
    for (const other of beside)
      if (other.columns[0]?.column === picked.column && saysField(phrase.text, other, span)) read.used.add(other);
    const negated = /(?:不是|非|除了?|不为|不在|排除)$/.test(phrase.text.slice(0, span.from));
    addEquals(read, {
      kind: "equals",
      ref: ref({ table: picked.column.table, column: picked.column.name }),
      values: [picked.value],
      negated,
    });
  }
}

const top = (span: Span) =>
  Math.max(0, ...span.columns.map(({ score }) => score), ...span.tables.map(({ score }) => score));

/** `状态为冻结`, `饮料类商品`: the field only says what the value is a value of. */
function saysField(text: string, field: Span, value: Span): boolean {
  const between = text.slice(Math.min(field.to, value.to), Math.max(field.from, value.from));
  return field.to <= value.from ? /^(?:为|是|=|：|:|在|属于|“|")*$/.test(between) : between === "";
}

/** Two values of one field are alternatives. */
function addEquals(read: ChineseConditions, condition: Extract<Condition, { kind: "equals" }>): void {
  const same = read.conditions.findIndex(
    (other) =>
      other.kind === "equals" &&
      other.ref.table === condition.ref.table &&
      other.ref.column === condition.ref.column &&
      other.negated === condition.negated,
  );
  const known = read.conditions[same];
  if (known?.kind !== "equals") read.conditions.push(condition);
  else read.conditions[same] = { ...known, values: [...known.values, ...condition.values] };
}
