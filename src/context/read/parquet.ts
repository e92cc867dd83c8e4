import type { Uncertainty } from "../../core/catalog.js";
import type { ContextFile } from "../context-files.js";
import type { CompileDatabase } from "../database.js";
import { quoteText } from "../sql-text.js";
import type { StagedTable } from "./staged-table.js";

/**
 * Describes a Parquet file, whose types are kept: nested values become JSON, and bytes text, where they are valid UTF-8, or else hexadecimal
 * digits. Rejects when DuckDB cannot read the file's footer.
 */
export async function readParquet(database: CompileDatabase, file: ContextFile, name: string): Promise<StagedTable> {
  const columns = await topLevelNames(database, file.absolute);
  const aliases = columns.map((_, i) => `c${i}`);
  const from = `read_parquet(${quoteText(file.absolute)}, hive_partitioning = false) AS p(${aliases.join(", ")})`;
  const described = await database.texts(`SELECT column_type FROM (DESCRIBE SELECT * FROM ${from})`);
  const uncertainties: Uncertainty[] = [];
  const selected: string[] = [];
  for (const [i, alias] of aliases.entries()) {
    const type = described[i]?.[0] ?? "VARCHAR";
    const text = type === "BLOB" ? await isText(database, from, alias) : false;
    selected.push(`${storedAs(alias, type, text)} AS ${alias}`);
    const column = JSON.stringify(columns[i]);
    const [code, what] = text
      ? ["encoding-guessed", "bytes that the file does not call text; all are valid UTF-8 and were read as that"]
      : ["blob", "binary values; they are text of hexadecimal digits"];
    if (type === "BLOB") uncertainties.push({ source: file.path, code, detail: `The column ${column} holds ${what}.` });
  }
  const [count] = await database.texts(`SELECT num_rows FROM parquet_file_metadata(${quoteText(file.absolute)})`);
  return {
    name,
    source: file.path,
    columns,
    select: `SELECT ${selected.join(", ")} FROM ${from}`,
    cells: "typed",
    expected: { rows: Number(count?.[0]), filled: null, bytes: null },
    uncertainties,
  };
}

/** The names of the file's columns as they are written: DuckDB renames those that are equal ignoring case. */
async function topLevelNames(database: CompileDatabase, path: string): Promise<string[]> {
  const nodes = await database.texts(`SELECT name, coalesce(num_children, 0) FROM parquet_schema(${quoteText(path)})`);
  const names: string[] = [];
  let toSkip = 0;
  for (const [name, children] of nodes.slice(1)) {
    if (toSkip === 0) names.push(name ?? "");
    else toSkip -= 1;
    toSkip += Number(children);
  }
  return names;
}

async function isText(database: CompileDatabase, from: string, column: string): Promise<boolean> {
  const [row] = await database.texts(
    `SELECT count(*) FILTER (TRY(decode(${column})) IS NULL), count(*) FROM ${from} WHERE ${column} IS NOT NULL`,
  );
  return row?.[0] === "0" && row[1] !== "0";
}

function storedAs(column: string, type: string, text: boolean): string {
  if (type === "BLOB") return text ? `decode(${column})` : `lower(hex(${column}))`;
  if (/^(?:STRUCT|MAP|UNION)|\]$/.test(type)) return `to_json(${column})`;
  return /^(?:ENUM|UUID|BIT|INTERVAL)/.test(type) ? `CAST(${column} AS VARCHAR)` : column;
}
