import { stem } from "./stem.js";

export type TokenKind = "word" | "number" | "date" | "time" | "punctuation";

export interface Token {
  readonly text: string;
  /** Lower case, accents removed. */
  readonly lower: string;
  readonly stem: string;
  /** Offsets in the text that was tokenized. */
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  /** Number of the quoted span that holds this token; null outside quotes. */
  readonly quote: number | null;
}

const PIECES = new RegExp(
  [
    String.raw`(?<date>\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|\d{1,2}/\d{1,2}/\d{4}(?!\d))`,
    String.raw`(?<time>\d{1,3}:\d{2}(?::\d{2})?(?:\.\d+)?)`,
    String.raw`(?<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)`,
    String.raw`(?<word>[\p{L}\p{M}][\p{L}\p{M}\p{N}]*|['’]s(?![\p{L}]))`,
    String.raw`(?<punctuation>[^\s])`,
  ].join("|"),
  "gu",
);

/** Lower case without accents, so that a question typed on a plain keyboard finds an accented value. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** A text as its words only: how questions and stored values are compared. */
export function normalise(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Contractions written out and typographic quotes made plain, before anything else looks at a question. */
export function plainEnglish(text: string): string {
  return text
    .replaceAll(/[‘’`´]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\bcan't\b/gi, "can not")
    .replaceAll(/\bwon't\b/gi, "will not")
    .replaceAll(/(\w)n't\b/gi, "$1 not")
    .replaceAll(/(\p{L}s)'(?=\s)/gu, "$1 's")
    .replaceAll(/\b(what|who|where|when|which|that|there|it|he|she)'s\b/gi, "$1 is")
    .replaceAll(/\b(No|no)\.\s*(?=\d)/g, "number ")
    .replaceAll(/#\s*(?=\d)/g, "number ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Words, numbers, dates, times and punctuation of a text, with the quoted span that each belongs to. */
export function tokenize(text: string): readonly Token[] {
  const quotes = quotedSpans(text);
  return [...text.matchAll(PIECES)].map((match) => {
    const start = match.index;
    const found = match[0];
    const lower = fold(found);
    return {
      text: found,
      lower,
      stem: stem(lower),
      start,
      end: start + found.length,
      kind: kindOf(match.groups ?? {}),
      quote: quoteAt(quotes, start),
    };
  });
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): TokenKind {
  if (groups.date !== undefined) return "date";
  if (groups.time !== undefined) return "time";
  if (groups.number !== undefined) return "number";
  return groups.word !== undefined ? "word" : "punctuation";
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Texts in double quotes, or in single quotes that stand at word edges. */
function quotedSpans(text: string): readonly Span[] {
  const pattern = /"([^"]+)"|(?<![\p{L}\p{N}])'([^']+(?:'s[^']*)?)'(?![\p{L}\p{N}])/gu;
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index + 1,
    end: match.index + match[0].length - 1,
  }));
}

function quoteAt(spans: readonly Span[], offset: number): number | null {
  const index = spans.findIndex((span) => offset >= span.start && offset < span.end);
  return index < 0 ? null : index;
}
