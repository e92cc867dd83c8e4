import type { CandidateSubmitted } from "../../core/event.js";

/**
 * The SQL that a submission was made by, in the order in which it ran; empty where it has none that we know of. Of a Python source, the queries
 * that it issued and that were answered.
 */
export function submittedQueries({ source }: CandidateSubmitted): readonly string[] {
  if (source.queries !== undefined) return source.queries.flatMap(({ sql, rows }) => (rows === null ? [] : sql));
  const { args } = source;
  if (typeof args !== "object" || args === null || !("queries" in args) || !Array.isArray(args.queries)) return [];
  return args.queries.filter((sql) => typeof sql === "string");
}
