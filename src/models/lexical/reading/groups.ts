import type { Mention } from "../linking/mentions.js";
import { isIdentifier, isNumeric } from "../schema/schema.js";
import { columnValue, ref, type Value } from "../sql/plan.js";
import { pickColumn } from "./columns.js";
import { labelColumns } from "./labels.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";

/** What an answer is broken down by, with the mention that says it. */
export interface Grouping {
  readonly keys: readonly Value[];
  readonly mention: Mention | null;
  readonly at: number;
  /** `per`: an average over the groups, not a row for each, where an average is asked. */
  readonly per: boolean;
  readonly table: string | null;
}

/** Reads `for each country`, `per customer`, `by region`, `in every year`. */
export function readGrouping(reading: Reading): Grouping | null {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    const word = lowerAt(question, index);
    if (!["each", "every", "per", "by"].includes(word) || reading.spent.has(index)) continue;
    if (word === "by" && !groupsBy(reading, index)) continue;
    let at = index + 1;
    while (["the", "different", "unique", "distinct", "single", "of"].includes(lowerAt(question, at))) at++;
    const part = datePart(reading, at);
    if (part !== null)
      return { keys: [part], mention: mentionAt(question, at), at: index, per: word === "per", table: null };
    const mention = mentionAt(question, at);
    if (mention === null || mention.from !== at || reading.used.has(mention)) continue;
    const keys = keysOf(reading, mention);
    if (keys === null) continue;
    reading.used.add(mention);
    return { keys: keys.keys, mention, at: index, per: word === "per", table: keys.table };
  }
  return null;
}

/** `by` groups when something is counted or added up, not when a person did it or rows are ranked. */
function groupsBy(reading: Reading, index: number): boolean {
  const { question } = reading;
  const before = lowerAt(question, index - 1);
  if (["grouped", "broken", "split", "categorized", "classified", "down"].includes(before)) return true;
  if (
    [
      "sorted",
      "ordered",
      "ranked",
      "owned",
      "made",
      "created",
      "published",
      "divided",
      "followed",
      "multiplied",
    ].includes(before)
  )
    return false;
  if (/ed$/.test(before)) return false;
  const mention = mentionAt(question, index + 1);
  const column = mention?.columns[0]?.column;
  if (
    mention === null ||
    mention.values.length > 0 ||
    (column !== undefined && isNumeric(column) && !isIdentifier(column))
  )
    return false;
  const aggregated = question.tokens
    .slice(0, index)
    .some((token) => /^(number|count|total|average|sum|mean|many|much|percentage|distribution)$/.test(token.lower));
  return aggregated && (mention.columns.length > 0 || mention.tables.length > 0);
}

function datePart(reading: Reading, at: number): Value | null {
  const word = lowerAt(reading.question, at);
  if (word !== "year" && word !== "month" && word !== "day" && word !== "weekday") return null;
  const { question } = reading;
  const mention = mentionAt(question, at);
  if (mention?.columns.some((link) => link.score >= 0.95) === true) return null;
  const dates = question.schema.tables
    .flatMap((table) => table.columns)
    .filter((column) => column.kind === "date" || column.kind === "timestamp");
  const date = question.chooser.choose(
    "date grouped by",
    dates.map((column) => ({
      option: column,
      label: `${column.table}.${column.name}`,
      score: question.mentions.some((other) => other.tables[0]?.table.name === column.table) ? 0.5 : 0.3,
    })),
  );
  return date === null ? null : { kind: "date-part", part: word, of: ref({ table: date.table, column: date.name }) };
}

function keysOf(reading: Reading, mention: Mention): { keys: readonly Value[]; table: string | null } | null {
  const { question } = reading;
  const table = mention.tables[0];
  if (table !== undefined && table.score >= (mention.columns[0]?.score ?? 0)) {
    return { keys: labelValues(question, table.table.name), table: table.table.name };
  }
  const column = pickColumn(question, mention);
  return column === null ? null : { keys: [columnValue(column)], table: null };
}

/** The columns that name a row of a table. */
export function labelValues(question: Question, table: string): readonly Value[] {
  return labelColumns(question.schema, table).map((column) => columnValue(ref({ table, column: column.name })));
}
