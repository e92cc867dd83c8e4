import type { CheckAnswer, DataQueried, QueryAnswer } from "../../core/event.js";
import type { ParseResult, QueryResult } from "../../core/ports/query-worker.js";

/** A whole result without its cells. */
export type SignatureResult =
  | { readonly ok: true; readonly columns: readonly string[]; readonly rows: number; readonly signature: string }
  | Extract<QueryResult, { ok: false }>;

/** Answers to the queries that checks asked for; null where a query has not been answered yet. A failed query is an answer too. */
export interface Facts {
  rows(sql: string): QueryResult | null;
  /** The root query node. */
  tree(sql: string): ParseResult | null;
  signature(sql: string): SignatureResult | null;
  has(sql: string, answer: QueryAnswer): boolean;
}

/** The facts that a trial's `data-queried` events hold. */
export function factsOf(events: readonly DataQueried[]): Facts {
  const answers = new Map<string, CheckAnswer>();
  for (const { answer, queries, results } of events) {
    for (const [index, sql] of queries.entries()) {
      const found = results[index];
      if (found !== undefined) answers.set(keyOf(sql, answer), found);
    }
  }
  const get = (sql: string, answer: QueryAnswer) => answers.get(keyOf(sql, answer)) ?? null;
  return {
    rows: (sql) => {
      const found = get(sql, "rows");
      return found === null || "table" in found || !found.ok ? found : null;
    },
    tree: (sql) => {
      const found = get(sql, "tree");
      return found === null || "tree" in found || !found.ok ? found : null;
    },
    signature: (sql) => {
      const found = get(sql, "signature");
      return found === null || "signature" in found || !found.ok ? found : null;
    },
    has: (sql, answer) => answers.has(keyOf(sql, answer)),
  };
}

function keyOf(sql: string, answer: QueryAnswer): string {
  return `${answer} ${sql}`;
}
