import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { obviousCell, type PlainTable } from "./obvious-scorer.js";
import { fileScorer, pick, plainTable, shuffled } from "./tables.js";

const written = (rows: readonly (readonly string[])[]) => rows.map((row) => JSON.stringify(row.map(obviousCell)));

/** All orders of 0 … n − 1. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((rest) => Array.from({ length: n }, (_, at) => rest.toSpliced(at, 0, n - 1)));
}

/** Whether some order of columns gives the same rows, by trying all. */
function obviouslyExact(prediction: PlainTable, gold: PlainTable, inOrder: boolean): boolean {
  if (prediction.columns.length !== gold.columns.length) return false;
  const rowsOf = (table: PlainTable) => (inOrder ? written(table.rows) : written(table.rows).sort()).join("\n");
  const wanted = rowsOf(gold);
  return orders(gold.columns.length).some(
    (columns) =>
      prediction.rows.length === gold.rows.length &&
      rowsOf(pick(prediction, columns, [...prediction.rows.keys()])) === wanted,
  );
}

/** Tables of few different cells, where columns are easily mistaken for each other. */
const ambiguousTable = fc
  .record({ width: fc.integer({ min: 1, max: 4 }), height: fc.integer({ min: 0, max: 5 }) })
  .chain(({ width, height }) =>
    fc.record({
      columns: fc.constant(Array.from({ length: width }, (_, column) => `c${column}`)),
      rows: fc.array(fc.array(fc.constantFrom("0", "1"), { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    }),
  );

/** The table with one column's cells moved, so that columns still match but rows may not. */
const misaligned = (table: PlainTable) =>
  fc.record({ column: fc.nat(table.columns.length - 1), by: fc.nat(4) }).map(({ column, by }) => ({
    columns: table.columns,
    rows: table.rows.map((row, at) => row.with(column, table.rows[(at + by) % table.rows.length]?.[column] ?? "")),
  }));

describe("exact-table", () => {
  it("sees what kdd-columns does not: that the values of a row belong together", async () => {
    const gold = "a,b\n1,x\n2,y\n3,z\n";
    const swapped = "b,a\ny,1\nx,2\nz,3\n";
    expect((await fileScorer("kdd-columns")(swapped, gold)).value).toBe(1);
    const { status, value, details } = await fileScorer("exact-table")(swapped, gold);
    expect({ status, value }).toEqual({ status: "none", value: 0 });
    expect(details).toMatchObject({ aligned_rows: 1, aligned_columns: 2, gold_rows: 3, ordered: false });
  });

  it("does not mind names, column order and row order, but says whether rows are in order", async () => {
    const scoreFile = fileScorer("exact-table");
    expect(await scoreFile("q,p\nx,1.0\ny,2\n", "a,b\n1,x\n2,y\n")).toMatchObject({
      status: "perfect",
      value: 1,
      details: { ordered: true, aligned_rows: 2, aligned_columns: 2 },
    });
    expect(await scoreFile("q,p\ny,2\nx,1\n", "a,b\n1,x\n2,y\n")).toMatchObject({
      value: 1,
      details: { ordered: false, aligned_rows: 2 },
    });
  });

  it.each([
    ["a row too many", "a,b\n1,x\n2,y\n2,y\n", 2, 2],
    ["a row too few", "a,b\n1,x\n", 1, 2],
    ["a wrong cell", "a,b\n1,x\n2,z\n", 1, 2],
    ["an extra column", "a,b,c\n1,x,1\n2,y,1\n", 2, 2],
    ["a column too few", "a\n1\n2\n", 2, 1],
    ["nothing in common", "a\n8\n9\n", 0, 0],
  ])("is 0 for %s and counts the rows that are there", async (_name, prediction, rows, columns) => {
    const { value, details } = await fileScorer("exact-table")(prediction, "a,b\n1,x\n2,y\n");
    expect({ value, rows: details.aligned_rows, columns: details.aligned_columns }).toEqual({
      value: 0,
      rows,
      columns,
    });
  });

  it("agrees with trying every order of columns", async () => {
    const scoreFile = fileScorer("exact-table");
    const pairs = fc
      .oneof(plainTable, ambiguousTable)
      .chain((gold) =>
        fc.oneof(
          fc.record({ gold: fc.constant(gold), prediction: shuffled(gold) }),
          fc.record({ gold: fc.constant(gold), prediction: misaligned(gold).chain(shuffled) }),
          fc.record({ gold: fc.constant(gold), prediction: ambiguousTable }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(pairs, async ({ gold, prediction }) => {
        const { value, details } = await scoreFile(prediction, gold);
        expect(value).toBe(obviouslyExact(prediction, gold, false) ? 1 : 0);
        expect(details.ordered).toBe(obviouslyExact(prediction, gold, true));
      }),
      { numRuns: 300 },
    );
  });

  it("goes back where the first pairing of like columns leads nowhere", async () => {
    // The columns hold the same cells, and only one of the six pairings makes the same rows.
    const gold = "a,b,c\n1,2,3\n2,3,1\n3,1,2\n1,3,2\n";
    const prediction = "a,b,c\n3,1,2\n1,2,3\n2,3,1\n2,1,3\n";
    expect((await fileScorer("exact-table")(prediction, gold)).value).toBe(1);
    expect((await fileScorer("exact-table")(prediction.replace("2,1,3", "2,3,1"), gold)).value).toBe(0);
  });

  it("is unscored, not 0, where there are too many pairings to try", async () => {
    // 120 columns of one 1 and two 0s each: they all hold the same cells.
    const table = (ones: readonly number[]) => {
      const columns = ones.flatMap((count, row) => Array<number>(count).fill(row));
      const row = (at: number) => columns.map((one) => (one === at ? 1 : 0)).join();
      return `${columns.map((_, column) => `c${column}`).join()}\n${[0, 1, 2].map(row).join("\n")}\n`;
    };
    expect(await fileScorer("exact-table")(table([41, 40, 39]), table([40, 40, 40]))).toMatchObject({
      status: "unscored",
      value: null,
      reason: "too many columns hold the same cells to try all pairings",
    });
    expect((await fileScorer("exact-table")(table([40, 40, 40]), table([40, 40, 40]))).value).toBe(1);
  });
});

describe("cell-f1", () => {
  it("is the F1 of cells wherever they stand", async () => {
    const scoreFile = fileScorer("cell-f1");
    expect(await scoreFile("x\n1\n2\n9\n", "a,b\n1,x\n2,y\n")).toMatchObject({
      status: "partial",
      value: expect.closeTo((2 * 2) / 7, 12),
      details: { shared_cells: 2, gold_cells: 4, predicted_cells: 3, precision: 2 / 3, cell_recall: 0.5 },
    });
    expect(await scoreFile("x\n1\n", "a\n1.0\n")).toMatchObject({ status: "perfect", value: 1 });
    expect(await scoreFile("x\n2\n", "a\n1\n")).toMatchObject({ status: "none", value: 0 });
  });

  it("is 1 for two tables without rows and 0 against one", async () => {
    const scoreFile = fileScorer("cell-f1");
    expect(await scoreFile("x\n", "a\n")).toMatchObject({ value: 1, details: { precision: null, cell_recall: null } });
    expect((await scoreFile("x\n", "a\n1\n")).value).toBe(0);
  });

  it("agrees with crossing cells off a list", async () => {
    const scoreFile = fileScorer("cell-f1");
    await fc.assert(
      fc.asyncProperty(plainTable, plainTable, async (prediction, gold) => {
        const left = gold.rows.flat().map(obviousCell);
        const total = left.length + prediction.rows.flat().length;
        let shared = 0;
        for (const cell of prediction.rows.flat().map(obviousCell)) {
          const at = left.indexOf(cell);
          if (at === -1) continue;
          left.splice(at, 1);
          shared++;
        }
        expect((await scoreFile(prediction, gold)).value).toBeCloseTo(total === 0 ? 1 : (2 * shared) / total, 12);
      }),
    );
  });
});

describe("text", () => {
  const value = (text: string) => `v\n"${text.replaceAll('"', '""')}"\n`;

  it.each([
    ["2020", "2020"],
    ["2020.00", "2020"],
    ["3.1459", "3.14"],
    ["1e3", "1000.01"],
    [".5", "+0.5"],
    ["5.", "5"],
    ["north  america", "North America"],
    ["ＡＢＣ", "abc"],
    ["TRUE", "true"],
    ["NULL", ""],
    ["2024-3-1", "2024-03-01"],
    ["１２", "12"],
    ["1e999999999999999999999", "1e999999999999999999999"],
  ])("takes %j for %j", async (given, gold) => {
    expect(await fileScorer("text")(value(given), value(gold))).toMatchObject({ status: "perfect", value: 1 });
  });

  it.each([
    ["$2020.00 and still running", "2020"],
    ["2020 and 2021", "2020"],
    ["20200", "2020"],
    ["3.16", "3.14"],
    ["Berlin, Germany", "Berlin"],
    ["", "0"],
    ["1,234", "1234"],
    ["1e999999999", "1e999999998"],
  ])("does not take %j for %j", async (given, gold) => {
    expect(await fileScorer("text")(value(given), value(gold))).toMatchObject({ status: "none", value: 0 });
  });

  it("allows numbers to be apart by the tolerance, exactly, and thousands separators by option", async () => {
    expect((await fileScorer("text", { tolerance: 0.3 })(value("0.4"), value("0.1"))).value).toBe(1);
    expect((await fileScorer("text", { tolerance: 0.29 })(value("0.4"), value("0.1"))).value).toBe(0);
    expect((await fileScorer("text", { tolerance: 0 })(value("0.4001"), value("0.40019"))).value).toBe(1);
    expect((await fileScorer("text", { thousands: true, tolerance: 1 })(value("1,234"), value("1235"))).value).toBe(1);
  });

  it("is 0 for a table where a single value is asked for, and unscored where the gold is a table", async () => {
    const scoreFile = fileScorer("text");
    expect(await scoreFile("v\n1\n1\n", "v\n1\n")).toMatchObject({ status: "none", details: { predicted_rows: 2 } });
    expect(await scoreFile("v,w\n1,2\n", "v\n1\n")).toMatchObject({ status: "none" });
    expect(await scoreFile("v\n1\n", "v,w\n1,2\n")).toMatchObject({
      status: "unscored",
      value: null,
      reason: "the gold is not a single value but 1 × 2",
    });
  });
});
