import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentBlocks } from "../../src/context/structured/document-blocks.js";
import { extractRecords, fieldsOf } from "../../src/context/structured/extract-records.js";
import { typedColumn } from "../../src/context/structured/typed-column.js";

const HEADING = /^(#+)\s+(.*)$/;

function blocksOf(text: string) {
  const lines = text.split("\n");
  const headings = lines.flatMap((line, index) => {
    const [, marks = "", title = ""] = HEADING.exec(line) ?? [];
    return marks === "" ? [] : [{ level: marks.length, text: title, line: index + 1 }];
  });
  return documentBlocks(lines, headings);
}

/** Records as plain objects, with their section and lines. */
function recordsOf(text: string) {
  return blocksOf(text).flatMap(({ records }) =>
    records.map(({ section, first_line, last_line, values }) => [
      section,
      first_line === last_line ? first_line : [first_line, last_line],
      Object.fromEntries(values),
    ]),
  );
}

describe("a Markdown table", () => {
  it("gives a record a row, without marks, with nothing for empty cells", () => {
    const text = [
      "# Drugs",
      "",
      "| Name | Dose | `a\\|b` |",
      "| :--- | ---: | --- |",
      "| **Aspirin** | 500 mg | [x](http://y.z) |",
      "| snake_case_2 | — | N/A |",
      "Text after.",
    ].join("\n");
    expect(recordsOf(text)).toEqual([
      ["Drugs", 5, { Name: "Aspirin", Dose: "500 mg", "a|b": "x" }],
      ["Drugs", 6, { Name: "snake_case_2" }],
    ]);
    expect(blocksOf(text).map(({ kind, first_line, last_line }) => [kind, first_line, last_line])).toEqual([
      ["table", 3, 6],
      ["prose", 7, 7],
    ]);
  });

  it("needs no outer pipes, and tells of rows with too few or too many cells", () => {
    const [table] = blocksOf("a | b\n--- | ---\n1 | 2\n3 |\n5 | 6 | 7");
    expect(table).toMatchObject({ kind: "table", fields: ["a", "b"], ragged_lines: [4, 5] });
    expect(recordsOf("a | b\n--- | ---\n1 | 2\n3 |\n5 | 6 | 7").map((record) => record[2])).toEqual([
      { a: "1", b: "2" },
      { a: "3" },
      { a: "5", b: "6" },
    ]);
  });

  it("names empty and double headers apart", () => {
    expect(blocksOf("| x |  | X |\n|---|---|---|\n| 1 | 2 | 3 |")[0]?.fields).toEqual(["x", "column_2", "X_2"]);
  });

  it.each([
    ["a pipe in prose", "either a | b\nor nothing"],
    ["a rule of another width", "a | b\n---\n1 | 2"],
    ["a table inside a code fence", "```\n| a |\n|---|\n| 1 |\n```"],
  ])("is not %s", (_what, text) => {
    expect(blocksOf(text).some(({ kind }) => kind === "table")).toBe(false);
  });

  it("comes back cell for cell, whatever its cells are", () => {
    const cell = fc.stringMatching(/^[A-Za-z0-9一-龥.,%/()]{1,8}$/).filter((text) => !/^n\/a$/i.test(text));
    const shape = fc.integer({ min: 1, max: 5 });
    const tables = shape.chain((width) =>
      fc.array(fc.array(fc.option(cell), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
    );
    fc.assert(
      fc.property(tables, (rows) => {
        const fields = (rows[0] ?? []).map((_, index) => `f${index}`);
        const line = (cells: readonly (string | null)[]) => `| ${cells.map((one) => one ?? "").join(" | ")} |`;
        const text = [line(fields), line(fields.map(() => "---")), ...rows.map(line)].join("\n");
        const expected = rows
          .map((row) => Object.fromEntries(row.flatMap((one, index) => (one === null ? [] : [[`f${index}`, one]]))))
          .filter((record) => Object.keys(record).length > 0);
        expect(recordsOf(text).map((record) => record[2])).toEqual(expected);
      }),
    );
  });
});

describe("a key–value list", () => {
  it("ends a record where a key comes again", () => {
    expect(recordsOf("Name: Ann\nAge: 5\n\nname: Bob\n\nAge: 7\nCity: Bonn")).toEqual([
      [null, [1, 2], { Name: "Ann", Age: "5" }],
      [null, [4, 7], { Name: "Bob", Age: "7", City: "Bonn" }],
    ]);
  });

  it("takes bullets, bold keys, full-width colons, and values that go on below", () => {
    const text = "## 甲\n- **编号**：A-1\n- **Note:** first\n  and second\n## 乙\n- 编号：A-2\n- Note: -";
    expect(recordsOf(text)).toEqual([
      ["甲", [2, 4], { 编号: "A-1", Note: "first and second" }],
      ["乙", [6, 7], { 编号: "A-2" }],
    ]);
  });

  it("has an item with pairs indented below it as the title of their record", () => {
    expect(recordsOf("# All\n- **Ann**\n  - Age: 5\n  - City: Bonn\n- Bob:\n  - Age: 7")).toEqual([
      ["Ann", [2, 4], { Age: "5", City: "Bonn" }],
      ["Bob", [5, 6], { Age: "7" }],
    ]);
  });

  it.each([
    ["one line with a colon", "Note: this is prose.\nAnd it goes on."],
    ["times and addresses", "at 12:30\nhttp://a.b/c\nhttp://d.e/f"],
    ["sentences", "It was late. He said: go.\nShe left! Then: nothing."],
  ])("is not %s", (_what, text) => {
    expect(blocksOf(text).map(({ kind }) => kind)).toEqual(["prose"]);
  });
});

describe("blocks", () => {
  it("never overlap, stay in order, and leave out only headings, rules and blank lines", () => {
    const line = fc.constantFrom(
      "# H",
      "",
      "---",
      "text",
      "a: b",
      "c: d",
      "- t",
      "  - k: v",
      "| a | b |",
      "|---|---|",
      "```",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
        const covered = new Set<number>();
        let last = 0;
        for (const { first_line, last_line } of blocksOf(lines.join("\n"))) {
          expect(first_line).toBeGreaterThan(last);
          expect(last_line).toBeGreaterThanOrEqual(first_line);
          for (let at = first_line; at <= last_line; at++) covered.add(at);
          last = last_line;
        }
        expect(last).toBeLessThanOrEqual(lines.length);
        for (const [index, text] of lines.entries()) {
          if (!["# H", "", "---"].includes(text)) expect(covered.has(index + 1)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a field's values", () => {
  const typed = (cells: readonly (string | null)[], field = "x") => {
    const { type, unit, cells: out, converted } = typedColumn(field, cells);
    return { type, unit, cells: out, converted };
  };

  it.each([
    ["whole numbers", ["1,200", null, "-3"], "BIGINT", null, ["1200", null, "-3"]],
    ["fractions", ["1.50", "2"], "DOUBLE", null, ["1.5", "2"]],
    ["percentages", ["12.5%", "3 %"], "DOUBLE", "%", ["12.5", "3"]],
    ["money", ["¥1,200", "300元"], "BIGINT", "¥", ["1200", "300"]],
    ["dates", ["2024-02-29", "2023-01-01"], "DATE", null, ["2024-02-29", "2023-01-01"]],
    [
      "written dates",
      ["12 March 1884", "Mar. 2nd, 1901", "1950年3月4日"],
      "DATE",
      null,
      ["1884-03-12", "1901-03-02", "1950-03-04"],
    ],
    ["dates of two readings", ["3/4/2024"], "VARCHAR", null, ["3/4/2024"]],
    ["a written date that is none", ["31 April 2024"], "VARCHAR", null, ["31 April 2024"]],
    ["a date that is none", ["2023-02-29"], "VARCHAR", null, ["2023-02-29"]],
    ["codes", ["007", "12"], "VARCHAR", null, ["007", "12"]],
    ["long codes", ["12345678901234567"], "VARCHAR", null, ["12345678901234567"]],
    ["months", ["12 May", "13 May"], "VARCHAR", null, ["12 May", "13 May"]],
  ] as const)("that are %s have their type and unit", (_what, cells, type, unit, out) => {
    expect(typed(cells)).toMatchObject({ type, unit, cells: out });
  });

  it("are brought to the most frequent unit, exactly, and it is recorded how", () => {
    expect(typed(["500 mg", "1.1 g", "20 mg"])).toEqual({
      type: "BIGINT",
      unit: "mg",
      cells: ["500", "1100", "20"],
      converted: [{ written: "g", values: 1, factor: "1000" }],
    });
    expect(typed(["2 亿元", "30 万元"]).cells).toEqual(["2", "0.003"]);
  });

  it("that are dates written in words are recorded with the first of them", () => {
    expect(typed(["1884-03-12", "2 May 1901", null, "3 May 1901"])).toMatchObject({
      type: "DATE",
      converted: [{ written: "2 May 1901", values: 2, factor: null }],
    });
  });

  it("have the unit that the field's name gives", () => {
    expect(typed(["5", "1 kg"], "Weight (g)")).toMatchObject({ unit: "g", cells: ["5", "1000"] });
    expect(typed(["5"], "金额（万元）")).toMatchObject({ unit: "万元", type: "BIGINT" });
  });

  it.each([
    [["5 mg", "3 km"], "the units are of different kinds: mg, km"],
    [["5 mg", "3"], "1 of 2 numbers have no unit"],
    [["5 mg", "6 mg", "a lot"], '1 of 3 values are no number of a known unit, such as "a lot"'],
    [["2 May 1901", "3 May 1901", "1902"], '1 of 3 values are no full date, such as "1902"'],
    [["$5", "€6"], "the units are of different kinds: $, €"],
  ])("stay as they are written where they do not agree: %j", (cells, left_as_text) => {
    expect(typedColumn("x", cells)).toMatchObject({ type: "VARCHAR", unit: null, left_as_text, cells });
  });
});

describe("records merged by a key", () => {
  const TEXT = [
    "| Id | Weight |",
    "|---|---|",
    "| a | 1 kg |",
    "| b | 2 kg |",
    "",
    "Id: a\nWeight: 1000 g\nCity: Bonn",
    "",
    "Id: b\nWeight: 3 kg",
    "Id: -\nWeight: 4 kg",
  ].join("\n");

  it("fill each other's gaps, with the lines of all; what they say differently is told", () => {
    const blocks = blocksOf(TEXT);
    const { table, merged, without_key, conflicts } = extractRecords(blocks, fieldsOf(blocks), "Id");
    expect(table).toEqual({
      columns: [
        { name: "doc_section", type: "VARCHAR" },
        { name: "doc_lines", type: "VARCHAR" },
        { name: "Id", type: "VARCHAR" },
        { name: "Weight", type: "BIGINT" },
        { name: "City", type: "VARCHAR" },
      ],
      rows: [
        [null, "3; 6-8", "a", "1", "Bonn"],
        [null, "4; 10-11", "b", "2", null],
        [null, "12-13", null, "4", null],
      ],
    });
    expect({ merged, without_key }).toEqual({ merged: 2, without_key: 1 });
    expect(conflicts).toEqual([
      { key: "b", field: "Weight", kept: "2", kept_lines: "4", dropped: "3", dropped_lines: "10-11" },
    ]);
  });

  it("stay apart without one, each with its own lines", () => {
    const blocks = blocksOf(TEXT);
    const { table } = extractRecords(blocks, ["Weight"], null);
    expect(table.rows.map((row) => row.slice(1))).toEqual([
      ["3", "1"],
      ["4", "2"],
      ["6-8", "1"],
      ["10-11", "3"],
      ["12-13", "4"],
    ]);
  });
});
