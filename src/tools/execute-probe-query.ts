import { z } from "zod";
import type { QueryResult } from "../core/ports/query-worker.js";
import { runQueries } from "./run-queries.js";
import { defineTool } from "./tool.js";

/** Rows of one query that the model may see. */
const MAX_PROBE_ROWS = 200;
const MAX_QUERIES = 10;

/** The arguments of a probe, also as the source of a submission. */
export const probeArguments = z.strictObject({
  queries: z
    .array(z.string().min(1))
    .min(1)
    .max(MAX_QUERIES)
    .describe("SQL in DuckDB's dialect, each one SELECT; they run in this order, also after one that fails"),
  limit: z
    .int()
    .min(1)
    .max(MAX_PROBE_ROWS)
    .default(MAX_PROBE_ROWS)
    .describe("rows shown of each result; a submission is not limited by it"),
});

/**
 * `{"results": [{"sql", "ok": true, "columns", "rows", "row_count", "truncated"} | {"sql", "ok": false, "code", "error"}]}`.
 * `row_count` counts the rows that the query returned, at most `limit`; `truncated` says that there are more. The call is ok when
 * every query is.
 */
export const executeProbeQuery = defineTool({
  name: "execute_probe_query",
  description:
    "Runs read-only SQL (DuckDB) on the tables and shows the rows. Names with spaces or special characters go in double quotes. No files, settings, clock or random values.",
  args: probeArguments,
  rest: "ask for fewer columns or rows (LIMIT, OFFSET, WHERE), aggregate, or shorten long texts with substr(); submit_tool_result always takes the whole result",
  execute: async ({ queries, limit }, env) => {
    const runs = await runQueries(queries, limit, env);
    const content = { results: runs.map(({ sql, result }) => probeResult(sql, result)) };
    const truncated = runs.some(({ result }) => result.ok && result.truncated);
    for (const { result } of runs) {
      if (!result.ok) return { ok: false, error: result.error.code, content, truncated };
    }
    return { ok: true, content, truncated };
  },
});

function probeResult(sql: string, result: QueryResult) {
  if (!result.ok) return { sql, ok: false, code: result.error.code, error: result.error.message };
  const { columns, rows } = result.table;
  return { sql, ok: true, columns, rows, row_count: rows.length, truncated: result.truncated };
}
