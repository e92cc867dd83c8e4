import path from "node:path";
import type { CompiledContext } from "./compile.js";
import { wordsOf } from "./relationship-names.js";
import { keyOf, phraseKeys, tokensOf, weightOf } from "./search-words.js";
import { type CappedColumn, lookUpValues } from "./value-index.js";

/** File of the value index in a compiled context. */
export const VALUE_INDEX = "values.sqlite";

/** Something of the context that words of a query name. */
export type CatalogMatch = MatchedThing & {
  /** 0 … 1: how much of the thing's name the query has, and how much of the query that is. */
  readonly score: number;
  /** The words that both have, as they are compared. */
  readonly matched: string;
};

type MatchedThing =
  | { readonly kind: "table"; readonly table: string }
  | { readonly kind: "column"; readonly table: string; readonly column: string }
  | {
      readonly kind: "value";
      readonly table: string;
      readonly column: string;
      readonly value: string;
      /** Rows of the table that hold the value. */
      readonly rows: number;
    }
  | { readonly kind: "heading"; readonly path: string; readonly heading: string; readonly line: number };

export interface CatalogSearch {
  /** Best first; the same for the same query, always. */
  readonly matches: readonly CatalogMatch[];
  /** Columns of which some values cannot be found. */
  readonly capped: readonly CappedColumn[];
}

interface Query {
  readonly keys: ReadonlySet<string>;
  readonly tokens: ReadonlySet<string>;
  readonly weight: number;
}

const MOST_TOKENS = 200;

/**
 * Finds tables, columns, stored values and document headings by the words of a query in English or Chinese, which may be a whole
 * question. A stored value that stands in the query as a phrase counts fully, whatever its length. Returns at most `limit` matches.
 */
export async function searchCatalog(context: CompiledContext, query: string, limit: number): Promise<CatalogSearch> {
  const tokens = new Set(tokensOf(query));
  const asked: Query = { keys: phraseKeys(query), tokens, weight: weightOfAll(tokens) };
  const telling = [...tokens].filter((token) => weightOf(token) > 0.1).slice(0, MOST_TOKENS);
  const found = lookUpValues(path.join(context.folder, VALUE_INDEX), asked.keys, telling);
  const matches: CatalogMatch[] = [];
  const seen = new Set<string>();
  const add = (thing: MatchedThing, name: string) => {
    const match = matchOf(asked, name);
    const identity = JSON.stringify(thing);
    if (match === null || seen.has(identity)) return;
    seen.add(identity);
    matches.push({ ...thing, ...match });
  };
  for (const { name, columns } of context.catalog.tables) {
    add({ kind: "table", table: name }, wordsOf(name).join(" "));
    for (const column of columns)
      add({ kind: "column", table: name, column: column.name }, wordsOf(column.name).join(" "));
  }
  for (const { table, column, value, rows } of found.values) add({ kind: "value", table, column, value, rows }, value);
  for (const { path: document, headings } of context.catalog.documents) {
    for (const { text, line } of headings) add({ kind: "heading", path: document, heading: text, line }, text);
  }
  // The sort is stable: of equal scores, what comes first in the context comes first.
  return { matches: matches.sort((a, b) => b.score - a.score).slice(0, limit), capped: found.capped };
}

/** How well a name fits the query; null when they share nothing that says something. */
function matchOf(query: Query, name: string): { score: number; matched: string } | null {
  const key = keyOf(name);
  const own = [...new Set(tokensOf(name))];
  const whole = query.keys.has(key);
  const shared = whole ? own : own.filter((token) => query.tokens.has(token));
  const weight = weightOfAll(shared);
  if (weight <= 0.1) return null;
  const ofName = whole ? 1 : weight / weightOfAll(own);
  const ofQuery = Math.min(1, weight / query.weight);
  const score = ofName * Math.min(1, weight) * (0.5 + 0.5 * ofQuery);
  return { score: Math.round(score * 10_000) / 10_000, matched: whole ? key : shared.join(" ") };
}

function weightOfAll(tokens: Iterable<string>): number {
  let sum = 0;
  for (const token of tokens) sum += weightOf(token);
  return sum;
}
