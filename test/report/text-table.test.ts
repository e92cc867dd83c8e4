import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTable, type TableColumn } from "../../src/report/text-table.js";
import { cutText, oneLine, padText, textWidth, wrapParts } from "../../src/report/text-width.js";

describe("the width of text on a terminal", () => {
  it.each([
    ["task_1", 6],
    ["任务一", 6],
    ["ｔａｓｋ", 8],
    ["한국어", 6],
    ["カタカナ", 8],
    ["ｶﾀｶﾅ", 4],
    ["e\u0301te", 3],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["🇨🇳", 2],
    ["±·…–●○", 6],
    ["", 0],
  ])("of %j is %i cells", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it("never cuts a character in half", () => {
    expect(cutText("任务一二三", 6)).toBe("任务…");
    expect(cutText("任务一二三", 5)).toBe("任务…");
    expect(cutText("task_with_a_long_name_1", 11, "middle")).toBe("task_…ame_1");
    expect(padText("任务一二三", 4, "left")).toBe("任… ");
  });

  it("is held by cutting and padding, whatever the text", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
        fc.constantFrom("任", "👩‍👩‍👧", "e\u0301"),
      ),
    });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom("end" as const, "middle" as const),
        (any, width, where) => {
          const line = oneLine(any);
          expect(textWidth(cutText(line, width, where))).toBeLessThanOrEqual(width);
          expect(textWidth(padText(line, width, "right"))).toBe(width);
        },
      ),
    );
  });

  it("lets nothing through that steers a terminal", () => {
    expect(oneLine("a\u001b[31mred\u001b[0m\r\n\tb\u202ec\u0007")).toBe("a�[31mred�[0m b�c�");
  });

  it("breaks sentences between their parts, then between words, then within them", () => {
    expect(wrapParts(["one two", "three"], " · ", 20)).toEqual(["one two · three"]);
    expect(wrapParts(["one two", "three"], " · ", 10)).toEqual(["one two", "three"]);
    expect(wrapParts(["one two three"], " · ", 8)).toEqual(["one two", "three"]);
    expect(wrapParts(["任务一二三"], " · ", 4)).toEqual(["任务", "一二", "三"]);
    expect(wrapParts(["one two", "three"], " · ", null)).toEqual(["one two · three"]);
  });
});

describe("a table", () => {
  const columns: readonly TableColumn[] = [
    { header: "task", align: "left", min: 8, cut: "middle" },
    { header: "class", align: "left" },
    { header: "score", align: "right", drop: 1 },
    { header: "note", align: "left", min: 6, drop: 2 },
  ];
  const rows = [
    [{ text: "任务一" }, { text: "solid" }, { text: "1.00" }, { text: "" }],
    [{ text: "task_2" }, { text: "flaky" }, { text: "0.67" }, { text: "1× wrong answer" }],
  ];

  it("lines up wide and narrow characters", () => {
    expect(formatTable(columns, rows, null)).toEqual([
      "task    class  score  note",
      "任务一  solid   1.00",
      "task_2  flaky   0.67  1× wrong answer",
    ]);
  });

  it("cuts the last column first, then leaves columns out", () => {
    expect(formatTable(columns, rows, 30)[2]).toBe("task_2  flaky   0.67  1× wron…");
    expect(formatTable(columns, rows, 22)[2]).toBe("task_2  flaky   0.67");
    expect(formatTable(columns, rows, 15)[2]).toBe("task_2  flaky");
  });

  it("goes on in further lines where a column may, and below the row where there is no room beside it", () => {
    const wrapping = columns.map((column) =>
      column.header === "note" ? ({ ...column, wrap: true } as const) : column,
    );
    const noted = [...rows, [{ text: "任务三" }, { text: "solid" }, { text: "1.00" }, { text: "valid 1/3; 2× infra" }]];
    expect(formatTable(wrapping, noted, 32)).toEqual([
      "task    class  score  note",
      "任务一  solid   1.00",
      "task_2  flaky   0.67  1× wrong",
      "                      answer",
      "任务三  solid   1.00  valid 1/3;",
      "                      2× infra",
    ]);
    expect(formatTable(wrapping, noted, 20)).toEqual([
      "task    class  score",
      "任务一  solid   1.00",
      "task_2  flaky   0.67",
      "  1× wrong answer",
      "任务三  solid   1.00",
      "  valid 1/3; 2×",
      "  infra",
    ]);
  });

  it("leaves out columns that are empty everywhere, and is nothing without rows", () => {
    expect(formatTable(columns, [[{ text: "a" }, { text: "solid" }]], null)).toEqual(["task  class", "a     solid"]);
    expect(formatTable(columns, [], 40)).toEqual([]);
  });

  it("paints what is padded already, so that colours move nothing", () => {
    const painted = formatTable(columns, [[{ text: "a", paint: (text) => `<${text}>` }, { text: "solid" }]], null);
    expect(painted[1]).toBe("<a   >  solid");
  });
});
