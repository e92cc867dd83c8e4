import { appendFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compileContext } from "../../src/context/compile.js";
import { folderWith } from "../support/folder.js";
import { rowsOf } from "./compiled.js";

const ROWS = 1_200_000;

/** A CSV of more than 32 MB, which several threads read at once; ids count up, the other cells repeat. */
function writeLarge(file: string): void {
  for (let start = 0; start < ROWS; start += 100_000) {
    const lines = Array.from({ length: 100_000 }, (_, i) => {
      const id = start + i;
      return `${id},name ${id % 977},${id % 7}.25,2020-01-0${1 + (id % 9)}\n`;
    });
    appendFileSync(file, lines.join(""));
  }
}

describe("a large file", () => {
  it("keeps the order of its rows, and compiles to the same context every time", async () => {
    const dir = folderWith({ "large.csv": "id,name,price,day\n" });
    writeLarge(path.join(dir, "large.csv"));
    const contexts = [];
    for (let i = 0; i < 2; i++)
      contexts.push(await compileContext(dir, { cache_dir: path.join(folderWith(), "cache") }));
    const [first, second] = contexts;
    if (first === undefined || second === undefined) throw new Error("two contexts were compiled");
    expect(second.catalog).toEqual(first.catalog);
    const sql = `SELECT count(*), count(*) FILTER (id <> rn - 1), sum(hash(rn, name, price, day))
                 FROM (SELECT *, row_number() OVER () AS rn FROM large)`;
    const [[rows, misplaced, sum] = []] = await rowsOf(first, sql);
    expect([rows, misplaced]).toEqual([String(ROWS), "0"]);
    expect(await rowsOf(second, sql)).toEqual([[rows, misplaced, sum]]);
    expect(
      first.catalog.tables[0]?.columns.map(({ name, type, nulls, distinct, min, max }) => [
        name,
        type,
        nulls,
        distinct,
        min,
        max,
      ]),
    ).toEqual([
      ["id", "BIGINT", 0, ROWS, "0", String(ROWS - 1)],
      ["name", "VARCHAR", 0, 977, "name 0", "name 99"],
      ["price", "DOUBLE", 0, 7, "0.25", "6.25"],
      ["day", "DATE", 0, 9, "2020-01-01", "2020-01-09"],
    ]);
  }, 300_000);
});
