import type { Schema, SchemaTable } from "../schema/schema.js";
import { STOP_WORDS } from "../words/stop-words.js";
import type { Token } from "../words/tokens.js";
import type { SpanLinks } from "./column-links.js";
import { wordMatch } from "./word-match.js";

export interface TableLink {
  readonly table: SchemaTable;
  readonly score: number;
}

/** Spans of the question that name tables. */
export function linkTableNames(tokens: readonly Token[], schema: Schema): readonly SpanLinks<TableLink>[] {
  const spans: SpanLinks<TableLink>[] = [];
  for (let from = 0; from < tokens.length; from++) {
    for (const length of [1, 2, 3]) {
      const asked = tokens.slice(from, from + length);
      if (asked.length < length || asked.some((token) => token.kind !== "word" || STOP_WORDS.has(token.lower)))
        continue;
      const links = schema.tables.flatMap((table) => {
        const score = tableScore(asked, table);
        return score > 0 ? [{ table, score }] : [];
      });
      if (links.length > 0) spans.push({ from, to: from + length, links: links.sort((a, b) => b.score - a.score) });
    }
  }
  return spans;
}

function tableScore(asked: readonly Token[], table: SchemaTable): number {
  const words = table.words;
  if (asked.length === words.length) {
    const scores = asked.map((token, index) => wordMatch(token.stem, words[index] ?? ""));
    const least = Math.min(...scores);
    if (least > 0) return least;
  }
  const joined = asked.map((token) => token.stem).join("");
  if (joined === words.join("") && joined.length > 3) return 1;
  if (asked.length !== 1) return 0;
  const word = asked[0]?.stem ?? "";
  const head = words.at(-1) ?? "";
  if (word.length > 3 && head !== word && head.endsWith(word) && head.length > 3) return 0.75;
  if (words.length > 1 && wordMatch(word, head) >= 0.85) return 0.6;
  return words.length > 1 && words[0] === word ? 0.55 : 0;
}
