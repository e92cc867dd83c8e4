import { z } from "zod";
import { quoteName, quoteText } from "../context/sql-text.js";
import { findColumn, findTable } from "./find-in-catalog.js";
import { queryFailure, runQuery } from "./run-queries.js";
import { defineTool } from "./tool.js";

const MAX_VALUES = 200;

/**
 * `{"table", "column", "distinct", "values": […], "truncated"}`: the distinct values that are not null, in the order of their type.
 * `distinct` counts all that match, `values` holds the first `limit`.
 */
export const getColumnDistinctValues = defineTool({
  name: "get_column_distinct_values",
  description:
    "The distinct values of a column, in order: how values are really written. With `contains` only those with this text in them, in any case.",
  args: z.strictObject({
    table: z.string().describe("a table's name as list_context shows it"),
    column: z.string().describe("a column's name"),
    contains: z.string().min(1).optional().describe("only values that contain this text, case ignored"),
    limit: z.int().min(1).max(MAX_VALUES).default(MAX_VALUES).describe("values shown"),
  }),
  rest: "give `contains`, or page with execute_probe_query (SELECT DISTINCT … ORDER BY 1 LIMIT … OFFSET …)",
  execute: async (args, env) => {
    const found = findTable(env.context.catalog, args.table);
    if (!found.ok) return found;
    const field = findColumn(found.table, args.column);
    if (!field.ok) return field;
    const [table, column] = [found.table.name, field.column.name];
    const sql = distinctSql(table, column, args.contains);
    const result = await runQuery(sql, args.limit, env);
    if (!result.ok) return queryFailure(result);
    const { rows } = result.table;
    const content = {
      table,
      column,
      distinct: Number(rows[0]?.[1] ?? 0),
      values: rows.map(([value]) => value),
      truncated: result.truncated,
    };
    return { ok: true, content, truncated: result.truncated };
  },
});

function distinctSql(table: string, column: string, contains: string | undefined): string {
  const name = quoteName(column);
  const matches =
    contains === undefined ? "" : ` AND contains(lower(CAST(${name} AS VARCHAR)), lower(${quoteText(contains)}))`;
  const values = `SELECT DISTINCT ${name} AS value FROM ${quoteName(table)} WHERE ${name} IS NOT NULL${matches}`;
  return `SELECT value, count(*) OVER () FROM (${values}) ORDER BY value`;
}
