import { z } from "zod";
import { quoteName } from "../context/sql-text.js";
import { findTable, relationshipsOf } from "./find-in-catalog.js";
import { queryFailure, runQuery } from "./run-queries.js";
import { defineTool } from "./tool.js";

const FIRST_ROWS = 3;

/**
 * `{"table", "source", "rows", "columns": [{"name", "type", "nulls", "distinct", "min", "max", "top_values": [{"value", "count"}]}],
 * "relationships": […], "first_rows": {"columns", "rows"}, "uncertainties": […]}`
 */
export const getTableProfile = defineTool({
  name: "get_table_profile",
  description:
    "One table: every column with its type, nulls, distinct values, range and most frequent values, the table's relationships, and its first rows.",
  args: z.strictObject({ table: z.string().describe("a table's name as list_context shows it") }),
  rest: "get_field_profile shows one column in full, get_column_distinct_values its values",
  execute: async (args, env) => {
    const { catalog } = env.context;
    const found = findTable(catalog, args.table);
    if (!found.ok) return found;
    const { name, source, rows, columns } = found.table;
    const first = await runQuery(`SELECT * FROM ${quoteName(name)} LIMIT ${FIRST_ROWS}`, FIRST_ROWS, env);
    if (!first.ok) return queryFailure(first);
    const content = {
      table: name,
      source,
      rows,
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type,
        nulls: column.nulls,
        distinct: column.distinct,
        min: column.min,
        max: column.max,
        top_values: column.top_values,
      })),
      relationships: relationshipsOf(catalog, name),
      first_rows: { columns: first.table.columns, rows: first.table.rows },
      uncertainties: catalog.uncertainties.filter(({ table }) => table === name),
    };
    return { ok: true, content, truncated: false };
  },
});
