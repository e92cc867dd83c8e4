import type { Candidate } from "../choice.js";
import type { Mention } from "../linking/mentions.js";
import { wordMatch } from "../linking/word-match.js";
import { isIdentifier, isNumeric, type SchemaColumn, type SchemaTable } from "../schema/schema.js";
import { type Ref, ref } from "../sql/plan.js";
import type { Gradable } from "../words/gradable.js";
import { isVerbForm } from "../words/stem.js";
import { STOP_WORDS } from "../words/stop-words.js";
import { attributeValue } from "./attributes.js";
import { pickColumn } from "./columns.js";
import type { ReadNumber } from "./numbers.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";

/** A number that something is compared with, and where it stands. */
export interface NumberComparison {
  readonly at: number;
  readonly number: ReadNumber;
  readonly to: number;
  readonly grade: Gradable | null;
}

/** The table whose rows a number counts: `more than 3 orders`. */
export function countedTable(
  reading: Reading,
  comparison: NumberComparison,
): { table: SchemaTable; to: number } | null {
  const { question } = reading;
  if (comparison.grade !== null || comparison.number.unit.length > 0) return null;
  let at = comparison.to;
  while (["different", "distinct", "of", "the", "unique", "separate"].includes(lowerAt(question, at))) at++;
  const mention = mentionAt(question, at);
  const table = mention?.from === at ? mention.tables[0] : undefined;
  if (mention === null || table === undefined || reading.used.has(mention)) return null;
  const asColumn = mention.columns.find(
    (link) => isNumeric(link.column) && !isIdentifier(link.column) && link.score > table.score,
  );
  if (asColumn !== undefined || hasColumnBefore(reading, comparison.at)) return null;
  return { table: table.table, to: mention.to };
}

function hasColumnBefore(reading: Reading, at: number): boolean {
  const mention = mentionBefore(reading, at, (column) => isNumeric(column) && !isIdentifier(column));
  const isVerb = mention !== null && isVerbForm(lowerAt(reading.question, mention.to - 1));
  return mention !== null && !isVerb && at - mention.to <= 2;
}

/** The column on the left of a comparison with a number: beside the number, before the words, or by unit. */
export function leftColumn(reading: Reading, comparison: NumberComparison): Ref | null {
  const { question } = reading;
  const numeric = (column: SchemaColumn) => comparable(column) && !isIdentifier(column);
  const after = mentionAt(question, comparison.to);
  if (
    after !== null &&
    after.from === comparison.to &&
    !reading.used.has(after) &&
    comparison.number.unit.length === 0
  ) {
    const picked = pickColumn(question, after, { suits: numeric });
    if (picked !== null && !(hasColumnBefore(reading, comparison.at) && !isStrong(after)))
      return use(reading, after, picked);
  }
  const before = mentionBefore(reading, comparison.at, numeric);
  if (before !== null) {
    const picked = pickColumn(question, before, { suits: numeric });
    if (picked !== null) return use(reading, before, picked);
  }
  const named = comparison.grade === null ? attributeBefore(reading, comparison.at) : null;
  return named ?? byUnit(reading, comparison);
}

/** `a speed over 50` where Speed is the stored name of a measure. */
function attributeBefore(reading: Reading, at: number): Ref | null {
  const { question } = reading;
  let index = at - 1;
  while (index >= 0 && STOP_WORDS.has(lowerAt(question, index))) index--;
  const mention = mentionAt(question, index);
  return mention === null || mention.values.length === 0 ? null : attributeValue(reading, mention);
}

const isStrong = (mention: Mention) => (mention.columns[0]?.score ?? 0) >= 0.9;

function use(reading: Reading, mention: Mention, picked: Ref): Ref {
  reading.used.add(mention);
  return picked;
}

function comparable(column: SchemaColumn): boolean {
  if (isNumeric(column)) return true;
  return (
    column.kind === "text" &&
    column.top.length > 0 &&
    column.top.filter((value) => /^\d/.test(value)).length >= column.top.length / 2
  );
}

/** The nearest mention before a token with a suitable column, not across a clause. */
export function mentionBefore(reading: Reading, at: number, suits: (column: SchemaColumn) => boolean): Mention | null {
  const { question } = reading;
  let strangers = 0;
  for (let index = at - 1; index >= 0 && at - index <= 9; index--) {
    const text = lowerAt(question, index);
    if ([",", ";", ".", "?"].includes(text) || (text === "and" && strangers > 0) || reading.spent.has(index))
      return null;
    const mention = mentionAt(question, index);
    if (mention !== null) {
      if (!reading.used.has(mention) && mention.columns.some((link) => suits(link.column))) return mention;
      if (mention.values.length > 0 && mention.columns.length === 0) strangers++;
      index = mention.from;
      continue;
    }
    if (!STOP_WORDS.has(text)) strangers++;
    if (strangers > 3) return null;
  }
  return null;
}

/** A column by the unit of the number or by the adjective that compares. */
export function byUnit(reading: Reading, comparison: NumberComparison): Ref | null {
  const { question } = reading;
  const hints =
    comparison.grade === null ? comparison.number.unit : [...comparison.grade.columns, ...comparison.grade.inverse];
  const named = new Set(
    question.mentions.flatMap((mention) => (mention.tables[0] === undefined ? [] : [mention.tables[0].table.name])),
  );
  const candidates = question.schema.tables
    .flatMap((table) => table.columns)
    .filter((column) => comparable(column) && !isIdentifier(column))
    .map((column): Candidate<SchemaColumn> => {
      const hint = Math.max(
        0,
        ...hints.map(
          (word, index) => Math.max(0, ...column.words.map((own) => wordMatch(word, own))) * (1 - index * 0.03),
        ),
      );
      const within =
        Number(column.min) <= comparison.number.value && comparison.number.value <= Number(column.max) ? 0.2 : 0;
      return {
        option: column,
        label: `${column.table}.${column.name}`,
        score: hint + within + (named.has(column.table) ? 0.2 : 0),
      };
    })
    .filter(({ score }) => (hints.length > 0 ? score >= 0.7 : score > 0.3));
  const column = question.chooser.choose(`compared column at token ${comparison.at}`, candidates);
  return column === null ? null : ref({ table: column.table, column: column.name });
}

export function inverse(reading: Reading, left: Ref, grade: Gradable): boolean {
  const column = columnAt(reading.question, left);
  const direct = column.words.some((word) => grade.columns.includes(word));
  const against = column.words.some((word) => grade.inverse.includes(word));
  return against && !direct ? grade.up : !grade.up && !against;
}

function columnAt(question: Question, name: Ref): SchemaColumn {
  const column = question.schema.tables
    .find((table) => table.name === name.table)
    ?.columns.find((candidate) => candidate.name === name.column);
  if (column === undefined) throw new Error(`no column ${name.table}.${name.column}`);
  return column;
}
