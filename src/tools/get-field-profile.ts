import { z } from "zod";
import { quoteName } from "../context/sql-text.js";
import type { CatalogColumn } from "../core/catalog.js";
import { findColumn, findTable, relationshipsOf } from "./find-in-catalog.js";
import { queryFailure, runQuery } from "./run-queries.js";
import { defineTool, type ToolEnvironment } from "./tool.js";

/**
 * `{"table", "column", "source_name", "type", "rows", "nulls", "distinct", "min", "max", "top_values": [{"value", "count"}],
 * "statistics": {…}, "relationships": […], "uncertainties": […]}`. `statistics` of numbers: mean, stddev, q25, median, q75, zeros,
 * negatives; of texts: shortest, longest (in characters), empty; of other types: {}. Values are text as SQL shows them.
 */
export const getFieldProfile = defineTool({
  name: "get_field_profile",
  description:
    "One column in full: type, nulls, distinct values, range, most frequent values, statistics, relationships, and what is uncertain about it.",
  args: z.strictObject({
    table: z.string().describe("a table's name as list_context shows it"),
    column: z.string().describe("a column's name"),
  }),
  rest: "get_column_distinct_values shows a column's values, execute_probe_query any part of them",
  execute: async (args, env) => {
    const { catalog } = env.context;
    const found = findTable(catalog, args.table);
    if (!found.ok) return found;
    const { table } = found;
    const field = findColumn(table, args.column);
    if (!field.ok) return field;
    const { name, source_name, type, nulls, distinct, min, max, top_values } = field.column;
    const statistics = statisticsOf(field.column);
    const computed = await computeStatistics(table.name, statistics, env);
    if (!computed.ok) return queryFailure(computed);
    const content = {
      table: table.name,
      column: name,
      source_name,
      type,
      rows: table.rows,
      nulls,
      distinct,
      min,
      max,
      top_values,
      statistics: Object.fromEntries(
        statistics.map(({ label }, index) => [label, computed.table.rows[0]?.[index] ?? null]),
      ),
      relationships: relationshipsOf(catalog, table.name).filter(
        (link) =>
          (link.from_table === table.name && link.from_column === name) ||
          (link.to_table === table.name && link.to_column === name),
      ),
      uncertainties: catalog.uncertainties.filter((one) => one.table === table.name && (one.column ?? name) === name),
    };
    return { ok: true, content, truncated: false };
  },
});

interface Statistic {
  readonly label: string;
  readonly sql: string;
}

const NUMERIC = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$/;

function statisticsOf({ name, type }: CatalogColumn): readonly Statistic[] {
  const column = quoteName(name);
  if (NUMERIC.test(type)) {
    return [
      { label: "mean", sql: `avg(${column})` },
      { label: "stddev", sql: `stddev_samp(${column}::DOUBLE)` },
      { label: "q25", sql: `quantile_cont(${column}, 0.25)` },
      { label: "median", sql: `median(${column})` },
      { label: "q75", sql: `quantile_cont(${column}, 0.75)` },
      { label: "zeros", sql: `count(*) FILTER (WHERE ${column} = 0)` },
      { label: "negatives", sql: `count(*) FILTER (WHERE ${column} < 0)` },
    ];
  }
  if (type !== "VARCHAR") return [];
  return [
    { label: "shortest", sql: `min(length(${column}))` },
    { label: "longest", sql: `max(length(${column}))` },
    { label: "empty", sql: `count(*) FILTER (WHERE ${column} = '')` },
  ];
}

/** One row with a cell a statistic; a column without any costs no pass over the table. */
async function computeStatistics(table: string, statistics: readonly Statistic[], env: ToolEnvironment) {
  if (statistics.length === 0) return await runQuery("SELECT 1", 1, env);
  return await runQuery(`SELECT ${statistics.map(({ sql }) => sql).join(", ")} FROM ${quoteName(table)}`, 1, env);
}
