import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printedAnswer } from "../../../src/tools/python/python-answer.js";

const table = (text: string) => {
  const answer = printedAnswer(text);
  if (!answer.ok) throw new Error(answer.why);
  return answer.table;
};
const why = (text: string) => {
  const answer = printedAnswer(text);
  return answer.ok ? null : answer.why;
};

describe("the table that code printed", () => {
  it("is the last JSON object with columns and rows, whatever stands around it", () => {
    const text = `loading {not json}\n{"columns": ["a"], "rows": [[1]]}\nanswer: {"columns": ["n", "s"], "rows": [[2, "x"], [3, null]]} done {"seconds": 3} {`;
    expect(table(text)).toEqual({
      columns: ["n", "s"],
      types: ["BIGINT", "VARCHAR"],
      rows: [
        ["2", "x"],
        ["3", null],
      ],
    });
    const pretty = JSON.stringify({ rows: [["a {b"]], note: { deep: [{}] }, columns: ["c"] }, null, 2);
    expect(table(`first\n${pretty}\n`).rows).toEqual([["a {b"]]);
  });

  it("takes rows by name as well, in the order of the columns", () => {
    expect(table('{"columns": ["b", "a"], "rows": [{"a": 1, "b": 2, "c": 3}]}').rows).toEqual([["2", "1"]]);
    expect(why('{"columns": ["b", "a"], "rows": [{"a": 1, "b": 2}, {"a": 1}]}')).toBe('row 2 has no value for "b"');
  });

  it("keeps numbers as they were printed, and reads Python's NaN as a missing cell", () => {
    const rows = '[[12345678901234567890, 1.10, 1e-07, NaN, Infinity, -Infinity, true, [1, {"k": 2.50}]]]';
    expect(table(`{"columns": [1, 2, 3, 4, 5, 6, 7, 8], "rows": ${rows}}`)).toEqual({
      columns: ["1", "2", "3", "4", "5", "6", "7", "8"],
      types: ["BIGINT", "DOUBLE", "DOUBLE", "VARCHAR", "DOUBLE", "DOUBLE", "BOOLEAN", "VARCHAR"],
      rows: [["12345678901234567890", "1.10", "1e-07", null, "inf", "-inf", "true", '[1,{"k":2.50}]']],
    });
  });

  it("may have no rows, but not another shape; then it says which, and how to print one", () => {
    expect(table('{"columns": ["a"], "rows": []}')).toEqual({ columns: ["a"], types: ["VARCHAR"], rows: [] });
    expect(why("a\nb")).toMatch(/^stdout has no JSON object with columns and rows; print the answer last: print\(json/);
    expect(why("{'columns': ['a'], 'rows': []}")).toContain("stdout has no JSON object");
    expect(why('{"columns": "a", "rows": []}')).toContain("columns must be a list of at least one name");
    expect(why('{"columns": [], "rows": []}')).toContain("columns must be a list of at least one name");
    expect(why('{"columns": ["a"], "rows": 3}')).toContain("rows must be a list");
    expect(why('{"columns": ["a"], "rows": [[1], [1, 2]]}')).toBe("row 2 has 2 values for 1 columns");
    expect(why('{"columns": ["a"], "rows": [1]}')).toBe("row 1 is neither a list nor an object");
  });

  it("comes back as it was written, whatever its cells hold", () => {
    const cell = fc.oneof(fc.string({ unit: "binary" }), fc.constant(null));
    const tables = fc.integer({ min: 1, max: 5 }).chain((width) =>
      fc.record({
        columns: fc.array(fc.string({ unit: "binary" }), { minLength: width, maxLength: width }),
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }),
      }),
    );
    fc.assert(
      fc.property(tables, fc.string(), fc.string(), (given, before, after) => {
        const text = `${before}\n${JSON.stringify(given)}\n${after}`;
        const { columns, rows } = table(text);
        expect({ columns, rows }).toEqual(given);
      }),
    );
  });

  it("is not sought for ever in text that opens without end", () => {
    expect(why('{"a":['.repeat(100_000))).toContain("stdout has no JSON object");
    expect(why('{"a":"'.repeat(100_000))).toContain("stdout has no JSON object");
    expect(table(`${'{"a":['.repeat(20_000)}{"columns": ["a"], "rows": [[1]]}`).rows).toEqual([["1"]]);
  });
});
