import type { Candidate } from "../choice.js";
import type { Mention } from "../linking/mentions.js";
import { wordMatch } from "../linking/word-match.js";
import { isIdentifier, isNumeric, isTemporal, type SchemaColumn } from "../schema/schema.js";
import { type AggregateFunction, columnValue, type Ref, ref } from "../sql/plan.js";
import { type Gradable, gradeOf } from "../words/gradable.js";
import { stemSet } from "../words/stem.js";
import { STOP_WORDS } from "../words/stop-words.js";
import { aggregateWord } from "./aggregate-words.js";
import { attributeValue } from "./attributes.js";
import { isClock } from "./clocks.js";
import { pickColumn } from "./columns.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";
import { type Direction, ORDERED_DOWN, type RankedBy } from "./superlatives.js";
import { termValue } from "./terms.js";
import { isYearNumber } from "./years.js";

interface Ranked {
  readonly by: RankedBy;
  /** Set where the field itself decides the direction: the fastest time is the smallest. */
  readonly ascending: boolean | null;
  readonly to: number;
}

const THROUGH = new Set([
  "the",
  "of",
  "a",
  "an",
  "total",
  "number",
  "overall",
  "amount",
  "in",
  "all",
  "different",
  "distinct",
  "unique",
  "single",
  "recorded",
  "ever",
  "-",
]);
const COMMON = new Set([
  "common",
  "frequent",
  "popular",
  "frequently",
  "commonly",
  "often",
  "prevalent",
  "used",
  "represented",
]);

export function rankedBy(reading: Reading, index: number, start: number, direction: Direction): Ranked | null {
  const { question } = reading;
  if (direction.ordered) return ordered(reading, index, start);
  if (COMMON.has(lowerAt(question, start)) && direction.generic && !hasColumn(question, start))
    return { by: { kind: "frequency" }, ascending: null, to: start + 1 };
  let at = start;
  let fn: AggregateFunction | null = null;
  let counted = false;
  let distinct = false;
  while (at < question.tokens.length && (mentionAt(question, at) === null || isDescribing(reading, at))) {
    const word = lowerAt(question, at);
    const aggregate = aggregateWord(word);
    if (aggregate !== null) fn = aggregate;
    if (word === "number" || word === "count") counted = true;
    if (word === "different" || word === "distinct" || word === "unique") distinct = true;
    if (!THROUGH.has(word) && aggregate === null && word !== "count" && !isDescribing(reading, at)) break;
    at++;
  }
  const mention = mentionAt(question, at);
  const phrased = ["top", "bottom"].includes(lowerAt(question, index)) ? byPhrase(reading, start, direction) : null;
  if (phrased !== null) return phrased;
  if (mention !== null && !(mention.from < start && mention.to > start)) {
    const ranked = byMention(reading, mention, direction, { fn, counted, distinct });
    if (ranked !== null) return ranked;
  }
  return (
    byPhrase(reading, start, direction) ??
    byGrade(reading, index, start, direction) ??
    byVerb(reading, index, start, direction) ??
    byLaterField(reading, start, direction) ??
    byUnknownNoun(reading, index, start) ??
    byOnlyAmount(reading, index, start) ??
    byEarlierField(reading, index, start, direction)
  );
}

/** `the most cloudy nights`: a value that was read as a condition stands before what is counted. */
function isDescribing(reading: Reading, at: number): boolean {
  const mention = mentionAt(reading.question, at);
  return mention !== null && reading.used.has(mention) && mention.values.length + (mention.term === null ? 0 : 1) > 0;
}

const hasColumn = (question: Question, at: number) => (mentionAt(question, at)?.columns.length ?? 0) > 0;

interface Manner {
  readonly fn: AggregateFunction | null;
  readonly counted: boolean;
  readonly distinct: boolean;
}

const rankable = (column: SchemaColumn) =>
  (isNumeric(column) || isTemporal(column) || isClock(column)) && !isIdentifier(column);

function byMention(reading: Reading, mention: Mention, direction: Direction, manner: Manner): Ranked | null {
  const { question } = reading;
  const defined = mention.term === null ? null : termValue(mention.term);
  if (defined !== null) {
    reading.used.add(mention);
    return { by: { kind: "value", value: defined, fn: manner.fn }, ascending: null, to: mention.to };
  }
  const attribute = attributeValue(reading, mention);
  if (attribute !== null) {
    reading.used.add(mention);
    return { by: { kind: "value", value: columnValue(attribute), fn: manner.fn }, ascending: null, to: mention.to };
  }
  const columnScore = Math.max(0, ...mention.columns.filter((link) => rankable(link.column)).map((link) => link.score));
  const tableLink = mention.tables[0];
  const isTable = tableLink !== undefined && (tableLink.score >= columnScore || manner.counted) && columnScore < 1.02;
  if (direction.generic && isTable && (direction.grade === null || manner.counted || columnScore === 0)) {
    if (reading.used.has(mention)) return null;
    reading.used.add(mention);
    return {
      by: { kind: "count", table: tableLink.table, distinct: manner.distinct },
      ascending: null,
      to: mention.to,
    };
  }
  if (columnScore > 0 && !reading.used.has(mention)) {
    const picked = pickColumn(question, mention, { suits: rankable });
    const column = mention.columns.find(
      (link) => link.column.table === picked?.table && link.column.name === picked.column,
    )?.column;
    if (picked !== null && column !== undefined) {
      reading.used.add(mention);
      return {
        by: { kind: "value", value: columnValue(picked), fn: manner.fn },
        ascending: fieldDirection(question, column, direction, mention),
        to: mention.to,
      };
    }
  }
  return null;
}

const BETTER_SMALL = stemSet("rank position place ranking time millisecond");

/** Best and fastest mean small for times, places and ranks. */
function fieldDirection(
  question: Question,
  column: SchemaColumn,
  direction: Direction,
  mention: Mention,
): boolean | null {
  const superlative = question.tokens
    .slice(0, mention.from)
    .map((token) => token.lower)
    .findLast((candidate) => /^(best|worst|top|fastest|quickest|slowest|highest|lowest)$/.test(candidate));
  const small = isClock(column) || column.words.some((own) => BETTER_SMALL.has(own));
  if (direction.grade !== null && !direction.generic) {
    const against =
      column.words.some((own) => direction.grade?.inverse.includes(own)) &&
      !column.words.some((own) => direction.grade?.columns.includes(own));
    return against ? direction.descending : null;
  }
  if (superlative === "best" || superlative === "top") return small ? true : null;
  if (superlative === "worst") return small ? false : null;
  return superlative === "highest" && column.words.some((own) => /^(rank|ranking)$/.test(own)) ? true : null;
}

/** `top 3 players by rating`, `in terms of population`. */
function byPhrase(reading: Reading, start: number, direction: Direction): Ranked | null {
  const { question } = reading;
  for (let at = start; at < question.tokens.length; at++) {
    const word = lowerAt(question, at);
    const isBy =
      word === "by" ||
      (word === "terms" && lowerAt(question, at + 1) === "of") ||
      (word === "on" && lowerAt(question, at - 1) === "based") ||
      (word === "to" && lowerAt(question, at - 1) === "according");
    if (!isBy) continue;
    let next = at + 1;
    let fn: AggregateFunction | null = null;
    let counted = false;
    while (mentionAt(question, next) === null && next < at + 6) {
      fn = aggregateWord(lowerAt(question, next)) ?? fn;
      counted ||= lowerAt(question, next) === "number";
      next++;
    }
    const mention = mentionAt(question, next);
    if (mention === null) continue;
    const generic: Direction = { ...direction, grade: null, generic: true, ordered: false, to: next };
    const ranked = byMention(reading, mention, generic, { fn, counted, distinct: false });
    if (ranked !== null) return { ...ranked, to: start };
  }
  return null;
}

/** A field that the adjective measures: height for tallest, price for cheapest. */
function byGrade(reading: Reading, index: number, start: number, direction: Direction): Ranked | null {
  if (direction.grade === null) return null;
  const found = gradedField(reading, direction.grade, start);
  if (found === null) return null;
  const descending = found.inverse ? !direction.descending : direction.descending;
  return {
    by: { kind: "value", value: columnValue(found.ref), fn: null },
    ascending: !descending,
    to: Math.max(start, index + 1),
  };
}

export interface GradedField {
  readonly ref: Ref;
  /** Whether more of the adjective is less of the field: older, and an earlier birth. */
  readonly inverse: boolean;
}

/** The field that an adjective measures, of the tables near a token. */
export function gradedField(reading: Reading, grade: Gradable, at: number): GradedField | null {
  const { question } = reading;
  const next = mentionAt(question, at);
  const candidates = question.schema.tables
    .flatMap((table) => table.columns)
    .flatMap((column): Candidate<{ column: SchemaColumn; inverse: boolean }>[] => {
      if (!rankable(column)) return [];
      const direct = hint(column, grade.columns);
      const against = hint(column, grade.inverse);
      const score = Math.max(direct, against);
      if (score === 0) return [];
      const owner = next?.tables.some((link) => link.table.name === column.table) ?? false;
      const named = question.mentions.some((mention) => mention.tables[0]?.table.name === column.table);
      return [
        {
          option: { column, inverse: against > direct },
          label: `${column.table}.${column.name}`,
          score: score + (owner ? 0.3 : 0) + (named ? 0.15 : 0),
        },
      ];
    });
  const picked = question.chooser.choose(`field measured at token ${at}`, candidates);
  return picked === null
    ? null
    : { ref: ref({ table: picked.column.table, column: picked.column.name }), inverse: picked.inverse };
}

function hint(column: SchemaColumn, words: readonly string[]): number {
  const own = [...column.words, ...column.described.slice(0, 4)];
  const scores = words.map(
    (word, place) =>
      Math.max(0, ...own.map((candidate) => (wordMatch(word, candidate) >= 0.85 ? 1 : 0))) * (1 - place * 0.04),
  );
  return Math.max(0, ...scores);
}

/** `sold the most`, `scored the fewest`: what the verb counts. */
function byVerb(reading: Reading, index: number, start: number, direction: Direction): Ranked | null {
  const { question } = reading;
  if (!/^(most|least|fewest)$/.test(lowerAt(question, index)) || mentionAt(question, start) !== null) return null;
  for (let at = index - 1; at >= Math.max(0, index - 4); at--) {
    const mention = mentionAt(question, at);
    if (mention === null || reading.used.has(mention)) continue;
    const ranked = byMention(reading, mention, direction, { fn: null, counted: false, distinct: false });
    if (ranked !== null) return { ...ranked, to: start };
  }
  return null;
}

/** `the best lap time in the second qualifying period`: the field is named further on. */
function byLaterField(reading: Reading, start: number, direction: Direction): Ranked | null {
  const { question } = reading;
  for (const mention of question.mentions) {
    if (mention.from < start || mention.from > start + 10 || reading.used.has(mention)) continue;
    if (mention.tables.length > 0 || !mention.columns.some((link) => rankable(link.column) && link.score >= 0.6))
      continue;
    const ranked = byMention(reading, mention, direction, { fn: null, counted: false, distinct: false });
    if (ranked !== null) return ranked;
  }
  return null;
}

/** `sold the most properties` where nothing is called property: how often the thing asked for occurs. */
function byUnknownNoun(reading: Reading, index: number, start: number): Ranked | null {
  const { question } = reading;
  const noun = question.tokens[start];
  const counts = /^(most|fewest|least)$/.test(lowerAt(question, index));
  if (!counts || noun?.kind !== "word" || STOP_WORDS.has(noun.lower) || mentionAt(question, start) !== null)
    return null;
  return { by: { kind: "frequency" }, ascending: null, to: start + 1 };
}

/** `gave more`: the one amount that the tables in play have. */
function byOnlyAmount(reading: Reading, index: number, start: number): Ranked | null {
  const { question } = reading;
  if (!/^(most|more|least|less)$/.test(lowerAt(question, index))) return null;
  const tables = new Set(
    question.mentions.flatMap((mention) =>
      [mention.tables[0]?.table.name, mention.values[0]?.column.table].filter((name) => name !== undefined),
    ),
  );
  const amounts = question.schema.tables
    .filter((table) => tables.has(table.name))
    .flatMap((table) => table.columns)
    .filter((column) => isNumeric(column) && !isIdentifier(column) && !isYearNumber(column));
  const [only] = amounts;
  if (only === undefined || amounts.length > 1) return null;
  return {
    by: { kind: "value", value: columnValue(ref({ table: only.table, column: only.name })), fn: "sum" },
    ascending: null,
    to: start,
  };
}

/** `employment in construction at its lowest`: nothing follows, so the field stands before. */
function byEarlierField(reading: Reading, index: number, start: number, direction: Direction): Ranked | null {
  const { question } = reading;
  if (question.tokens[start]?.kind === "word") return null;
  const before = question.mentions.filter((mention) => mention.to <= index && !reading.used.has(mention));
  const field = before.findLast(
    (mention) =>
      mention.tables.length === 0 &&
      mention.columns.some((link) => isNumeric(link.column) && !isIdentifier(link.column) && link.score >= 0.6),
  );
  return field === undefined
    ? null
    : byMention(reading, field, direction, { fn: null, counted: false, distinct: false });
}

/** `the first rally`, `the latest order`: by the date of the thing. */
function ordered(reading: Reading, index: number, start: number): Ranked | null {
  const { question } = reading;
  const next = nextMention(question, start);
  if (next === null || (index > 0 && lowerAt(question, index - 1) === "at")) return null;
  if (next.columns.some((link) => isTemporal(link.column) && link.score >= 0.8) && !reading.used.has(next)) {
    const picked = pickColumn(question, next, { suits: isTemporal });
    if (picked !== null)
      return {
        by: { kind: "value", value: columnValue(picked), fn: null },
        ascending: ORDERED_DOWN.has(lowerAt(question, index)),
        to: start,
      };
  }
  const grade = gradeOf("late")?.gradable;
  if (grade === undefined) return null;
  const found = gradedField(reading, grade, next.from);
  return found === null
    ? null
    : {
        by: { kind: "value", value: columnValue(found.ref), fn: null },
        ascending: ORDERED_DOWN.has(lowerAt(question, index)),
        to: start,
      };
}

function nextMention(question: Question, start: number): Mention | null {
  for (let at = start; at < start + 3; at++) {
    const mention = mentionAt(question, at);
    if (mention !== null && (mention.tables.length > 0 || mention.values.length > 0 || mention.columns.length > 0))
      return mention;
  }
  return null;
}
