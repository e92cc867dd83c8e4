import type { Chooser } from "../choice.js";
import type { Term } from "../documents/glossary.js";
import type { Knowledge } from "../linking/link-question.js";
import { wordMatch } from "../linking/word-match.js";
import type { Schema, SchemaColumn, SchemaTable } from "../schema/schema.js";
import { fold } from "../words/tokens.js";
import { LONGEST_ENTRY, meaningsOf } from "./dictionary.js";

/** A stretch of a Chinese question and what it may name. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly columns: readonly { readonly column: SchemaColumn; readonly score: number }[];
  readonly tables: readonly { readonly table: SchemaTable; readonly score: number }[];
  readonly values: readonly { readonly column: SchemaColumn; readonly value: string }[];
  readonly term: Term | null;
}

/** A Chinese question with what its characters may name. */
export interface Phrase {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly knowledge: Knowledge;
  readonly chooser: Chooser;
}

const LONGEST = 14;

/** Finds names of columns, tables, values and terms in the text; spans do not overlap. */
export function readPhrase(text: string, knowledge: Knowledge, chooser: Chooser): Phrase {
  const plain = fold(text);
  const best: { score: number; spans: readonly Span[] }[] = [{ score: 0, spans: [] }];
  for (let end = 1; end <= text.length; end++) {
    let chosen = best[end - 1] ?? { score: 0, spans: [] };
    for (let start = Math.max(0, end - LONGEST); start < end; start++) {
      const before = best[start];
      const named = before === undefined ? null : spanOf(plain, start, end, knowledge);
      if (before === undefined || named === null) continue;
      const score = before.score + named.weight;
      if (score > chosen.score) chosen = { score, spans: [...before.spans, named.span] };
    }
    best.push(chosen);
  }
  return { text, spans: best.at(-1)?.spans ?? [], knowledge, chooser };
}

function spanOf(plain: string, from: number, to: number, knowledge: Knowledge): { span: Span; weight: number } | null {
  const text = plain.slice(from, to);
  if (/^[\s\p{P}]|[\s\p{P}]$/u.test(text) || /^\d+$/.test(text)) return null;
  const columns = columnsFor(text, knowledge.schema);
  const tables = tablesFor(text, knowledge.schema);
  const values = valuesFor(text, plain, from, to, knowledge);
  const term = knowledge.terms.find((candidate) => fold(candidate.name) === text) ?? null;
  const length = text.length;
  const weight = Math.max(
    top(columns) * length,
    top(tables) * length * 0.98,
    values.length > 0 ? length * 1.1 : 0,
    term === null ? 0 : length * 1.2,
  );
  if (weight <= 0) return null;
  return { span: { from, to, text, columns, tables, values, term }, weight: weight - 0.05 };
}

const top = (links: readonly { readonly score: number }[]) => Math.max(0, ...links.map(({ score }) => score));

function columnsFor(text: string, schema: Schema): Span["columns"] {
  return schema.tables
    .flatMap((table) => table.columns)
    .map((column) => ({ column, score: nameScore(text, column.name, column.words, column.described) }))
    .filter(({ score }) => score >= 0.45)
    .sort((left, right) => right.score - left.score);
}

function tablesFor(text: string, schema: Schema): Span["tables"] {
  return schema.tables
    .map((table) => ({ table, score: nameScore(text, table.name, table.words, []) }))
    .filter(({ score }) => score >= 0.5)
    .sort((left, right) => right.score - left.score);
}

/** A Chinese name as a whole or a telling part of it; an English name by what the words mean. */
function nameScore(text: string, name: string, words: readonly string[], described: readonly string[]): number {
  const folded = fold(name);
  if (folded === text) return 1.05;
  if (/\p{Script=Han}/u.test(folded))
    return text.length >= 2 && folded.includes(text) ? 0.5 + 0.45 * (text.length / folded.length) : 0;
  if (described.includes(text)) return 0.9;
  if (text.length > LONGEST_ENTRY) return 0;
  const meanings = meaningsOf(text);
  const scores = meanings.map(
    (meaning, place) =>
      Math.max(0, ...words.map((word) => (wordMatch(meaning, word) >= 0.85 ? 1 : 0))) * (1 - place * 0.06),
  );
  const best = Math.max(0, ...scores);
  const own = words.filter((word) => word !== "id");
  return best === 0 ? 0 : best * (0.7 + 0.3 / Math.max(1, own.length));
}

function valuesFor(
  text: string,
  plain: string,
  from: number,
  to: number,
  { stored, codes }: Knowledge,
): Span["values"] {
  const edges =
    !/[a-z0-9]/.test(text) || (!/[a-z0-9]/.test(plain[from - 1] ?? "") && !/[a-z0-9]/.test(plain[to] ?? ""));
  const exact =
    edges && (text.length >= 2 || /\p{Script=Han}/u.test(text))
      ? stored.filter(({ value }) => fold(value) === text).map(({ column, value }) => ({ column, value }))
      : [];
  const meant =
    text.length >= 2
      ? codes.filter(({ words }) => words.join("") === text).map(({ column, value }) => ({ column, value }))
      : [];
  return [...exact, ...meant];
}

/** The spans that end at or before a place, nearest first. */
export function spansBefore(phrase: Phrase, at: number): readonly Span[] {
  return phrase.spans.filter((span) => span.to <= at).reverse();
}

export function spansAfter(phrase: Phrase, at: number): readonly Span[] {
  return phrase.spans.filter((span) => span.from >= at);
}
