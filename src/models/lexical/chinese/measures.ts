import { termMeasure, termValue } from "../reading/terms.js";
import { isIdentifier, isNumeric, isTemporal, type SchemaColumn } from "../schema/schema.js";
import { type AggregateFunction, columnValue, type Measure, ref, type SelectItem } from "../sql/plan.js";
import { type ChineseReading, inPlay } from "./compose.js";
import { type Span, spansAfter, spansBefore } from "./phrase.js";

/** Whether a column's values can be added up. */
export const isAmount = (column: SchemaColumn) => isNumeric(column) && !isIdentifier(column);

const AGGREGATES: readonly (readonly [RegExp, AggregateFunction])[] = [
  [/平均值?|均值|人均/gu, "avg"],
  [/总和|合计|总计|总额|总共|一共|总量|累计|共|总/gu, "sum"],
  [/最大值?|最高值?/gu, "max"],
  [/最小值?|最低值?/gu, "min"],
  [/中位数/gu, "median"],
  [/标准差/gu, "stddev_samp"],
  [/方差/gu, "var_samp"],
];

/** Aggregates of the fields beside their words: `平均工资`, `工资的总和`. */
export function readMeasures(reading: ChineseReading): readonly SelectItem[] {
  const { phrase, used } = reading;
  const found: { at: number; item: SelectItem }[] = [];
  for (const [pattern, fn] of AGGREGATES) {
    for (const match of phrase.text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (
        phrase.spans.some(
          (span) =>
            span.from < end &&
            match.index < span.to &&
            span.columns.some(({ score }) => score > 1) &&
            !used.has(span) &&
            fn !== "avg" &&
            span.to - span.from > match[0].length &&
            fn !== "sum",
        )
      )
        continue;
      const span = amountBeside(reading, match.index, end);
      if (span === null || found.some((one) => one.at === match.index)) continue;
      const measure = measureOf(reading, span, fn);
      if (measure !== null) found.push({ at: match.index, item: { kind: "measure", measure, name: fn } });
    }
  }
  const unique = new Map(
    found.sort((left, right) => left.at - right.at).map((one) => [JSON.stringify(one.item), one.item]),
  );
  if (unique.size > 0) return [...unique.values()];
  return bareAmount(reading);
}

/** Words for aggregates that stand before what they aggregate. */
const PREFIXES = /^(?:平均|人均|总|累计|最大|最高|最小|最低)$/;

function amountBeside(reading: ChineseReading, from: number, to: number): Span | null {
  const { phrase, used } = reading;
  const isMeasure = (span: Span) =>
    !used.has(span) &&
    (span.columns.some(({ column }) => isAmount(column)) ||
      (span.term !== null && (termValue(span.term) !== null || termMeasure(span.term) !== null)));
  const after = spansAfter(phrase, to - 2).find((span) => span.to > to && span.from - to <= 6 && isMeasure(span));
  if (after !== undefined && after.from <= to && PREFIXES.test(phrase.text.slice(from, to))) return after;
  const before = spansBefore(phrase, from + 2).find((span) => from - span.to <= 2 && isMeasure(span));
  return before ?? after ?? spansBefore(phrase, from).find(isMeasure) ?? null;
}

export function measureOf(reading: ChineseReading, span: Span, fn: AggregateFunction): Measure | null {
  if (span.term !== null) {
    const whole = termMeasure(span.term);
    if (whole !== null) return whole;
    const value = termValue(span.term);
    if (value !== null) return { kind: "aggregate", fn, of: value, distinct: false, where: [] };
  }
  const column = amountColumn(reading, span);
  return column === null
    ? null
    : {
        kind: "aggregate",
        fn,
        of: columnValue(ref({ table: column.table, column: column.name })),
        distinct: false,
        where: [],
      };
}

export function amountColumn({ phrase }: ChineseReading, span: Span): SchemaColumn | null {
  const candidates = span.columns
    .filter(({ column }) => isAmount(column) || isTemporal(column))
    .map(({ column, score }) => ({
      option: column,
      label: `${column.table}.${column.name}`,
      score: score + inPlay(phrase, column.table),
    }));
  return phrase.chooser.choose(`amount for "${span.text}"`, candidates);
}

/** `卖出了多少`, `存入多少金额`: an amount that is asked for without a word for adding up. */
function bareAmount(reading: ChineseReading): readonly SelectItem[] {
  const { phrase, used } = reading;
  if (!/(?:了|共|一共|总共|多少)/.test(phrase.text) || !/多少/.test(phrase.text) || /是多少/.test(phrase.text))
    return [];
  const span = phrase.spans.find((one) => !used.has(one) && one.columns.some(({ column }) => isAmount(column)));
  const sold = /卖|售|销/.test(phrase.text) ? quantityOf(reading) : null;
  const measure = span === undefined ? sold : measureOf(reading, span, "sum");
  return measure === null ? [] : [{ kind: "measure", measure, name: "sum" }];
}

function quantityOf({ phrase }: ChineseReading): Measure | null {
  const column = phrase.knowledge.schema.tables
    .flatMap((table) => table.columns)
    .find((one) => isAmount(one) && one.words.some((word) => /^(quantity|qty|unit|数量|销量)$/.test(word)));
  return column === undefined
    ? null
    : {
        kind: "aggregate",
        fn: "sum",
        of: columnValue(ref({ table: column.table, column: column.name })),
        distinct: false,
        where: [],
      };
}
