import { describe, expect, it } from "vitest";
import { compiledFrom } from "./compiled.js";

describe("the profile of a column", () => {
  it("counts exactly: nulls, distinct values, range, and the most frequent values, ties in order of value", async () => {
    const long = "z".repeat(300);
    const context = await compiledFrom({
      "t.csv": `v,w,x\n10,b,\n9,a,${long}\n10,b,\n9,a,\n100,c,\n,A,\n`,
    });
    const [table] = context.catalog.tables;
    expect(table).toEqual({
      name: "t",
      source: "t.csv",
      rows: 6,
      columns: [
        {
          name: "v",
          source_name: "v",
          type: "BIGINT",
          nulls: 1,
          distinct: 3,
          min: "9",
          max: "100",
          top_values: [
            { value: "9", count: 2 },
            { value: "10", count: 2 },
            { value: "100", count: 1 },
          ],
        },
        {
          name: "w",
          source_name: "w",
          type: "VARCHAR",
          nulls: 0,
          distinct: 4,
          min: "A",
          max: "c",
          top_values: [
            { value: "a", count: 2 },
            { value: "b", count: 2 },
            { value: "A", count: 1 },
            { value: "c", count: 1 },
          ],
        },
        {
          name: "x",
          source_name: "x",
          type: "VARCHAR",
          nulls: 5,
          distinct: 1,
          min: "z".repeat(200),
          max: "z".repeat(200),
          top_values: [{ value: "z".repeat(200), count: 1 }],
        },
      ],
    });
  });

  it("shows at most ten of the most frequent values, and names columns that clash with our own SQL", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i % 15},${i},k\n`).join("");
    const context = await compiledFrom({ "t.csv": `v,n,kind\n${rows}` });
    const [v, n, kind] = context.catalog.tables[0]?.columns ?? [];
    expect([v?.distinct, n?.distinct, kind?.distinct]).toEqual([15, 30, 1]);
    expect(v?.top_values.map(({ value }) => value)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  it("gathers what is to be said of many columns into one sentence", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `c${i}`);
    const row = (cell: string) => `${names.map(() => cell).join(",")}\n`;
    const context = await compiledFrom({ "t.csv": `${names.join(",")}\n${row("1")}${row("NA")}` });
    expect(context.catalog.uncertainties).toHaveLength(1);
    expect(context.catalog.uncertainties[0]?.detail).toBe(
      `In "t", ${[0, 1, 2, 3, 4].map((i) => `"c${i}": 1 cells hold a word for a missing value; they are NULL: "NA" (1)`).join("; ")}; and likewise in 3 more columns.`,
    );
  });
});
