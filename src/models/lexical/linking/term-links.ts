import type { Term } from "../documents/glossary.js";
import type { Schema } from "../schema/schema.js";
import { STOP_WORDS } from "../words/stop-words.js";
import type { Token } from "../words/tokens.js";
import type { Range, SpanLinks } from "./column-links.js";
import type { CodeMeaning, ValueLink } from "./value-links.js";
import { wordMatch } from "./word-match.js";

/** Spans of the question that speak of a defined term, all of its words in a row. */
export function linkTerms(
  tokens: readonly Token[],
  terms: readonly Term[],
): readonly (Range & { term: Term; score: number })[] {
  return terms.flatMap((term) => occurrences(tokens, term.words, 1).map((range) => ({ ...range, term, score: 1 })));
}

/** Spans of the question that say what a stored code means. */
export function linkCodes(
  tokens: readonly Token[],
  codes: readonly CodeMeaning[],
  schema: Schema,
): readonly SpanLinks<ValueLink>[] {
  const names = new Set(
    schema.tables.flatMap((table) => [...table.words, ...table.columns.flatMap((column) => column.words)]),
  );
  const spans: SpanLinks<ValueLink>[] = [];
  for (const code of codes) {
    const rivals = codes.filter((other) => other.column === code.column && other.value !== code.value);
    const own = code.words.filter((word) => !rivals.some((rival) => rival.words.includes(word)));
    const telling = own.filter((word) => !names.has(word));
    const range = spokenRange(tokens, code.words, telling.length > 0 ? telling : own, names);
    if (range === null) continue;
    spans.push({
      ...range.span,
      links: [{ column: code.column, value: code.value, score: range.score, partial: false }],
    });
  }
  return merged(spans);
}

/** Where the words that set a code apart are spoken: at least half of them, close together. */
function spokenRange(
  tokens: readonly Token[],
  words: readonly string[],
  own: readonly string[],
  names: ReadonlySet<string>,
): { span: Range; score: number } | null {
  if (own.length === 0) return null;
  const hits = tokens.flatMap((token, index) => (isSpoken(token, words) ? [index] : []));
  const telling = hits.filter((index) => own.some((word) => token(tokens, index, word)));
  const spokenOwn = own.filter((word) => telling.some((index) => token(tokens, index, word)));
  if (spokenOwn.length === 0 || spokenOwn.length < own.length / 3 || negates(tokens, telling[0] ?? 0)) return null;
  const first = telling[0] ?? 0;
  const near = hits.filter((index) => Math.abs(index - first) <= 8);
  const spoken = words.filter((word) => near.some((index) => token(tokens, index, word)));
  const spanned = near.filter((index) => telling.includes(index) || !names.has(tokens[index]?.stem ?? ""));
  const from = Math.min(...spanned);
  const to = Math.max(...spanned) + 1;
  return { span: { from, to }, score: 0.7 + 0.3 * (spoken.length / words.length) };
}

const token = (tokens: readonly Token[], index: number, word: string) => means(tokens[index]?.stem ?? "", word);

/** A unit of time is no period of issue: months is not monthly. */
function means(asked: string, word: string): boolean {
  if (/^(day|week|month|quarter|year)$/.test(asked)) return asked === word;
  return wordMatch(asked, word) >= 0.85;
}

function isSpoken(token: Token, words: readonly string[]): boolean {
  return token.kind !== "punctuation" && !STOP_WORDS.has(token.lower) && words.some((word) => means(token.stem, word));
}

function negates(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.lower === "non";
}

function occurrences(tokens: readonly Token[], words: readonly string[], least: number): readonly Range[] {
  const ranges: Range[] = [];
  for (let from = 0; from < tokens.length; from++) {
    let at = from;
    let matched = 0;
    for (const word of words) {
      while (matched > 0 && STOP_WORDS.has(tokens[at]?.lower ?? "") && tokens[at]?.stem !== word) at++;
      if (wordMatch(tokens[at]?.stem ?? "", word) < 0.85) break;
      matched++;
      at++;
    }
    if (matched >= words.length * least) ranges.push({ from, to: at });
  }
  return ranges;
}

function merged(spans: readonly SpanLinks<ValueLink>[]): readonly SpanLinks<ValueLink>[] {
  const byRange = new Map<string, SpanLinks<ValueLink>>();
  for (const span of spans) {
    const key = `${span.from} ${span.to}`;
    const known = byRange.get(key);
    byRange.set(
      key,
      known === undefined
        ? span
        : { ...known, links: [...known.links, ...span.links].sort((a, b) => b.score - a.score) },
    );
  }
  return [...byRange.values()];
}
