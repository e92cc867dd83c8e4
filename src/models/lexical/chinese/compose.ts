import type { Chooser } from "../choice.js";
import type { Knowledge } from "../linking/link-question.js";
import { labelColumns } from "../reading/labels.js";
import { isOneToMany } from "../reading/roots.js";
import { termValue } from "../reading/terms.js";
import { isYearNumber } from "../reading/years.js";
import { isIdentifier, isTemporal, keyOf, type SchemaColumn, tableOf } from "../schema/schema.js";
import {
  type Condition,
  columnValue,
  type Measure,
  type Plan,
  plan,
  type Ranking,
  ref,
  refsOfCondition,
  type SelectItem,
  type Value,
} from "../sql/plan.js";
import { type ChineseConditions, readChineseConditions } from "./conditions.js";
import { amountColumn, isAmount, readMeasures } from "./measures.js";
import { type Phrase, readPhrase, type Span, spansAfter, spansBefore } from "./phrase.js";
import { type ChineseSuperlative, readChineseSuperlative } from "./superlatives.js";

/** Everything read from a Chinese question. */
export interface ChineseReading extends ChineseConditions {
  readonly phrase: Phrase;
}

/** What a Chinese question asks, as a plan. */
export function composeChinesePlan(text: string, knowledge: Knowledge, chooser: Chooser): Plan {
  const phrase = readPhrase(text, knowledge, chooser);
  const reading: ChineseReading = { phrase, ...readChineseConditions(phrase) };
  const groups = readGroups(reading);
  const superlative = readChineseSuperlative(reading);
  if (/占比|百分比|百分之|比例|比率|占.{0,12}多少/.test(text)) return sharePlan(reading, groups);
  if (superlative !== null) return rankedPlan(reading, superlative);
  if (asksCount(reading)) return countPlan(reading, groups);
  const measures = readMeasures(reading);
  if (measures.length > 0) return measuredPlan(reading, groups, measures);
  return listPlan(reading);
}

const COUNTERS =
  "个|条|家|人|名|位|次|种|笔|款|本|辆|场|项|件|首|部|张|座|所|支|只|门|份|天|台|艘|架|间|段|篇|颗|棵|匹|头|类";

/** How many of something; `是多少` behind an amount asks for the amount. */
function asksCount({ phrase }: ChineseReading): boolean {
  const { text } = phrase;
  if (new RegExp(`(?:多少|几)(?:${COUNTERS})`).test(text))
    return !/(?:总和|总额|平均|合计|总量)[^，。]*?(?:多少|几)/.test(text);
  const numbers = /(?:人数|次数|笔数|条数|个数|数目|数量|总数|记录数)(?:是|为|有)?(?:多少|几)?/.exec(text);
  if (
    numbers !== null &&
    !phrase.spans.some((span) => isAt(span, numbers.index) && span.columns.some(({ column }) => isAmount(column)))
  )
    return true;
  const asked = /(?:有|共有|一共有|总共有)\s*(?:多少|几)/.exec(text);
  if (asked === null) return false;
  const next = spansAfter(phrase, asked.index)[0];
  return next === undefined || !next.columns.some(({ column }) => isAmount(column));
}

const isAt = (span: Span, at: number) => span.from <= at && at < span.to;

interface Grouping {
  readonly items: readonly SelectItem[];
  readonly values: readonly Value[];
}

/** `每个城市`, `各部门`, `按类别`, `不同地区的`. */
function readGroups(reading: ChineseReading): Grouping {
  const { phrase, used } = reading;
  for (const match of phrase.text.matchAll(
    new RegExp(`(?:每一?(?:${COUNTERS}|年|月)?|各个?|按照?|分别按|不同的?)`, "gu"),
  )) {
    const at = match.index + match[0].length;
    const span = spansAfter(phrase, at).find((one) => one.from - at <= 1 && !used.has(one));
    const part = /每(?:一)?(年|月)/.exec(match[0])?.[1];
    if (part !== undefined && span?.columns.some(({ column }) => isTemporal(column)) !== true) {
      const years = part === "年" ? yearOf(reading) : null;
      if (years !== null)
        return { items: [item(years)], values: [columnValue(ref({ table: years.table, column: years.name }))] };
      const date = dateOf(reading);
      if (date === null) continue;
      const value: Value = {
        kind: "date-part",
        part: part === "年" ? "year" : "month",
        of: ref({ table: date.table, column: date.name }),
      };
      return { items: [{ kind: "value", value, name: part === "年" ? "year" : "month" }], values: [value] };
    }
    if (
      span === undefined ||
      (match[0].startsWith("不同") && /多少|几/.test(phrase.text.slice(Math.max(0, match.index - 4), match.index)))
    )
      continue;
    const items = itemsOf(reading, span);
    const values = items.flatMap((item) => (item.kind === "value" ? [item.value] : []));
    if (values.length === 0) continue;
    used.add(span);
    return { items, values };
  }
  return { items: [], values: [] };
}

/** A field of whole years, of the tables that are named. */
function yearOf({ phrase }: ChineseReading): SchemaColumn | null {
  const named = new Set(phrase.spans.flatMap((span) => span.columns.slice(0, 1).map((link) => link.column.table)));
  return (
    phrase.knowledge.schema.tables
      .filter((table) => named.has(table.name))
      .flatMap((table) => table.columns)
      .find(isYearNumber) ?? null
  );
}

function dateOf({ phrase }: ChineseReading): SchemaColumn | null {
  return phrase.knowledge.schema.tables.flatMap((table) => table.columns).find(isTemporal) ?? null;
}

/** The columns that show what a span names: a field, or the name of a table's rows. */
export function itemsOf({ phrase }: ChineseReading, span: Span): readonly SelectItem[] {
  const table = span.tables[0];
  const column = phrase.chooser.choose(
    `column for "${span.text}"`,
    span.columns.map((link) => ({
      option: link.column,
      label: `${link.column.table}.${link.column.name}`,
      score: link.score + inPlay(phrase, link.column.table),
    })),
  );
  if (span.term !== null) {
    const value = termValue(span.term);
    if (value !== null) return [{ kind: "value", value, name: span.term.name }];
  }
  const score = span.columns[0]?.score ?? 0;
  if (table !== undefined && (table.score >= score || (column !== null && isIdentifier(column)))) {
    return labelColumns(phrase.knowledge.schema, table.table.name).map((label) => item(label));
  }
  return column === null ? [] : [item(column)];
}

/** Tables that other parts of the question name are likelier. */
export function inPlay(phrase: Phrase, table: string): number {
  const tables = phrase.spans.some((span) => span.tables[0]?.table.name === table) ? 0.12 : 0;
  return tables + (phrase.spans.some((span) => span.values[0]?.column.table === table) ? 0.06 : 0);
}

function item(column: SchemaColumn): SelectItem {
  return { kind: "value", value: columnValue(ref({ table: column.table, column: column.name })), name: column.name };
}

/** The table whose rows are meant: named, or that of the conditions. */
export function rootOf(reading: ChineseReading, span: Span | null): string {
  const { phrase, conditions } = reading;
  const named = span?.tables[0]?.score ?? 0;
  if (span !== null && named > 0 && named >= (span.columns[0]?.score ?? 0)) return span.tables[0]?.table.name ?? "";
  const column = span?.columns[0]?.column.table;
  if (column !== undefined) return column;
  const tables = phrase.spans.flatMap((one) =>
    one.tables[0] === undefined || one.tables[0].score < 0.6 ? [] : [one.tables[0].table.name],
  );
  const used = conditions.flatMap(refsOfCondition).map((one) => one.table);
  const many = phrase.knowledge.schema.tables
    .map((table) => table.name)
    .find((table) => used.includes(table) && !used.some((other) => isOneToMany(phrase.knowledge.schema, table, other)));
  return (
    tables[0] ??
    many ??
    [...phrase.knowledge.schema.tables].sort((left, right) => right.rows - left.rows)[0]?.name ??
    ""
  );
}

function countPlan(reading: ChineseReading, groups: Grouping): Plan {
  const { phrase, used, conditions } = reading;
  const asked = new RegExp(`(?:多少|几)(?:${COUNTERS})?(?:不同的)?`).exec(phrase.text);
  const at = asked === null ? phrase.text.length : asked.index + asked[0].length;
  const after =
    asked === null ? undefined : spansAfter(phrase, at).find((span) => span.from - at <= 3 && !used.has(span));
  const before = spansBefore(phrase, asked?.index ?? phrase.text.length).find((span) => !used.has(span));
  const span = after ?? before ?? null;
  const distinct = /不同|多少种|几种|去重/.test(phrase.text) && groups.values.length === 0;
  const root = rootOf(reading, span);
  const measure = countOf(reading, span, root, distinct);
  return plan(root, {
    select: [...groups.items, { kind: "measure", measure, name: "count" }],
    where: conditions,
    group: groups.values,
  });
}

function countOf(reading: ChineseReading, span: Span | null, root: string, distinct: boolean): Measure {
  const column = span?.columns[0];
  const table = span?.tables[0];
  const asField = column !== undefined && column.score > (table?.score ?? 0) && !isIdentifier(column.column);
  if (
    asField &&
    (distinct || keyOf(tableOf(reading.phrase.knowledge.schema, root)) !== null) &&
    !isAmount(column.column) &&
    (distinct || (column.column.distinct ?? 0) < column.column.rows)
  ) {
    return {
      kind: "count-distinct",
      of: columnValue(ref({ table: column.column.table, column: column.column.name })),
      where: [],
    };
  }
  return { kind: "count-rows", table: root, where: [] };
}

function measuredPlan(reading: ChineseReading, groups: Grouping, measures: readonly SelectItem[]): Plan {
  const first = measures[0];
  const table =
    first?.kind === "measure" && first.measure.kind === "aggregate" && first.measure.of.kind === "column"
      ? first.measure.of.ref.table
      : rootOf(reading, null);
  return plan(table, { select: [...groups.items, ...measures], where: reading.conditions, group: groups.values });
}

function sharePlan(reading: ChineseReading, groups: Grouping): Plan {
  const { phrase, conditions } = reading;
  const root = rootOf(reading, phrase.spans.find((span) => !reading.used.has(span) && span.tables.length > 0) ?? null);
  const frames: readonly Condition[] =
    conditions.length > 1 ? conditions.filter((condition) => condition.kind === "period") : [];
  const part = conditions.filter((condition) => !frames.includes(condition));
  const amount = phrase.spans.find(
    (span) => !reading.used.has(span) && span.columns.some(({ column, score }) => isAmount(column) && score > 0.9),
  );
  const measured = (where: readonly Condition[]): Measure => {
    const column = amount === undefined ? null : amountColumn(reading, amount);
    return column === null
      ? { kind: "count-rows", table: root, where }
      : {
          kind: "aggregate",
          fn: "sum",
          of: columnValue(ref({ table: column.table, column: column.name })),
          distinct: false,
          where,
        };
  };
  const share: Measure = {
    kind: "arithmetic",
    operator: "/",
    left: { kind: "arithmetic", operator: "*", left: { kind: "number", value: 100 }, right: measured(part) },
    right: measured([]),
  };
  return plan(root, {
    select: [...groups.items, { kind: "measure", measure: share, name: "percentage" }],
    where: frames,
    group: groups.values,
  });
}

function rankedPlan(reading: ChineseReading, superlative: ChineseSuperlative): Plan {
  const { phrase, conditions } = reading;
  const { schema } = phrase.knowledge;
  const items = superlative.targets.flatMap((span) => itemsOf(reading, span));
  const shown = items.length > 0 ? items : labelColumns(schema, superlative.table).map(item);
  const first = shown[0];
  const home = first?.kind === "value" && first.value.kind === "column" ? first.value.ref.table : superlative.table;
  const by = rankingOf(reading, superlative, home);
  const order = {
    by,
    descending: superlative.descending,
    take: superlative.take,
    skip: superlative.skip,
    ties: superlative.take === 1,
  };
  const group = by.kind === "measure" ? shown.flatMap((one) => (one.kind === "value" ? [one.value] : [])) : [];
  return plan(home, { select: shown, where: conditions, group, order });
}

/** Counts and sums are ranked by groups; a single field by its rows, unless many of them belong to one thing and `最多` adds them up. */
function rankingOf(reading: ChineseReading, superlative: ChineseSuperlative, home: string): Ranking {
  const { schema } = reading.phrase.knowledge;
  const { by } = superlative;
  if (by.kind === "count") return { kind: "measure", measure: { kind: "count-rows", table: by.table, where: [] } };
  if (by.fn !== null)
    return { kind: "measure", measure: { kind: "aggregate", fn: by.fn, of: by.value, distinct: false, where: [] } };
  const table = by.value.kind === "column" ? by.value.ref.table : home;
  if (superlative.amount && isOneToMany(schema, home, table))
    return { kind: "measure", measure: { kind: "aggregate", fn: "sum", of: by.value, distinct: false, where: [] } };
  return { kind: "value", value: by.value };
}

/** Fields of rows: behind 哪个, else what stands last before the question word, with all that is joined to it. */
function listPlan(reading: ChineseReading): Plan {
  const spans = askedSpans(reading);
  const items = spans.flatMap((span) => itemsOf(reading, span));
  const root = rootOf(reading, spans[0] ?? null);
  const shown = items.length > 0 ? items : labelColumns(reading.phrase.knowledge.schema, root).map(item);
  const first = shown[0];
  const home = first?.kind === "value" && first.value.kind === "column" ? first.value.ref.table : root;
  return plan(home, { select: shown, where: reading.conditions });
}

/** The spans that a question asks for. */
export function askedSpans({ phrase, used }: ChineseReading): readonly Span[] {
  const free = phrase.spans.filter((span) => !used.has(span));
  const which = new RegExp(`哪(?:一)?(?:${COUNTERS}|些|里|年|月)?`, "u").exec(phrase.text);
  const behind =
    which === null
      ? undefined
      : free.find((span) => span.from >= which.index && span.from - which.index - which[0].length <= 1);
  const last = behind ?? free.at(-1);
  if (last === undefined) return [];
  const spans = [last];
  for (let first = spans[0]; first !== undefined; first = spans[0]) {
    const previous = free.filter((span) => span.to <= (first?.from ?? 0)).at(-1);
    if (previous === undefined) break;
    const between = phrase.text.slice(previous.to, first.from);
    if (/^(?:和|及|与|、|以及|及其|，|的?和|还有|跟)(?:它们?的|他们?的|其)?$/.test(between)) spans.unshift(previous);
    else if (/^的?$/.test(between) && previous.tables.length > 0 && first.columns.length > 0 && spans.length === 1)
      break;
    else break;
  }
  return spans;
}
