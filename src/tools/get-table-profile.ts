import { z } from "zod";
import { quoteName } from "../context/sql-text.js";
import { cutText } from "./cut-text.js";
import { findTable, relationshipsOf } from "./find-in-catalog.js";
import { queryFailure, runQuery } from "./run-queries.js";
import { defineTool } from "./tool.js";

const FIRST_ROWS = 3;
const FIRST_ROWS_CHARACTERS = 200;
/** Shared out over the columns, so that a wide table's profile can still be seen whole. */
const TOP_VALUES_IN_ALL = 120;
const MAX_TOP_VALUES = 10;
const MIN_TOP_VALUES = 2;

/**
 * `{"table", "source", "rows", "columns": [{"name", "type", "nulls", "distinct", "min", "max", "top_values": [{"value", "count"}]}],
 * "relationships": […], "first_rows": {"columns", "rows"}, "uncertainties": […]}`. A wide table shows fewer top values a column, and long
 * cells of the first rows only begin.
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
    const topValues = Math.floor(TOP_VALUES_IN_ALL / Math.max(1, columns.length));
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
        top_values: column.top_values.slice(0, Math.min(MAX_TOP_VALUES, Math.max(MIN_TOP_VALUES, topValues))),
      })),
      relationships: relationshipsOf(catalog, name),
      first_rows: { columns: first.table.columns, rows: first.table.rows.map((row) => row.map(cellBeginning)) },
      uncertainties: catalog.uncertainties.filter(({ table }) => table === name),
    };
    return { ok: true, content, truncated: false };
  },
});

function cellBeginning(cell: string | null): string | null {
  return cell === null ? null : cutText(cell, FIRST_ROWS_CHARACTERS);
}
