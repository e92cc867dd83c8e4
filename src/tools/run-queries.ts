import type { QueryResult } from "../core/ports/query-worker.js";
import { failure, type ToolEnvironment, type ToolOutcome } from "./tool.js";

/** Runs queries one after the other, each with the same cap of rows. */
export async function runQueries(
  queries: readonly string[],
  maxRows: number,
  env: ToolEnvironment,
): Promise<{ sql: string; result: QueryResult }[]> {
  const results: { sql: string; result: QueryResult }[] = [];
  for (const sql of queries) results.push({ sql, result: await runQuery(sql, maxRows, env) });
  return results;
}

/** Runs one query under the profile's limits. */
export function runQuery(sql: string, maxRows: number, env: ToolEnvironment): Promise<QueryResult> {
  const { worker, limits, signal } = env;
  return worker.query(sql, { max_rows: maxRows, timeout_ms: limits.query_timeout_seconds * 1000, signal });
}

/** A query that a tool wrote itself and that failed, as the tool's outcome. */
export function queryFailure(result: QueryResult & { ok: false }): ToolOutcome & { ok: false } {
  return failure(result.error.code, result.error.message);
}
