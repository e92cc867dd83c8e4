import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitJson } from "../../src/tools/fit-json.js";

describe("fitting a tool's content to what a model may see", () => {
  it("leaves alone what fits", () => {
    const content = { rows: [["a", null]], truncated: false };
    expect(fitJson(content, 100, "ask again")).toEqual({ text: JSON.stringify(content), cut: false });
  });

  it("cuts lists, says how many are shown of how many, and how to get the rest", () => {
    const values = Array.from({ length: 1000 }, (_, index) => index);
    const fitted = fitJson({ column: "a", values, truncated: false }, 300, "give `contains`");
    const content = JSON.parse(fitted.text);
    expect(fitted.cut).toBe(true);
    expect(fitted.text.length).toBeLessThanOrEqual(300);
    expect(content).toEqual({
      column: "a",
      values: values.slice(0, content.values.length),
      truncated: true,
      left_out: [`values: ${content.values.length} of 1000 shown`],
      how_to_get_the_rest: "give `contains`",
    });
    expect(content.values.length).toBeGreaterThan(30);
  });

  it("keeps rows and their column names aligned", () => {
    const columns = Array.from({ length: 300 }, (_, index) => `column ${index}`);
    const rows = Array.from({ length: 200 }, (_, row) => columns.map((_, column) => `${row}/${column}`));
    const content = JSON.parse(fitJson({ results: [{ columns, rows, truncated: false }] }, 5000, "").text);
    const [result] = content.results;
    expect(result.truncated).toBe(true);
    expect(result.rows.every((row: unknown[]) => row.length === result.columns.length)).toBe(true);
    expect(result.left_out).toEqual([
      `columns: ${result.columns.length} of 300 shown`,
      `rows: ${result.rows.length} of 200 shown; in each, ${result.columns.length} of 300 shown`,
    ]);
  });

  it("shows fewer rows rather than fewer columns", () => {
    const columns = Array.from({ length: 20 }, (_, index) => `column ${index}`);
    const rows = Array.from({ length: 200 }, (_, row) => columns.map((_, column) => `${row}/${column}`));
    const content = JSON.parse(fitJson({ columns, rows }, 4000, "").text);
    expect(content.columns).toEqual(columns);
    expect(content.rows).toEqual(rows.slice(0, content.rows.length));
    expect(content.left_out).toEqual([`rows: ${content.rows.length} of 200 shown`]);
  });

  it("cuts long texts before it gives up on showing some rows, and never inside a character", () => {
    const rows = Array.from({ length: 20 }, () => ["😀".repeat(100_000), "x"]);
    const { text } = fitJson({ rows }, 4000, "");
    const content = JSON.parse(text);
    expect(content.rows.length).toBeGreaterThanOrEqual(10);
    for (const [cell] of content.rows) expect(cell).toMatch(/^(😀)+… \(\+\d+ characters\)$/u);
    expect(content.left_out[0]).toContain("texts cut at");
  });

  it("copes with more text than JavaScript can hold in one string", () => {
    const large = "\n".repeat(200_000_000);
    const { text, cut } = fitJson({ rows: Array.from({ length: 10 }, () => [large, large]) }, 20_000, "");
    expect(cut).toBe(true);
    expect(text.length).toBeLessThanOrEqual(20_000);
  });

  it("gives valid JSON within the budget for any content, and loses no key", () => {
    const key = fc.constantFrom("a", "b", "rows", "truncated");
    const content = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 });
    fc.assert(
      fc.property(content, fc.integer({ min: 200, max: 2000 }), (value, budget) => {
        const { text, cut } = fitJson(value, budget, "rest");
        expect(text.length).toBeLessThanOrEqual(budget);
        const shown = JSON.parse(text);
        if (!cut) {
          expect(text).toBe(JSON.stringify(value));
          return;
        }
        // What was left out is told by the object that lost it, which may lie deep.
        expect(text).toContain('"left_out":[');
        expect(Object.keys(shown)).toEqual(
          expect.arrayContaining(text.includes("everything:") ? [] : Object.keys(value)),
        );
      }),
    );
  });
});
