import {
  isIdentifier,
  isNumeric,
  isTemporal,
  keyOf,
  type Schema,
  type SchemaColumn,
  type SchemaTable,
  tableOf,
} from "../schema/schema.js";
import { stem, stemSet } from "../words/stem.js";

const NAME = stem("name");
const FIRST_NAMES = stemSet("first forename given fname firstname");
const LAST_NAMES = stemSet("last surname family lname lastname");

/** The columns that call a row by its name: one, or first and last name; its key where it has no name. */
export function labelColumns(schema: Schema, tableName: string): readonly SchemaColumn[] {
  const table = tableOf(schema, tableName);
  const scored = table.columns
    .map((column, index) => ({ column, score: nameScore(column, table) - index * 0.01 }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
  const best = scored[0];
  const pair = personNames(table);
  if (pair !== null && (best === undefined || best.score < 3.5)) return pair;
  if (best !== undefined) return [best.column];
  const key = keyOf(table);
  return key === null ? [] : [key];
}

/** First and last name, if the table keeps them apart. */
export function personNames(table: SchemaTable): readonly [SchemaColumn, SchemaColumn] | null {
  const first = table.columns.find((column) => isPart(column, FIRST_NAMES));
  const last = table.columns.find((column) => isPart(column, LAST_NAMES));
  return first === undefined || last === undefined ? null : [first, last];
}

function isPart(column: SchemaColumn, parts: ReadonlySet<string>): boolean {
  if (column.kind !== "text") return false;
  const named = column.words.some((word) => parts.has(word) || parts.has(word.replace(/\d+$/, "")));
  return (
    named &&
    (column.words.length === 1 || column.words.some((word) => word === NAME) || /f_?name|l_?name/i.test(column.name))
  );
}

function nameScore(column: SchemaColumn, table: SchemaTable): number {
  if (column.kind !== "text" && column.kind !== "text-number") return 0;
  if (isIdentifier(column) && column.words.at(-1) !== NAME) return 0;
  const words = new Set([...column.words, ...column.described]);
  const own = column.words.filter((word) => !table.words.includes(word));
  const distinctness = column.distinct === null || column.rows === 0 ? 0 : column.distinct / column.rows;
  const called = own.length === 1 && own[0] === NAME;
  let score = distinctness;
  if (called || (own.length === 0 && column.words.length > 0)) score += 3;
  else if (words.has(NAME)) score += 2;
  else if (words.has(stem("title")) || words.has("label")) score += 2;
  if (words.has("display") || words.has("long")) score += 0.5;
  if (words.has("short") || words.has("nick")) score -= 0.5;
  if (/url|email|phone|address|date|description|text|comment|note/i.test(column.name)) score -= 2;
  return score >= 1 || (score > 0.5 && isOnlyText(column, table)) ? Math.max(score, 0.1) : 0;
}

function isOnlyText(column: SchemaColumn, table: SchemaTable): boolean {
  return table.columns.every(
    (other) => other === column || isNumeric(other) || isTemporal(other) || isIdentifier(other),
  );
}
