import type { Mention } from "../linking/mentions.js";
import { columnOf, isIdentifier, isNumeric, isTemporal } from "../schema/schema.js";
import {
  type AggregateFunction,
  type Condition,
  columnValue,
  type Measure,
  type Plan,
  plan,
  type Value,
} from "../sql/plan.js";
import { aggregateWord } from "./aggregate-words.js";
import { pickColumn } from "./columns.js";
import type { Understanding } from "./compose.js";
import { countRows } from "./plan-parts.js";
import { lowerAt, type Placed, type Reading } from "./question.js";
import { rootTable, tableBefore } from "./roots.js";

/** `ratio of A to B`, `difference between A and B`, `how many more A than B`: two measures and an operator. */
export function comparisonPlan(understanding: Understanding): Plan {
  const { reading, head } = understanding;
  const operator = head.kind === "ratio" ? "/" : "-";
  const split = splitPoint(understanding);
  const field = comparedField(understanding);
  const extremes = extremesOf(understanding);
  const root = field?.table ?? counted(understanding);
  const of = (where: readonly Condition[]): Measure =>
    field === null
      ? countRows(root, where)
      : { kind: "aggregate", fn: field.fn, of: field.value, distinct: false, where };
  if (extremes && field !== null) {
    const extreme = (fn: AggregateFunction): Measure => ({
      kind: "aggregate",
      fn,
      of: field.value,
      distinct: false,
      where: [],
    });
    return answer(
      root,
      operator,
      extreme("max"),
      extreme("min"),
      reading.conditions.map(({ what }) => what),
    );
  }
  const two = twoFields(understanding, split);
  if (two !== null)
    return answer(
      two.table,
      operator,
      two.left,
      two.right,
      reading.conditions.map(({ what }) => what),
    );
  const sides = sidesOf(understanding, split);
  return answer(root, operator, of(sides.left), of(sides.right), sides.base);
}

function answer(root: string, operator: "/" | "-", left: Measure, right: Measure, where: readonly Condition[]): Plan {
  return plan(root, {
    select: [
      {
        kind: "measure",
        measure: { kind: "arithmetic", operator, left, right },
        name: operator === "/" ? "ratio" : "difference",
      },
    ],
    where,
  });
}

const SPLITTERS = new Set(["and", "to", "than", "versus", "vs", "against", "with"]);

interface SplitPoint {
  readonly from: number;
  readonly at: number;
  readonly end: number;
}

/** Where the first side ends: at the joiner that has a condition or field on either hand. */
function splitPoint(understanding: Understanding): SplitPoint {
  const { reading, head } = understanding;
  const spans = [...reading.conditions, ...reading.question.mentions.filter((mention) => mention.columns.length > 0)];
  const candidates: number[] = [];
  for (let at = head.to; at < head.end; at++) {
    const word = lowerAt(reading.question, at);
    const splits = SPLITTERS.has(word) || (word === "compared" && lowerAt(reading.question, at + 1) === "to");
    if (!splits || spans.some(({ from, to }) => from < at && at < to)) continue;
    const left = reading.conditions.filter(({ from, to }) => from >= head.to && to <= at);
    const right = reading.conditions.filter(({ from, to }) => from > at && to <= head.end);
    if (left.some((one) => right.some((other) => rivals(one.what, other.what)))) candidates.push(at);
  }
  const at = candidates[0] ?? findJoiner(understanding);
  return { from: head.to, at, end: head.end };
}

function findJoiner(understanding: Understanding): number {
  const { reading, head } = understanding;
  for (let at = head.to + 1; at < head.end; at++) if (SPLITTERS.has(lowerAt(reading.question, at))) return at;
  return -1;
}

/** Two conditions on one field, or the two ends of one comparison. */
function rivals(left: Condition, right: Condition): boolean {
  if ("ref" in left && "ref" in right)
    return left.ref.table === right.ref.table && left.ref.column === right.ref.column;
  return left.kind === right.kind;
}

/** A list of two values (`male and female`) is split as well. */
function sidesOf(
  understanding: Understanding,
  split: SplitPoint,
): { left: readonly Condition[]; right: readonly Condition[]; base: readonly Condition[] } {
  const { reading } = understanding;
  const what = (list: readonly Placed<Condition>[]) => list.map((one) => one.what);
  const pair = reading.conditions.find((one) => one.what.kind === "equals" && one.what.values.length === 2);
  if (pair !== undefined && pair.what.kind === "equals") {
    const [first, second] = pair.what.values;
    const of = (value: string | undefined): Condition[] =>
      value === undefined || pair.what.kind !== "equals" ? [] : [{ ...pair.what, values: [value] }];
    return { left: of(first), right: of(second), base: what(reading.conditions.filter((one) => one !== pair)) };
  }
  const inside = reading.conditions.filter(({ from, to }) => from >= split.from && to <= split.end);
  const left = inside.filter(({ to }) => to <= split.at);
  const right = inside.filter(({ from }) => from > split.at);
  const matched = right.filter((one) => left.some((other) => rivals(one.what, other.what)));
  const sideRight = matched.length > 0 ? matched : right;
  const sideLeft =
    matched.length > 0 ? left.filter((one) => matched.some((other) => rivals(one.what, other.what))) : left;
  const base = reading.conditions.filter((one) => !sideLeft.includes(one) && !sideRight.includes(one));
  return { left: what(sideLeft), right: what(sideRight), base: what(base) };
}

interface ComparedField {
  readonly table: string;
  readonly value: Value;
  readonly fn: AggregateFunction;
}

/** The field whose aggregates are compared; null where rows are counted. */
function comparedField(understanding: Understanding): ComparedField | null {
  const { reading, head, formula, superlative } = understanding;
  if (formula !== null) return null;
  const ranked =
    superlative?.by.kind === "value" && superlative.by.value.kind === "column" ? superlative.by.value.ref : null;
  const mention = reading.question.mentions.find(
    (candidate) => !reading.used.has(candidate) && candidate.to > head.from && isAmountMention(candidate),
  );
  const column =
    ranked ??
    (mention === undefined
      ? null
      : pickColumn(reading.question, mention, { suits: (one) => isNumeric(one) && !isIdentifier(one) }));
  if (column === null || saysNumberOf(reading, mention)) return null;
  const words = reading.question.tokens.slice(head.from, mention?.to ?? head.end).map((token) => token.lower);
  const fn = words.map(aggregateWord).find((found) => found !== null) ?? "sum";
  return { table: column.table, value: columnValue(column), fn };
}

function isAmountMention(mention: Mention): boolean {
  const [column] = mention.columns;
  const table = mention.tables[0]?.score ?? 0;
  return column !== undefined && column.score > table && isNumeric(column.column) && !isIdentifier(column.column);
}

function saysNumberOf(reading: Reading, mention: Mention | undefined): boolean {
  if (mention === undefined) return false;
  return (
    lowerAt(reading.question, mention.from - 1) === "of" &&
    lowerAt(reading.question, mention.from - 2) === "number" &&
    mention.tables.length > 0
  );
}

/** `between the highest and the lowest price`. */
function extremesOf(understanding: Understanding): boolean {
  const { reading, head } = understanding;
  const words = reading.question.tokens.slice(head.to, head.end).map((token) => token.lower);
  const up = words.some((word) =>
    /^(highest|maximum|max|largest|most|longest|tallest|heaviest|oldest|latest)$/.test(word),
  );
  const down = words.some((word) =>
    /^(lowest|minimum|min|smallest|least|shortest|lightest|youngest|earliest)$/.test(word),
  );
  return up && down;
}

/** `difference between price and cost`: two fields, each with its own aggregate. */
function twoFields(
  understanding: Understanding,
  split: SplitPoint,
): { table: string; left: Measure; right: Measure } | null {
  const { reading, head } = understanding;
  if (split.at < 0) return null;
  const free = reading.question.mentions.filter(
    (mention) =>
      !reading.used.has(mention) && mention.from >= head.to && mention.to <= head.end && isAmountMention(mention),
  );
  const left = free.find((mention) => mention.to <= split.at);
  const right = free.find((mention) => mention.from > split.at);
  if (left === undefined || right === undefined || left.columns[0]?.column === right.columns[0]?.column) return null;
  const measureOf = (mention: Mention): { table: string; measure: Measure } | null => {
    const column = pickColumn(reading.question, mention, { suits: (one) => isNumeric(one) || isTemporal(one) });
    if (column === null) return null;
    const words = reading.question.tokens
      .slice(mention === left ? head.from : split.at, mention.from)
      .map((token) => token.lower);
    const fn = words.map(aggregateWord).find((found) => found !== null) ?? "sum";
    return {
      table: column.table,
      measure: { kind: "aggregate", fn, of: columnValue(column), distinct: false, where: [] },
    };
  };
  const [first, second] = [measureOf(left), measureOf(right)];
  return first === null || second === null
    ? null
    : {
        table: columnOf(reading.question.schema, { table: first.table, column: left.columns[0]?.column.name ?? "" })
          .table,
        left: first.measure,
        right: second.measure,
      };
}

function counted(understanding: Understanding): string {
  const { reading, head } = understanding;
  const behind = reading.question.mentions.find(
    (mention) =>
      mention.from >= head.from &&
      (mention.tables[0]?.score ?? 0) > (mention.columns[0]?.score ?? 0) - 0.001 &&
      mention.tables.length > 0,
  );
  return behind?.tables[0]?.table.name ?? tableBefore(reading.question, head.from) ?? rootTable(reading, head.end);
}
