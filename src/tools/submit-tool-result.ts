import { z } from "zod";
import type { Table } from "../core/ports/query-worker.js";
import { probeArguments } from "./execute-probe-query.js";
import { runQuery } from "./run-queries.js";
import { defineTool, failure, type ToolEnvironment, type ToolOutcome } from "./tool.js";

const PREVIEW_ROWS = 5;

/**
 * `{"submitted": true, "columns", "row_count", "preview"}`. The source runs again from scratch, without any preview limit, and its
 * whole output is the answer: of a batch of queries all must succeed, and the last one is the answer. `columns` renames, one for one.
 */
export const submitToolResult = defineTool({
  name: "submit_tool_result",
  description:
    "Hands in the answer. Give the tool and the arguments that produce it: they run again in full, and the whole result of the last query is the answer, whatever was shown before.",
  args: z.strictObject({
    tool_name: z.enum(["execute_probe_query"]).describe("the tool whose result is the answer"),
    tool_args: probeArguments.describe("its arguments; all queries must succeed, the last one is the answer"),
    columns: z
      .array(z.string().trim().min(1))
      .min(1)
      .optional()
      .describe("new names for all columns, in their order; nothing else changes"),
    conclusion: z.string().optional().describe("the answer in words, with where the numbers come from"),
  }),
  rest: "nothing is missing in the answer itself",
  execute: async ({ tool_name, tool_args, columns, conclusion }, env) => {
    const answer = await runSource(tool_args.queries, env);
    if ("error" in answer) return answer;
    const named = columns ?? answer.columns;
    if (named.length !== answer.columns.length) return failure("columns-mismatch", mismatch(named, answer.columns));
    const table: Table = { ...answer, columns: named };
    const preview = table.rows.slice(0, PREVIEW_ROWS);
    return {
      ok: true,
      content: { submitted: true, columns: table.columns, row_count: table.rows.length, preview },
      truncated: false,
      submission: { table, source: { tool: tool_name, args: tool_args }, conclusion: conclusion ?? null },
    };
  },
});

/** The last query's whole table, or why there is none. */
async function runSource(
  queries: readonly string[],
  env: ToolEnvironment,
): Promise<Table | (ToolOutcome & { ok: false })> {
  const most = env.limits.max_answer_rows;
  let answer: Table = { columns: [], types: [], rows: [] };
  for (const [index, sql] of queries.entries()) {
    const which = queries.length === 1 ? "the query" : `query ${index + 1} of ${queries.length}`;
    const result = await runQuery(sql, most, env);
    if (!result.ok) {
      return failure(
        result.error.code,
        `nothing was submitted: ${which} failed when run again: ${result.error.message}`,
      );
    }
    const isAnswer = index === queries.length - 1;
    if (isAnswer && result.truncated) {
      return failure(
        "too-many-rows",
        `nothing was submitted: ${which} has more than ${most} rows, the most that an answer may have`,
      );
    }
    answer = result.table;
  }
  return answer;
}

function mismatch(given: readonly string[], real: readonly string[]): string {
  return `nothing was submitted: columns renames one for one, and there are ${given.length} names for ${real.length} columns (${real.join(", ")}); select what you want to hand in, or leave columns out`;
}
