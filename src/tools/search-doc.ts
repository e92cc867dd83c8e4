import { z } from "zod";
import { documentLines } from "../context/documents.js";
import { keyOf, tokensOf, weightOf } from "../context/search-words.js";
import type { CatalogDocument } from "../core/catalog.js";
import { findDocument } from "./find-in-catalog.js";
import { defineTool } from "./tool.js";

const MAX_MATCHES = 50;
/** Longer lines are searched in parts of this length. */
const PART_CHARACTERS = 500;

/** A line, or a part of a long one. */
interface Passage {
  readonly path: string;
  readonly heading: string | null;
  readonly line: number;
  /** Position of the passage in its line, from 1. */
  readonly character: number;
  readonly text: string;
}

/**
 * `{"matches": [{"path", "heading", "line", "character", "text", "score"}], "documents_searched"}`, best first. A passage scores for
 * each query word that it has (half where only its heading does), rare words more, and twice when it has the query as it stands.
 */
export const searchDoc = defineTool({
  name: "search_doc",
  description:
    "Finds passages in the documents by words. Each match has its place: read around it with read_doc (start_line, start_character). Finds places; a match alone is not the whole statement.",
  args: z.strictObject({
    query: z.string().min(1).describe("words to look for"),
    path: z.string().optional().describe("only in this document; in all when not given"),
    limit: z.int().min(1).max(MAX_MATCHES).default(10).describe("matches shown"),
  }),
  rest: "give `path`, more exact words, or a smaller limit",
  execute: async (args, { context }) => {
    const { catalog } = context;
    const found = args.path === undefined ? null : findDocument(catalog, args.path);
    if (found !== null && !found.ok) return found;
    const documents = found === null ? catalog.documents : [found.document];
    const passages: Passage[] = [];
    for (const document of documents) {
      const lines = (await documentLines(context, document.path)) ?? [];
      for (const passage of passagesOf(document, lines)) passages.push(passage);
    }
    const matches = rank(passages, args.query).slice(0, args.limit);
    return { ok: true, content: { matches, documents_searched: documents.length }, truncated: false };
  },
});

function* passagesOf(document: CatalogDocument, lines: readonly string[]): Generator<Passage> {
  let headings = 0;
  for (const [index, text] of lines.entries()) {
    while ((document.headings[headings]?.line ?? Number.POSITIVE_INFINITY) <= index + 1) headings += 1;
    const heading = document.headings[headings - 1]?.text ?? null;
    for (let start = 0; start < text.length; start += PART_CHARACTERS) {
      const part = text.slice(start, start + PART_CHARACTERS);
      if (part.trim() !== "") yield { path: document.path, heading, line: index + 1, character: start + 1, text: part };
    }
  }
}

/** Passages with at least one word of the query in their text, best first, equal ones in reading order. */
function rank(passages: readonly Passage[], query: string): (Passage & { score: number })[] {
  const words = [...new Set(tokensOf(query))];
  const phrase = keyOf(query);
  const read = passages.map((passage) => ({ passage, tokens: new Set(tokensOf(passage.text)) }));
  const weights = words.map((word) => {
    const holding = read.reduce((sum, { tokens }) => sum + (tokens.has(word) ? 1 : 0), 0);
    return weightOf(word) * Math.log(1 + passages.length / Math.max(1, holding));
  });
  const scored = read
    .filter(({ tokens }) => words.some((word) => tokens.has(word)))
    .map(({ passage, tokens }) => {
      const heading = new Set(tokensOf(passage.heading ?? ""));
      const parts = words.map((word, index) => {
        const weight = weights[index] ?? 0;
        return tokens.has(word) ? weight : heading.has(word) ? weight / 2 : 0;
      });
      const sum = parts.reduce((total, part) => total + part, 0);
      const score = keyOf(passage.text).includes(phrase) ? 2 * sum : sum;
      return { ...passage, score: Math.round(score * 1000) / 1000 };
    });
  // The sort is stable: equal scores stay in reading order.
  return scored.sort((a, b) => b.score - a.score);
}
