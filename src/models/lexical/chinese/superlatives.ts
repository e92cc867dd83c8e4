import { termValue } from "../reading/terms.js";
import { isIdentifier, isNumeric, isTemporal, type SchemaColumn } from "../schema/schema.js";
import { type AggregateFunction, columnValue, ref, type Value } from "../sql/plan.js";
import { askedSpans, type ChineseReading, rootOf } from "./compose.js";
import { amountColumn } from "./measures.js";
import { chineseNumber, NUMBER } from "./numbers.js";
import { type Span, spansAfter, spansBefore } from "./phrase.js";

export type ChineseRank =
  | { readonly kind: "value"; readonly value: Value; readonly fn: AggregateFunction | null }
  | { readonly kind: "count"; readonly table: string };

export interface ChineseSuperlative {
  readonly descending: boolean;
  readonly take: number;
  readonly skip: number;
  readonly by: ChineseRank;
  /** 最多 and 最少 add up. */
  readonly amount: boolean;
  readonly targets: readonly Span[];
  /** Where the ranked rows are. */
  readonly table: string;
}

const SUPERLATIVE =
  /(?:第([一二三四五六七八九十\d]+))?最?(高|多|大|长|久|晚|新|贵|重|快|好|老|远|强|低|少|小|短|早|旧|便宜|轻|慢|差|年轻|近)(?:值)?/gu;
const UP = new Set(["高", "多", "大", "长", "久", "晚", "新", "贵", "重", "快", "好", "老", "远", "强"]);

/** `金额最高的团队`, `哪家门店的订单最多`, `前三名`; null where nothing is ranked. */
export function readChineseSuperlative(reading: ChineseReading): ChineseSuperlative | null {
  const { phrase } = reading;
  const found = [...phrase.text.matchAll(SUPERLATIVE)].find(
    (match) => /^第.|^最/.test(match[0]) && !/值$/.test(match[0]),
  );
  const first = new RegExp(`前\\s*(${NUMBER})\\s*(?:名|个|位|大|条|家|款|种|项)?`, "u").exec(phrase.text);
  if (found === undefined && first === null) return null;
  const word = found?.[2] ?? "高";
  const at = found?.index ?? first?.index ?? 0;
  const end = at + (found?.[0] ?? first?.[0] ?? "").length;
  const place = found?.[1] === undefined ? null : chineseNumber(found[1]);
  const by = rankedBy(reading, at, end, word);
  if (by === null) return null;
  reading.used.add(by.span);
  const listed =
    found === undefined
      ? null
      : new RegExp(`^的?\\s*(${NUMBER})\\s*(?:名|个|位|大|条|家|款|种|项)`, "u").exec(phrase.text.slice(end));
  const take = chineseNumber(first?.[1] ?? listed?.[1] ?? "");
  return {
    descending: UP.has(word),
    take: take ?? 1,
    skip: place === null ? 0 : place - 1,
    by: by.rank,
    amount: word === "多" || word === "少",
    targets: targetsOf(reading, Math.max(end, first === null ? 0 : first.index + first[0].length), by.span),
    table: by.rank.kind === "count" ? by.rank.table : tableOfValue(by.rank.value, rootOf(reading, by.span)),
  };
}

function tableOfValue(value: Value, otherwise: string): string {
  return value.kind === "column" ? value.ref.table : otherwise;
}

const rankable = (column: SchemaColumn) => (isNumeric(column) || isTemporal(column)) && !isIdentifier(column);

interface Ranked {
  readonly rank: ChineseRank;
  readonly span: Span;
}

/** What stands before the superlative: a field, a sum or average of one, or things that are counted. */
function rankedBy(reading: ChineseReading, at: number, end: number, word: string): Ranked | null {
  const { phrase, used } = reading;
  const free = (span: Span) => !used.has(span);
  const span =
    spansBefore(phrase, at + 1).find((one) => free(one) && isRanked(one)) ??
    spansAfter(phrase, end).find((one) => free(one) && one.from - end <= 1 && isRanked(one)) ??
    null;
  if (span === null) return byAdjective(reading, at, word);
  const between = phrase.text.slice(span.to, at);
  const around = phrase.text.slice(Math.max(0, span.from - 4), span.from) + between;
  const term = span.term === null ? null : termValue(span.term);
  if (term !== null) return { span, rank: { kind: "value", value: term, fn: aggregateAround(around) } };
  const counted =
    /次数|数量|个数|人数|笔数|条数|数$/.test(between) || !span.columns.some(({ column }) => rankable(column));
  const column = amountColumn(reading, span);
  if (counted || column === null) return { span, rank: { kind: "count", table: countedTable(reading, span) } };
  return {
    span,
    rank: {
      kind: "value",
      value: columnValue(ref({ table: column.table, column: column.name })),
      fn: aggregateAround(around),
    },
  };
}

const isRanked = (span: Span) =>
  span.values.length === 0 && (span.term !== null || span.tables.length > 0 || span.columns.length > 0);

function aggregateAround(text: string): AggregateFunction | null {
  if (/平均|均值/.test(text)) return "avg";
  return /总|合计|累计/.test(text) ? "sum" : null;
}

function countedTable(reading: ChineseReading, span: Span): string {
  const table = span.tables[0];
  return table === undefined ? (span.columns[0]?.column.table ?? rootOf(reading, null)) : table.table.name;
}

const ADJECTIVES: Readonly<Record<string, RegExp>> = {
  贵: /pric|cost|价|费/,
  便宜: /pric|cost|价|费/,
  重: /weight|mass|重/,
  轻: /weight|mass|重/,
  老: /age|birth|年龄|生日/,
  年轻: /age|birth|年龄|生日/,
  快: /speed|速/,
  慢: /speed|速/,
  早: /date|year|time|日期|年份|时间/,
  晚: /date|year|time|日期|年份|时间/,
  新: /date|year|time|日期|年份|时间/,
};

/** `最贵的商品`: the field that the adjective measures. */
function byAdjective(reading: ChineseReading, at: number, word: string): Ranked | null {
  const pattern = ADJECTIVES[word];
  const next = spansAfter(reading.phrase, at)[0];
  const column = reading.phrase.knowledge.schema.tables
    .flatMap((table) => table.columns)
    .find(
      (candidate) =>
        rankable(candidate) &&
        pattern?.test(candidate.words.join(" ")) === true &&
        (next?.tables[0] === undefined || next.tables[0].table.name === candidate.table),
    );
  if (column === undefined) return null;
  const span: Span = {
    from: at,
    to: at,
    text: word,
    columns: [{ column, score: 1 }],
    tables: [],
    values: [],
    term: null,
  };
  return {
    span,
    rank: { kind: "value", value: columnValue(ref({ table: column.table, column: column.name })), fn: null },
  };
}

/** What is asked of the ranked things: behind 哪个, behind `最高的`, else what stands before. */
function targetsOf(reading: ChineseReading, end: number, ranked: Span): readonly Span[] {
  const { phrase, used } = reading;
  const free = phrase.spans.filter((span) => !used.has(span) && span !== ranked);
  const asked = askedSpans({ ...reading, used: new Set([...used, ranked]) });
  const which = /哪|谁|什么/.exec(phrase.text)?.index ?? -1;
  const whichSpan = free.find((span) => which >= 0 && span.from > which && span.from - which <= 4);
  if (whichSpan !== undefined) return [whichSpan];
  const behind = free.filter((span) => span.from >= end && !isFiller(phrase.text, span));
  if (behind.length === 0) return asked.slice(-1);
  const fields = behind.filter((span) => (span.columns[0]?.score ?? 0) > (span.tables[0]?.score ?? 0));
  const again = phrase.spans.filter(
    (span) => span.from >= end && used.has(span) === false && span.text === ranked.text,
  );
  return joined(behind, fields, again);
}

/** `排名前5的记录对应的企业` asks for what the records belong to. */
function isFiller(text: string, span: Span): boolean {
  return /^(?:记录|数据)$/.test(span.text) && /^(?:对应|相关|所属|中)?的/.test(text.slice(span.to));
}

/** `商品的名称和价格` asks for the fields; `商品` alone for its name. */
function joined(behind: readonly Span[], fields: readonly Span[], again: readonly Span[]): readonly Span[] {
  const wanted = fields.length > 0 && behind.length > 1 ? [...fields] : [...behind.slice(0, 1)];
  return [...new Set([...wanted, ...again])].sort((left, right) => left.from - right.from);
}
