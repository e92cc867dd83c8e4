import type { SchemaColumn } from "../schema/schema.js";
import { related, stem } from "../words/stem.js";
import { STOP_WORDS } from "../words/stop-words.js";
import { normalise, type Token } from "../words/tokens.js";
import { demonymMatch, genderWord } from "../words/world.js";
import type { SpanLinks } from "./column-links.js";

export interface ValueLink {
  readonly column: SchemaColumn;
  readonly value: string;
  readonly score: number;
  /** The question names only a part of the stored value. */
  readonly partial: boolean;
}

/** A stored value that may stand in the question. */
export interface StoredValue {
  readonly column: SchemaColumn;
  readonly value: string;
  /** Found by looking for a part of it. */
  readonly partOf: string | null;
}

/** What a document says that a stored code means. */
export interface CodeMeaning {
  readonly column: SchemaColumn;
  readonly value: string;
  /** Stems of the meaning. */
  readonly words: readonly string[];
}

/** Spans of the question that name stored values, exactly but for case, accents, punctuation and inflection. */
export function linkValues(tokens: readonly Token[], stored: readonly StoredValue[]): readonly SpanLinks<ValueLink>[] {
  const spans = new Map<string, { from: number; to: number; links: ValueLink[] }>();
  const add = (from: number, to: number, link: ValueLink) => {
    const key = `${from} ${to}`;
    const span = spans.get(key) ?? { from, to, links: [] };
    if (!span.links.some((other) => other.column === link.column && other.value === link.value)) span.links.push(link);
    spans.set(key, span);
  };
  const starts = tokens.map((token) => normalise(token.text));
  for (const { column, value, partOf } of stored) {
    const words = normalise(partOf ?? value)
      .split(" ")
      .filter(Boolean);
    if (words.length === 0) {
      for (const span of signSpans(tokens, value))
        add(span.from, span.to, { column, value, score: 1.2, partial: false });
      continue;
    }
    const stems = words.map(stem);
    for (let from = 0; from < tokens.length; from++) {
      const to = matchWords(starts, tokens, from, words, stems);
      if (to === null) continue;
      const asked = tokens.slice(from, to);
      const score = valueScore(asked, value, words, partOf !== null);
      if (score > 0) add(from, to, { column, value, score, partial: partOf !== null });
    }
    for (const [index, token] of tokens.entries()) {
      if (partOf !== null || !isKin(token, column, value)) continue;
      add(index, index + 1, { column, value, score: 0.9, partial: false });
    }
  }
  return [...spans.values()].map((span) => ({ ...span, links: [...span.links].sort((a, b) => b.score - a.score) }));
}

/** A value of signs alone (`*`, `+`) counts only in quotes. */
function signSpans(tokens: readonly Token[], value: string): readonly { from: number; to: number }[] {
  return tokens.flatMap((token, from) => {
    if (token.quote === null) return [];
    const to = tokens.findLastIndex((other) => other.quote === token.quote) + 1;
    const isStart = tokens[from - 1]?.quote !== token.quote;
    const text = tokens
      .slice(from, to)
      .map((other) => other.text)
      .join("");
    return isStart && text === value.replaceAll(/\s/g, "") ? [{ from, to }] : [];
  });
}

/** The token after the last that spells these words from `from` on; null if they do not stand there. */
function matchWords(
  plain: readonly string[],
  tokens: readonly Token[],
  from: number,
  words: readonly string[],
  stems: readonly string[],
): number | null {
  let at = from;
  let index = 0;
  while (index < words.length) {
    const here = plain[at];
    if (here === undefined) return null;
    if (here === "") {
      if (index === 0) return null;
      at++;
      continue;
    }
    const parts = here.split(" ");
    const matches = parts.every((part, offset) => part === words[index + offset]);
    const alike =
      parts.length === 1 &&
      words.length <= 4 &&
      here.length > 3 &&
      sameWord(tokens[at]?.stem ?? "", stems[index] ?? "", words.length);
    if (!matches && !alike) return null;
    index += parts.length;
    at++;
  }
  return at;
}

/** A value of one long word may be said by its family: cardiologist for Cardiology. */
function sameWord(asked: string, word: string, words: number): boolean {
  return asked === word || (words === 1 && word.length >= 6 && related(asked, word));
}

function valueScore(asked: readonly Token[], value: string, words: readonly string[], partial: boolean): number {
  const spoken = asked.filter((token) => token.kind !== "punctuation");
  const text = spoken.map((token) => token.text).join(" ");
  const quoted = spoken.every((token) => token.quote !== null);
  const capitals = spoken.some((token) => /^\p{Lu}/u.test(token.text));
  const sameCase = text === normaliseSpaces(value);
  const longest = Math.max(...words.map((word) => word.length));
  if (longest < 2 && !(quoted || (sameCase && /^[\p{Lu}]$/u.test(value)))) return 0;
  if (/^\d+$/.test(text) && !quoted) return 0.3;
  if (!sameCase && !quoted && spoken.every((token) => STOP_WORDS.has(token.lower))) return 0;
  const base = quoted ? 1.2 : sameCase && capitals ? 1.1 : capitals ? 1 : sameCase ? 0.95 : 0.85;
  return partial ? base * 0.8 : base;
}

const normaliseSpaces = (value: string) => value.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();

/** German for Germany, women for F: the same thing by another word. */
function isKin(token: Token, column: SchemaColumn, value: string): boolean {
  if (/^\p{Lu}/u.test(token.text) && demonymMatch(token.lower, normalise(value))) return true;
  const gender = genderWord(token.lower);
  return gender?.includes(normalise(value)) === true && normalise(value) !== token.lower && isGender(column);
}

function isGender(column: SchemaColumn): boolean {
  if (column.words.some((word) => word === "sex" || word === "gender")) return true;
  const values = column.top.map((value) => value.toLowerCase());
  return values.length > 0 && values.length <= 3 && values.includes("male") && values.includes("female");
}
