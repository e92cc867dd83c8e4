import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { compileContext } from "../../src/context/compile.js";
import { folderWith } from "../support/folder.js";
import { sharedDir } from "../support/shared.js";
import { rowsOf } from "./compiled.js";

const data = path.join(sharedDir ?? "", "data");
const suites = sharedDir === null ? [] : ["kdd-demo/input", "dabench/input"];
const contexts = suites.flatMap((suite) =>
  readdirSync(path.join(data, suite)).map((task) => path.join(data, suite, task, "context")),
);

/** Rows of a file as text, by readers that share no code with ours; the first row is the header. */
function rowsOfFile(file: string): readonly (readonly string[])[] {
  if (file.endsWith(".csv")) {
    return parse(readFileSync(file), { bom: true, relax_column_count: true, skip_empty_lines: true });
  }
  const { records } = JSON.parse(readFileSync(file, "utf8"));
  const keys = [...new Set(records.flatMap((record: object) => Object.keys(record)))].map(String);
  return [keys, ...records.map((record: Record<string, unknown>) => keys.map((key) => String(record[key] ?? "")))];
}

function countOfTable(file: string, table: string): number {
  const database = new Database(file, { readonly: true });
  const count = database.prepare(`SELECT count(*) FROM "${table}"`).pluck().get();
  database.close();
  return Number(count);
}

/** Equal as text, or as the number that both are; an empty cell is NULL. */
function same(cell: string | null, text: string): boolean {
  return cell === null ? text === "" : cell === text || (text.trim() !== "" && Number(cell) === Number(text));
}

describe.skipIf(sharedDir === null)("the shared contexts (skipped where the shared data is not there)", () => {
  it.each(contexts)("%s has the rows and cells of its files", async (dir) => {
    const context = await compileContext(dir, { cache_dir: path.join(folderWith(), "cache") });
    expect(context.catalog.tables.length).toBeGreaterThan(0);
    for (const { name, source, rows, columns } of context.catalog.tables) {
      const [file = "", table] = source.split("#");
      if (table !== undefined) {
        expect(rows).toBe(countOfTable(path.join(dir, file), table));
        continue;
      }
      const lines = rowsOfFile(path.join(dir, file));
      const titles = context.catalog.uncertainties.filter(({ code }) => code === "title-row").length;
      const [header = [], ...wanted] = lines.slice(titles);
      expect(columns.map((column) => column.source_name)).toEqual(header);
      expect(rows).toBe(wanted.length);
      const found = await rowsOf(context, `SELECT * FROM "${name}"`);
      const wrong = found.flatMap((row, r) => row.filter((cell, c) => !same(cell, wanted[r]?.[c] ?? "")));
      expect(wrong).toEqual([]);
    }
  });
});
