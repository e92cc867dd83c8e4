import type { Schema, SchemaColumn, SchemaTable } from "../schema/schema.js";
import { numberWord, ordinalWord } from "../words/numbers.js";
import { isVerbForm, stem, stemSet } from "../words/stem.js";
import { FIELD_NOUNS, STOP_WORDS } from "../words/stop-words.js";
import { normalise, type Token } from "../words/tokens.js";
import { wordMatch } from "./word-match.js";

export interface ColumnLink {
  readonly column: SchemaColumn;
  /** 0 … 1 and a little more for a name that stands in the question letter by letter. */
  readonly score: number;
}

export interface Range {
  /** First token, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

export interface SpanLinks<Link> extends Range {
  readonly links: readonly Link[];
}

const LONGEST = 6;
const LEAST_SCORE = 0.5;
const UNITS = stemSet("cm mm km kg g mg lb usd eur pct percent m s sec ms hour min day in");
const IMPERATIVES = new Set(["list", "name", "state", "show", "give", "find"]);
/** Nouns that may stand beside a field's name: phone number, reference name. */
const SPARE_NOUNS = stemSet("number name code date title");
const DATES = stemSet("date datetime");
/** Small words that may stand inside a field's name: number of laps, date of the first visit. */
const INSIDE = new Set(["of", "the", "in", "on", "per", "for", "to", "at", "a", "an", "'s"]);
const NAME = stem("name");
const NAME_PARTS = stemSet("first last full middle nick display user given family short long");
const COUNTS = stemSet("count num number cnt");
const GENERIC = stemSet("id code no key text value");

/** Spans of the question that name columns, with every column that they may name. */
export function linkColumns(tokens: readonly Token[], schema: Schema): readonly SpanLinks<ColumnLink>[] {
  const columns = schema.tables.flatMap((table) => table.columns.map((column) => prepare(column, table)));
  const rarity = rarityOf(columns);
  const spans: SpanLinks<ColumnLink>[] = literalSpans(tokens, columns);
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST); to++) {
      const asked = tokens.slice(from, to);
      if (!isPhrase(asked)) continue;
      const links = columns.flatMap((column) => {
        const score = phraseScore(asked, column, rarity);
        return score >= LEAST_SCORE ? [{ column: column.column, score }] : [];
      });
      if (links.length > 0) spans.push({ from, to, links: best(links) });
    }
  }
  return spans;
}

interface Prepared {
  readonly column: SchemaColumn;
  /** Words that must be spoken for a full match. */
  readonly needed: readonly string[];
  readonly all: readonly string[];
  /** It is a number of things: comment_count. */
  readonly counts: boolean;
  /** It is the name of something: agent_name. */
  readonly named: boolean;
  /** Words of its table, which may be spoken with it: loan amount. */
  readonly owner: readonly string[];
  readonly plain: string;
}

function prepare(column: SchemaColumn, table: SchemaTable): Prepared {
  const spare = (word: string) => UNITS.has(word) || STOP_WORDS.has(word) || table.words.includes(word);
  const needed = withoutDate(column.words.filter((word) => !spare(word) && !GENERIC.has(word)));
  const withGeneric = column.words.filter((word) => !spare(word));
  const plain = normalise(column.name);
  return {
    column,
    needed: needed.length > 0 ? needed : withGeneric.length > 0 ? withGeneric : column.words,
    all: column.words,
    named:
      column.words.length > 1 &&
      column.words.at(-1) === NAME &&
      !table.words.some((word) => column.words.includes(word)),
    owner: table.words,
    counts: column.words.length > 1 && column.words.some((word) => COUNTS.has(word)),
    plain,
  };
}

/** `open date` is spoken for by `opened`, `view count` by `views`. */
function withoutDate(words: readonly string[]): readonly string[] {
  const spare = (word: string) =>
    DATES.has(word) || COUNTS.has(word) || (word === NAME && !words.some((other) => NAME_PARTS.has(other)));
  const rest = words.filter((word) => !spare(word));
  return rest.length > 0 ? rest : words;
}

/** How many columns are described by a word: a word of many descriptions tells nothing. */
function rarityOf(columns: readonly Prepared[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { column } of columns) {
    for (const word of new Set(column.described)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return (word) => 1 / (counts.get(word) ?? 1);
}

/** A phrase starts and ends with a word that means something, and no punctuation or quote's edge is inside. */
function isPhrase(asked: readonly Token[]): boolean {
  const [first, last] = [asked[0], asked.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (isSpare(first) || isSpare(last)) return false;
  if (asked.length > 1 && IMPERATIVES.has(first.lower)) return false;
  if (asked.some((token) => STOP_WORDS.has(token.lower) && !INSIDE.has(token.lower))) return false;
  return asked.every((token) => (token.kind !== "punctuation" || token.text === "-") && token.quote === first.quote);
}

const isSpare = (token: Token) =>
  token.kind === "punctuation" || token.lower === "'s" || token.lower === "times" || STOP_WORDS.has(token.lower);

function phraseScore(asked: readonly Token[], prepared: Prepared, rarity: (word: string) => number): number {
  const content = asked.filter((token) => !isSpare(token));
  const meaningful = content.filter((token) => !FIELD_NOUNS.has(token.stem) || prepared.all.includes(token.stem));
  if (meaningful.length === 0) return 0;
  const countsThings = asked[0]?.lower === "number" && asked[1]?.lower === "of";
  if (countsThings && !(prepared.counts && prepared.column.kind === "number")) return 0;
  const joined = content.map((token) => token.lower).join("");
  if (joined === prepared.plain.replaceAll(" ", "") && joined.length > 1) return content.length > 1 ? 1.05 : 1.02;
  return Math.max(
    nameScore(meaningful, prepared, asked.length === content.length),
    acronymScore(asked, prepared),
    joinedScore(content, prepared),
    describedScore(meaningful, prepared, rarity),
  );
}

function nameScore(content: readonly Token[], { needed, all, owner, counts, named }: Prepared, close: boolean): number {
  const taken = new Set<number>();
  let sum = 0;
  for (const [index, token] of content.entries()) {
    const match = bestWord(token, all, taken);
    if (match !== null) {
      taken.add(match.index);
      sum += match.score;
    } else if (close && isOwner(content, index, owner)) sum += 1;
    else if (close && SPARE_NOUNS.has(token.stem) && index > 0) sum += 0.85;
    else return 0;
  }
  const spoken = needed.filter((word) => [...taken].some((index) => all[index] === word));
  if (spoken.length === 0) return 0;
  const coverage = spoken.length / needed.length;
  const head = needed.at(-1);
  const headSpoken = head !== undefined && spoken.includes(head);
  return (
    (sum / content.length) *
    (0.4 + 0.6 * coverage) *
    (headSpoken ? 1 : 0.8) *
    ((counts || named) && content.length === spoken.length ? 0.9 : 1)
  );
}

/** `loan amount`: the table before the field; not `loans granted`, where a verb follows. */
function isOwner(content: readonly Token[], index: number, owner: readonly string[]): boolean {
  const [token, next] = [content[index], content[index + 1]];
  if (token === undefined || next === undefined || isVerbForm(next.lower)) return false;
  return owner.some((word) => wordMatch(token.stem, word) >= 0.85);
}

function bestWord(
  token: Token,
  words: readonly string[],
  taken: ReadonlySet<number>,
): { index: number; score: number } | null {
  let found: { index: number; score: number } | null = null;
  for (const [index, word] of words.entries()) {
    if (taken.has(index)) continue;
    const score = wordMatch(token.stem, word);
    if (score > (found?.score ?? 0)) found = { index, score };
  }
  return found;
}

/** `date of birth` → dob, `second qualifying period` → q2: initials, and a number for an ordinal. */
function acronymScore(asked: readonly Token[], { all, plain }: Prepared): number {
  if (asked.length < 2 || plain.length < 2 || plain.length > 4 || all.length > 1) return 0;
  const initials = asked
    .filter((token) => token.kind === "word" && token.lower !== "the")
    .map((token) => token.lower[0]);
  if (initials.join("") === plain && plain.length >= 2) return 0.95;
  const [, letter, digit] = /^([a-z])(\d)$/.exec(plain) ?? [];
  if (letter === undefined || digit === undefined) return 0;
  const words = asked.filter(
    (token) => token.kind === "word" && ordinalWord(token.lower) === null && numberWord(token.lower) === null,
  );
  const places = asked.flatMap(
    (token) =>
      ordinalWord(token.lower) ?? numberWord(token.lower) ?? (token.kind === "number" ? Number(token.text) : []),
  );
  const named =
    words.length > 0 && words.length <= 2 && words[0]?.lower.startsWith(letter) === true && words[0].lower.length > 2;
  return named && places.length === 1 && places[0] === Number(digit) ? 0.9 : 0;
}

/** `sign up` → signup, `t shirt` → tshirt. */
function joinedScore(content: readonly Token[], { needed }: Prepared): number {
  if (content.length < 2) return 0;
  const joined = content.map((token) => token.lower).join("");
  const stems = content.map((token) => token.stem).join("");
  if (needed.join("") === stems) return 1;
  const matched = needed.filter((word) => word === joined || word === stems);
  return matched.length === 0 ? 0 : 0.4 + (0.6 * matched.length) / needed.length;
}

function describedScore(content: readonly Token[], { column }: Prepared, rarity: (word: string) => number): number {
  if (column.described.length === 0) return 0;
  let sum = 0;
  for (const token of content) {
    const match = Math.max(
      0,
      ...column.described.map((word) => (wordMatch(token.stem, word) >= 0.85 ? rarity(word) : 0)),
    );
    if (match === 0) return 0;
    sum += match;
  }
  const strength = sum / content.length;
  const coverage = Math.min(1, content.length / Math.min(3, column.described.length));
  return 0.9 * (0.45 + 0.55 * coverage) * (0.4 + 0.6 * strength);
}

/** Column names that stand in the question as they are, however long and odd; spaces do not count. */
function literalSpans(tokens: readonly Token[], columns: readonly Prepared[]): SpanLinks<ColumnLink>[] {
  const words = tokens.map((token) => normalise(token.text).replaceAll(" ", ""));
  const spans: SpanLinks<ColumnLink>[] = [];
  for (const { column, plain } of columns) {
    for (const name of [plain, ...column.aliases]) {
      if (!name.includes(" ")) continue;
      const letters = name.replaceAll(" ", "");
      for (let from = 0; from < words.length; from++) {
        const to = endOfLetters(words, from, letters);
        if (to !== null) spans.push({ from, to, links: [{ column, score: 1.1 }] });
      }
    }
  }
  return mergeSpans(spans);
}

/** The word after the last of those that spell `letters` from `from` on; null if they do not. */
function endOfLetters(words: readonly string[], from: number, letters: string): number | null {
  let spelled = "";
  if (words[from] === "") return null;
  for (let at = from; at < words.length; at++) {
    spelled += words[at] ?? "";
    if (spelled === letters) return at + 1;
    if (!letters.startsWith(spelled)) return null;
  }
  return null;
}

function mergeSpans(spans: readonly SpanLinks<ColumnLink>[]): SpanLinks<ColumnLink>[] {
  const merged = new Map<string, SpanLinks<ColumnLink>>();
  for (const span of spans) {
    const key = `${span.from} ${span.to}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? span : { ...known, links: [...known.links, ...span.links] });
  }
  return [...merged.values()];
}

/** Links within reach of the best, best first. */
function best(links: readonly ColumnLink[]): readonly ColumnLink[] {
  const top = Math.max(...links.map((link) => link.score));
  return links.filter((link) => link.score >= top - 0.3).sort((left, right) => right.score - left.score);
}
