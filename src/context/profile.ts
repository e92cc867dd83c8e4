import type { CatalogColumn, CatalogTable } from "../core/catalog.js";
import type { CompileDatabase } from "./database.js";
import type { NamedColumn } from "./names.js";
import { quoteName } from "./sql-text.js";

/** Staging table with the distinct values `v` of one column and how often (`n`) each occurs; NULL is not in it. */
export const GROUPS = "staging.column_groups";

const TOP_VALUES = 10;
const LONGEST_SHOWN = 200;

/**
 * Counts a loaded table: exact rows, nulls, distinct values, range and most frequent values. While a column's `GROUPS` exist,
 * `eachColumn` is told of it.
 */
export async function profileTable(
  database: CompileDatabase,
  name: string,
  source: string,
  columns: readonly NamedColumn[],
  eachColumn: (column: CatalogColumn) => Promise<void>,
): Promise<CatalogTable> {
  const table = `main.${quoteName(name)}`;
  const types = await database.texts(`SELECT column_name, column_type FROM (DESCRIBE ${table})`);
  const [count] = await database.texts(`SELECT count(*) FROM ${table}`);
  const rows = Number(count?.[0]);
  const profiled: CatalogColumn[] = [];
  for (const [i, { name: column, source_name }] of columns.entries()) {
    const type = types[i]?.[1] ?? "VARCHAR";
    const value = type === "JSON" ? `CAST(${quoteName(column)} AS VARCHAR)` : quoteName(column);
    await database.run(
      `CREATE OR REPLACE TABLE ${GROUPS} AS
       SELECT ${value} AS v, count(*) AS n FROM ${table} WHERE ${quoteName(column)} IS NOT NULL GROUP BY 1`,
    );
    const described = await describeGroups(database, rows);
    profiled.push({ name: column, source_name, type, ...described });
    const last = profiled.at(-1);
    if (last !== undefined) await eachColumn(last);
  }
  await database.run(`DROP TABLE IF EXISTS ${GROUPS}`);
  return { name, source, rows, columns: profiled };
}

async function describeGroups(
  database: CompileDatabase,
  rows: number,
): Promise<Pick<CatalogColumn, "nulls" | "distinct" | "min" | "max" | "top_values">> {
  const shown = (value: string) => `left(CAST(${value} AS VARCHAR), ${LONGEST_SHOWN})`;
  const [summary] = await database.texts(
    `SELECT coalesce(sum(n), 0)::BIGINT, count(*), ${shown("min(v)")}, ${shown("max(v)")} FROM ${GROUPS}`,
  );
  const top = await database.texts(`SELECT ${shown("v")}, n FROM ${GROUPS} ORDER BY n DESC, v LIMIT ${TOP_VALUES}`);
  const [filled, distinct, min = null, max = null] = summary ?? [];
  return {
    nulls: rows - Number(filled),
    distinct: Number(distinct),
    min,
    max,
    top_values: top.map(([value, n]) => ({ value: value ?? "", count: Number(n) })),
  };
}
