import { describe, expect, it } from "vitest";
import { tableStructure } from "../../src/answer/structure.js";

const column = (...cells: (string | null)[]) =>
  tableStructure({ columns: ["a"], types: ["VARCHAR"], rows: cells.map((cell) => [cell]) })[0];

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));

describe("the structure of a table", () => {
  it("counts nulls and distinct values and shows the first five", () => {
    expect(column("b", "a", null, "b", "c", "d", "e", "f")).toEqual({
      type: "VARCHAR",
      nulls: 1,
      distinct: 6,
      examples: ["b", "a", "c", "d", "e"],
      percent_cells: 0,
      loose_date_cells: 0,
      same_as: null,
    });
  });

  it("counts distinct values up to 1,000 and says more with 1,001", () => {
    expect(column(...numbers(1000))?.distinct).toBe(1000);
    expect(column(...numbers(3000))?.distinct).toBe(1001);
  });

  it("shows long values cut", () => {
    expect(column("x".repeat(5000))?.examples[0]).toHaveLength(100);
  });

  it("counts cells with a percent sign", () => {
    expect(column("12.5%", "3 %", "-1,000％", "50% of them", "5", null)?.percent_cells).toBe(3);
  });

  it("counts dates that are not YYYY-MM-DD", () => {
    const loose = ["2024/3/1", "03/01/2024", "2024.03.01", "1.3.2024", "2024年3月1日", "2024/03/01 10:30:00"];
    expect(column(...loose)?.loose_date_cells).toBe(loose.length);
    expect(column("2024-03-01", "10.2.1", "1/2", "2024-03-01 10:30:00", "3.2024")?.loose_date_cells).toBe(0);
  });

  it("names the first column with the same cells, however they are ordered or written", () => {
    const rows = [
      ["1", "x", "2.00"],
      ["2", "y", "1.00"],
    ];
    const structure = tableStructure({ columns: ["a", "b", "c"], types: [], rows });
    expect(structure.map(({ same_as }) => same_as)).toEqual([null, null, 0]);
  });

  it("has a column of nothing for an empty table", () => {
    expect(tableStructure({ columns: ["a"], types: ["DATE"], rows: [] })).toMatchObject([
      { type: "DATE", distinct: 0, same_as: null },
    ]);
  });
});
