import { z } from "zod";
import { type CatalogMatch, searchCatalog } from "../context/search-catalog.js";
import { assertNever } from "../core/errors.js";
import { defineTool } from "./tool.js";

const MAX_MATCHES = 50;

/** One shape for all kinds: what a kind does not have is null. */
interface Match {
  readonly kind: "table" | "column" | "value" | "document";
  readonly table: string | null;
  readonly column: string | null;
  readonly value: string | null;
  readonly path: string | null;
  readonly heading: string | null;
  /** 0 … 1. */
  readonly score: number;
}

/**
 * `{"matches": [{"kind", "table", "column", "value", "path", "heading", "score"}], "not_searched_in_full": [{"table", "column", …}]}`,
 * best first. The second list names columns of which only some values can be found here.
 */
export const searchSemanticCatalog = defineTool({
  name: "search_semantic_catalog",
  description:
    "Finds tables, columns, stored values and document headings by the words of a question, in English or Chinese. Finds candidates only: look at them with the profile tools, read_doc or a query before relying on them.",
  args: z.strictObject({
    query: z.string().min(1).describe("words of the question, or a value"),
    limit: z.int().min(1).max(MAX_MATCHES).default(20).describe("matches shown"),
  }),
  rest: "give more exact words or a smaller limit",
  execute: async ({ query, limit }, { context }) => {
    const { matches, capped } = await searchCatalog(context, query, limit);
    return { ok: true, content: { matches: matches.map(shapeOf), not_searched_in_full: capped }, truncated: false };
  },
});

function shapeOf(match: CatalogMatch): Match {
  const { kind, score } = match;
  const nothing = { table: null, column: null, value: null, path: null, heading: null, score };
  switch (kind) {
    case "table":
      return { ...nothing, kind, table: match.table };
    case "column":
      return { ...nothing, kind, table: match.table, column: match.column };
    case "value":
      return { ...nothing, kind, table: match.table, column: match.column, value: match.value };
    case "heading":
      return { ...nothing, kind: "document", path: match.path, heading: match.heading };
    default:
      return assertNever(kind);
  }
}
