import type { CodeMeaning } from "../linking/value-links.js";
import { nameWords } from "../schema/name-words.js";
import type { Schema, SchemaColumn } from "../schema/schema.js";
import { stem, stemSet } from "../words/stem.js";
import { STOP_WORDS } from "../words/stop-words.js";
import { fold, normalise } from "../words/tokens.js";
import { codesIn } from "./codes.js";
import type { Entry } from "./entries.js";
import { bindExpression, type WrittenExpression } from "./expressions.js";

/** A word that a document defines. */
export interface Term {
  /** As the document writes it. */
  readonly name: string;
  /** Stems of its words. */
  readonly words: readonly string[];
  /** The definition in words, to be read like a part of a question; null where it is a formula. */
  readonly text: string | null;
  readonly expression: WrittenExpression | null;
}

/** What documents say about columns, before the schema with its values is known. */
export interface ColumnNotes {
  /** Folded column name → notes, each with the headings that it stands under. */
  readonly notes: ReadonlyMap<string, readonly { readonly headings: readonly string[]; readonly text: string }[]>;
}

/** Descriptions of columns: entries whose key is a column's name. */
export function columnNotes(entries: readonly Entry[], names: readonly string[]): ColumnNotes {
  const known = new Set(names.map(fold));
  const notes = new Map<string, { headings: readonly string[]; text: string }[]>();
  for (const { key, body, headings } of entries) {
    if (key === null) continue;
    const name = fold(key.includes(".") && !known.has(fold(key)) ? (key.split(".").at(-1) ?? key) : key);
    if (!known.has(name)) continue;
    notes.set(name, [...(notes.get(name) ?? []), { headings, text: body }]);
  }
  return { notes };
}

/** Stems that the notes use for a column of a table; a note under a heading of another table does not count. */
export function describedWords(
  notes: ColumnNotes,
  table: string,
  column: string,
  tables: readonly string[],
): readonly string[] {
  const words = notesOf(notes, table, column, tables).flatMap((text) => meaningWords(withoutCodes(text)));
  return [...new Set(words)];
}

function notesOf(notes: ColumnNotes, table: string, column: string, tables: readonly string[]): readonly string[] {
  const all = notes.notes.get(fold(column)) ?? [];
  const mine = nameWords(table).join(" ");
  const others = tables.filter((other) => other !== table).map((other) => nameWords(other).join(" "));
  return all
    .filter(({ headings }) => {
      const last = nameWords(headings.at(-1) ?? "").join(" ");
      return last === mine || !others.includes(last);
    })
    .map(({ text }) => text);
}

/** The first clause is what the column is; codes behind it are values, not names. */
function withoutCodes(text: string): string {
  const end = text.search(/['"“`+]|[;；]|\.(\s|$)|\(/u);
  return end > 3 ? text.slice(0, end) : text;
}

export function meaningWords(text: string): readonly string[] {
  return normalise(text)
    .split(" ")
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map(stem);
}

/** Codes of columns with their meanings, from notes and from free sentences whose codes only one column has. */
export function codeMeanings(
  entries: readonly Entry[],
  notes: ColumnNotes,
  schema: Schema,
  domain: (column: SchemaColumn) => readonly string[],
): readonly CodeMeaning[] {
  const tables = schema.tables.map((table) => table.name);
  const columns = schema.tables.flatMap((table) => table.columns);
  const fromNotes = columns.flatMap((column) =>
    notesOf(notes, column.table, column.name, tables).flatMap((text) => meanings(column, text, domain(column))),
  );
  const free = entries
    .filter(({ key }) => key === null)
    .flatMap(({ body }) => {
      const codes = codesIn(body).map(({ code }) => code);
      if (codes.length < 2) return [];
      const owner = columns.find((column) => codes.every((code) => domain(column).includes(code)));
      return owner === undefined ? [] : meanings(owner, body, domain(owner));
    });
  return [...fromNotes, ...free];
}

function meanings(column: SchemaColumn, text: string, values: readonly string[]): readonly CodeMeaning[] {
  return codesIn(text).flatMap(({ code, meaning }) => {
    const value =
      values.find((candidate) => candidate === code) ?? values.find((candidate) => fold(candidate) === fold(code));
    return value === undefined ? [] : [{ column, value, words: meaningWords(meaning) }];
  });
}

const DEFINES =
  /^(?:an?\s+|the\s+)?(?<name>[^,;:]{2,50}?)\s+(?:(?:is|are)\s+(?:defined\s+as\s+|those\s+|calculated\s+as\s+|computed\s+as\s+)?|means?\s+|refers?\s+to\s+|counts?\s+as\s+)(?<body>.+?)[.。]?$/iu;
const DEFINES_CHINESE = /^(?<name>[^，。：:=]{1,20}?)\s*(?:是指|指的是|指|定义为|等于|即|是)\s*(?<body>.+?)[。.]?$/u;

/** Terms that are defined: keys that are no columns, and sentences like `An X is a Y with …`. */
export function termsOf(entries: readonly Entry[], schema: Schema): readonly Term[] {
  const columns = new Set(schema.tables.flatMap((table) => table.columns.map((column) => fold(column.name))));
  return entries.flatMap(({ key, body, headings }) => {
    const stated = key === null ? definition(body) : { name: key, text: body };
    if (stated === null || columns.has(fold(stated.name))) return [];
    const owner = schema.tables.find((table) =>
      headings.some((heading) => nameWords(heading).join(" ") === table.words.join(" ")),
    );
    const expression = bindExpression(stated.text, schema, owner?.name ?? null);
    const words = meaningWords(stated.name);
    const says = expression !== null || key !== null || /[\d'"`“=<>+]/.test(stated.text);
    if (words.length === 0 || !says || (words.length === 1 && GENERAL.has(words[0] ?? ""))) return [];
    return [{ name: stated.name, words, text: expression === null ? stated.text : null, expression }];
  });
}

/** Words of statistics and of missing data, which a sentence may explain without making them terms. */
const GENERAL = stemSet(
  "average averages mean median total sum count missing null value values data measurement percentage rate",
);

function definition(sentence: string): { name: string; text: string } | null {
  const groups = (DEFINES_CHINESE.exec(sentence) ?? DEFINES.exec(sentence))?.groups;
  const english = DEFINES.exec(sentence)?.groups;
  const found = /\p{Script=Han}/u.test(sentence) ? groups : english;
  return found?.name === undefined || found.body === undefined ? null : { name: found.name, text: found.body };
}
