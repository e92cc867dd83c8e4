import type { Mention } from "../linking/mentions.js";
import { isIdentifier, isNumeric, isTemporal, type SchemaColumn } from "../schema/schema.js";
import { type Condition, columnValue, type Operand, type Operator, plan, type Ref, type Value } from "../sql/plan.js";
import { pickColumn, refOf } from "./columns.js";
import { type Comparator, comparatorAt, comparatorBehind } from "./comparators.js";
import { byUnit, countedTable, inverse, leftColumn, mentionBefore, type NumberComparison } from "./compared-fields.js";
import { numberAt } from "./numbers.js";
import { lowerAt, mentionAt, type Question, type Reading, startsWith } from "./question.js";

/** Reads `over 200`, `at least 3 orders`, `between 10 and 15`, `taller than Ann`, `above the average`. */
export function readComparisons(reading: Reading): void {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    if (reading.spent.has(index)) continue;
    const to = readAt(reading, index);
    if (to === null) continue;
    for (let spent = index; spent < to; spent++) reading.spent.add(spent);
    index = to - 1;
  }
}

/** Reads what starts at a token; the token after it, or null if nothing was read. */
function readAt(reading: Reading, index: number): number | null {
  const comparator = comparatorAt(reading.question, index);
  if (comparator !== null) return readCompared(reading, index, comparator);
  const number = numberAt(reading.question, index);
  const behind = number === null ? null : comparatorBehind(reading.question, number.to);
  if (number === null || behind === null) return null;
  return addNumber(reading, { at: index, operator: behind.operator, number, to: behind.to, grade: null });
}

const BEFORE_AN_OPERAND = new Set([
  "of",
  "the",
  "a",
  "an",
  "about",
  "around",
  "approximately",
  "that",
  "is",
  "or",
  "value",
]);

function readCompared(reading: Reading, index: number, comparator: Comparator): number | null {
  const { question } = reading;
  let at = comparator.to;
  while (BEFORE_AN_OPERAND.has(lowerAt(question, at))) at++;
  if (comparator.operator === "between") return readBetween(reading, index, at);
  const number = numberAt(question, at);
  if (number !== null && lowerAt(question, number.unitAt) === "%" && averageAt(question, number.to) !== null) {
    return readAverage(reading, index, comparator, number.to, number.value / 100);
  }
  if (number !== null) {
    return addNumber(reading, {
      at: index,
      operator: comparator.operator,
      number,
      to: number.to,
      grade: comparator.grade,
    });
  }
  if (averageAt(question, at) !== null) return readAverage(reading, index, comparator, at, 1);
  if (question.tokens[at]?.kind === "time") return readTime(reading, index, comparator.operator, at);
  const compares = /^(than|to|=|<|>|equals?|exceeds?|exceeding|exceeded|from)$/.test(
    lowerAt(question, comparator.to - 1),
  );
  return compares ? readColumnOrEntity(reading, index, comparator, at) : null;
}

function readBetween(reading: Reading, index: number, at: number): number | null {
  const { question } = reading;
  const low = numberAt(question, at);
  if (low === null || !["and", "to", "-", "–"].includes(lowerAt(question, low.to))) return null;
  const high = numberAt(question, low.to + 1);
  if (high === null) return null;
  const unit = [...low.unit, ...high.unit];
  const left = leftColumn(reading, { at: index, number: { ...high, unit }, to: high.to, grade: null });
  if (left === null) return null;
  add(
    reading,
    {
      kind: "between",
      left: columnValue(left),
      low: { kind: "number", value: low.value },
      high: { kind: "number", value: high.value },
    },
    index,
    high.to,
  );
  return high.to;
}

function addNumber(reading: Reading, comparison: NumberComparison & { readonly operator: Operator }): number | null {
  const counted = countedTable(reading, comparison);
  if (counted !== null) {
    reading.having.push({
      what: { table: counted.table, operator: comparison.operator, count: comparison.number.value },
      from: comparison.at,
      to: counted.to,
    });
    return counted.to;
  }
  const left = leftColumn(reading, comparison);
  if (left === null) return null;
  const operator =
    comparison.grade !== null && inverse(reading, left, comparison.grade)
      ? mirrored(comparison.operator)
      : comparison.operator;
  add(
    reading,
    { kind: "compare", left: columnValue(left), operator, right: { kind: "number", value: comparison.number.value } },
    comparison.at,
    comparison.to,
  );
  return comparison.to;
}

const mirrored = (operator: Operator): Operator => (operator === ">" ? "<" : operator === "<" ? ">" : operator);

/** The token after `(the) average …`; null where no average stands. */
function averageAt(question: Question, at: number): number | null {
  let index = at;
  while (["of", "the", "its", "their", "overall"].includes(lowerAt(question, index))) index++;
  return ["average", "mean", "avg", "median"].includes(lowerAt(question, index)) ? index + 1 : null;
}

/** `heavier than the average weight of all dragons`: compared with an aggregate of the same column. */
function readAverage(
  reading: Reading,
  index: number,
  comparator: Comparator,
  at: number,
  factor: number,
): number | null {
  const { question } = reading;
  const start = averageAt(question, at);
  if (start === null || comparator.operator === "between") return null;
  const fn = lowerAt(question, start - 1) === "median" ? "median" : "avg";
  const numeric = (column: SchemaColumn) => isNumeric(column) && !isIdentifier(column);
  const after = mentionAt(question, start);
  const fromAfter = after === null || after.from > start + 1 ? null : pickColumn(question, after, { suits: numeric });
  const before = mentionBefore(reading, index, numeric);
  const picked =
    fromAfter ??
    (before === null ? null : pickColumn(question, before, { suits: numeric })) ??
    gradedColumn(reading, index, comparator);
  if (picked === null) return null;
  for (const mention of [after, before]) if (mention !== null && mention.columns.length > 0) reading.used.add(mention);
  const value = columnValue(picked);
  const inner = plan(picked.table, {
    select: [
      { kind: "measure", name: "average", measure: { kind: "aggregate", fn, of: value, distinct: false, where: [] } },
    ],
  });
  const to = after !== null && fromAfter !== null ? after.to : start;
  const operator =
    comparator.grade !== null && inverse(reading, picked, comparator.grade)
      ? mirrored(comparator.operator)
      : comparator.operator;
  add(
    reading,
    { kind: "compare", left: value, operator, right: { kind: "plan", plan: inner, factor } },
    index,
    skipAll(question, to),
  );
  return skipAll(question, to);
}

/** `of all dragons` behind an average says what is averaged, not what is asked. */
function skipAll(question: Question, to: number): number {
  if (!startsWith(question, to, ["of", "all"]) && !startsWith(question, to, ["of", "the"])) return to;
  const mention = mentionAt(question, startsWith(question, to, ["of", "all", "the"]) ? to + 3 : to + 2);
  return mention !== null && mention.tables.length > 0 ? mention.to : to;
}

function gradedColumn(reading: Reading, at: number, comparator: Comparator): Ref | null {
  if (comparator.grade === null) return null;
  return byUnit(reading, { at, number: { value: 0, to: at, unitAt: at, unit: [] }, to: at, grade: comparator.grade });
}

function readTime(reading: Reading, index: number, operator: Operator, at: number): number | null {
  const { question } = reading;
  const before = mentionBefore(reading, index, (column) => column.kind === "text" || column.kind === "time");
  const picked =
    before === null
      ? null
      : pickColumn(question, before, { suits: (column) => column.kind === "text" || column.kind === "time" });
  if (before === null || picked === null) return null;
  reading.used.add(before);
  add(
    reading,
    {
      kind: "compare",
      left: columnValue(picked),
      operator,
      right: { kind: "text", text: question.tokens[at]?.text ?? "" },
    },
    index,
    at + 1,
  );
  return at + 1;
}

/** `home goals greater than away goals`, `taller than Kofi Mensah`. */
function readColumnOrEntity(reading: Reading, index: number, comparator: Comparator, at: number): number | null {
  const { question } = reading;
  const right = mentionAt(question, at);
  if (right === null || right.from !== at || comparator.operator === "between") return null;
  const numeric = (column: SchemaColumn) => (isNumeric(column) || isTemporal(column)) && !isIdentifier(column);
  const before = mentionBefore(reading, index, numeric);
  const left =
    before === null ? gradedColumn(reading, index, comparator) : pickColumn(question, before, { suits: numeric });
  if (left === null) return null;
  const operand = rightOperand(reading, right, left, numeric);
  if (operand === null) return null;
  if (before !== null) reading.used.add(before);
  reading.used.add(right);
  const operator =
    comparator.grade !== null && inverse(reading, left, comparator.grade)
      ? mirrored(comparator.operator)
      : comparator.operator;
  add(reading, { kind: "compare", left: columnValue(left), operator, right: operand }, index, right.to);
  return right.to;
}

function rightOperand(
  reading: Reading,
  right: Mention,
  left: Ref,
  numeric: (column: SchemaColumn) => boolean,
): Operand | null {
  const { question } = reading;
  const other = right.columns.filter((link) => numeric(link.column));
  if (other.length > 0) {
    const picked = pickColumn(question, { ...right, columns: other }, { tables: [left.table] });
    return picked === null ? null : { kind: "value", value: columnValue(picked) };
  }
  const entity = right.values[0];
  if (entity === undefined || entity.column.table !== left.table) return null;
  const value: Value = columnValue(left);
  const inner = plan(left.table, {
    select: [{ kind: "value", value, name: "compared" }],
    where: [{ kind: "equals", ref: refOf(question, entity.column), values: [entity.value], negated: false }],
  });
  return { kind: "plan", plan: inner, factor: 1 };
}

function add(reading: Reading, condition: Condition, from: number, to: number): void {
  reading.conditions.push({ what: condition, from, to });
}
