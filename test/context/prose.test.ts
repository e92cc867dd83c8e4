import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentBlocks } from "../../src/context/structured/document-blocks.js";
import { passageRows } from "../../src/context/structured/passage-reply.js";
import { lineRanges, passagesOf } from "../../src/context/structured/passages.js";
import { standingValue } from "../../src/context/structured/standing-value.js";

describe("a value that an extractor gives", () => {
  it.each([
    ["12", "It has 12 rooms.", "12"],
    ["1,200 km", "a line of **1,200 km**", "1,200 km"],
    ["Old  Town", "the Old Town gate", "Old Town"],
    ["青石水库", "至青石水库为止", "青石水库"],
    ["1968", "建成于1968年", "1968"],
  ])("stands where the text has it: %s in %j", (value, text, standing) => {
    expect(standingValue(value, text)).toBe(standing);
  });

  it.each([
    ["5", "grew by 5 million", "5 million"],
    ["31", "stands 31 m above", "31 m"],
    ["12.5", "rose 12.5% on", "12.5%"],
    ["12.5", "rose 12.5 percent on", "12.5 percent"],
    ["40", "cost $40 each", "$40"],
    ["860", "库容860万立方米", "860万"],
    ["3", "售价3亿元", "3亿元"],
    ["100", "at 100 km/h on", "100 km/h"],
  ])("takes the unit along that follows it: %s in %j", (value, text, standing) => {
    expect(standingValue(value, text)).toBe(standing);
  });

  it.each([
    ["1887", "It was built in 1887 in Paris", "1887"],
    ["30", "共30克拉", "30"],
    ["2", "two: 2 minutely drawn maps", "2"],
  ])("takes no other word for its unit: %s in %j", (value, text, standing) => {
    expect(standingValue(value, text)).toBe(standing);
  });

  it.each([
    ["12", "in 2012"],
    ["12", "12.5 of them"],
    ["5", "1,500"],
    ["12", "flight BA12"],
    ["12", "the 12th"],
    ["1990", "in the 1990s"],
    ["5", "it fell to -5"],
    ["art", "a party"],
    ["13", "It has 12 rooms."],
    ["Town Old", "the Old Town gate"],
    ["", "anything"],
  ])("does not stand as a part of something else, or not at all: %s in %j", (value, text) => {
    expect(standingValue(value, text)).toBeNull();
  });

  it("is never more than the text has", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 12 }), fc.string({ unit: "grapheme" }), (value, text) => {
        const plain = (one: string) => one.normalize("NFC").replaceAll(/[\s\\*_`[\]()]+/g, "");
        const standing = standingValue(value, text);
        if (standing !== null) expect(plain(text)).toContain(plain(standing));
      }),
    );
  });
});

describe("an extractor's reply about a passage", () => {
  const passage = [
    { line: 3, text: "## Ponds" },
    { line: 5, text: "Mill Pond holds 40" },
    { line: 6, text: "tonnes. Duck Pond holds 900 kg." },
  ];
  const fields = ["Pond", "Load"];
  const read = (rows: unknown) => passageRows(JSON.stringify({ rows }), passage, fields, () => "Ponds");

  it("becomes records that cite their lines, values taken from the passage with their units", () => {
    const found = read([
      { lines: [6, 5], values: { pond: "Mill Pond", Load: 40 } },
      { lines: [6], values: { Pond: "Duck Pond", Load: "900 kg", Nothing: null } },
    ]);
    expect(found).toMatchObject({ ok: true, left_out: [] });
    if (!found.ok) throw new Error(found.error);
    expect(found.records.map(({ section, cited_lines, values }) => [section, cited_lines, [...values]])).toEqual([
      [
        "Ponds",
        [5, 6],
        [
          ["Pond", "Mill Pond"],
          ["Load", "40 tonnes"],
        ],
      ],
      [
        "Ponds",
        [6],
        [
          ["Pond", "Duck Pond"],
          ["Load", "900 kg"],
        ],
      ],
    ]);
  });

  it("leaves out each row that the cited lines do not bear out, with the reason", () => {
    const all = Array.from({ length: 11 }, (_, index) => index + 1);
    const found = read([
      { lines: [5], values: { Pond: "Mill Pond", Load: "41" } },
      { lines: [5], values: { Pond: "Duck Pond" } },
      { lines: [7], values: { Pond: "Mill Pond" } },
      { lines: [], values: { Pond: "Mill Pond" } },
      { lines: all, values: { Pond: "Mill Pond" } },
      { lines: [5], values: { Pond: "Mill Pond", Owner: "Mill" } },
      { lines: [6], values: { Pond: "Duck Pond" } },
      { lines: [6], values: { Pond: "Duck Pond" } },
      { lines: [6], values: { Pond: " ", Load: null } },
    ]);
    if (!found.ok) throw new Error(found.error);
    expect(found.records.map(({ cited_lines }) => cited_lines)).toEqual([[6]]);
    expect(found.left_out).toEqual([
      { lines: "5", why: "not-in-lines", field: "Load", value: "41" },
      { lines: "5", why: "not-in-lines", field: "Pond", value: "Duck Pond" },
      { lines: "7", why: "lines-not-in-passage" },
      { lines: "", why: "no-lines" },
      { lines: "1-10", why: "too-many-lines" },
      { lines: "5", why: "unknown-field", field: "Owner" },
      { lines: "6", why: "repeated" },
    ]);
  });

  it("does not let a value go on from one line to another that is not its neighbour", () => {
    const apart = [
      { line: 1, text: "Mill" },
      { line: 9, text: "Pond" },
    ];
    const reply = JSON.stringify({ rows: [{ lines: [1, 9], values: { Pond: "Mill Pond" } }] });
    expect(passageRows(reply, apart, fields, () => null)).toMatchObject({ records: [], left_out: [{ lines: "1; 9" }] });
  });

  it.each([
    ["nothing", null, "it is empty"],
    ["words", "I found two ponds.", "not a JSON object"],
    ["another form", '{"ponds": []}', "rows"],
    ["values that are no texts", '{"rows": [{"lines": [5], "values": {"Pond": ["a"]}}]}', "rows.0.values.Pond"],
  ])("cannot be used where it is %s, and says why", (_, content, why) => {
    const found = passageRows(content, passage, fields, () => null);
    expect(found).toMatchObject({ ok: false, error: expect.stringContaining(why) });
  });

  it("may stand in a code fence", () => {
    expect(passageRows('```json\n{"rows": []}\n```', passage, fields, () => null)).toMatchObject({ ok: true });
  });
});

describe("passages", () => {
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.string({ maxLength: 80 }) },
    fc.constantFrom("", "# Heading", "| a | b |", "|---|---|"),
    fc.integer({ min: 1000, max: 9000 }).map((length) => "Some words of it. ".repeat(length / 18)),
  );

  it("hold every line of their blocks in order, each with its own number and text, and stay within their size", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const headings = lines.flatMap((text, index) =>
          text === "# Heading" ? [{ level: 1, text: "Heading", line: index + 1 }] : [],
        );
        const blocks = documentBlocks(lines, headings).filter(({ kind }) => kind === "prose");
        const passages = passagesOf(blocks, lines, headings);
        const texts = new Map<number, string>();
        for (const { line: number, text } of passages.flat()) {
          texts.set(number, text.startsWith("# ") ? text : `${texts.get(number) ?? ""}${text}`);
        }
        const bare = (text: string | undefined) => (text ?? "").replaceAll(/\s/g, "");
        for (const { first_line, last_line } of blocks) {
          for (let at = first_line; at <= last_line; at++) expect(bare(texts.get(at))).toBe(bare(lines[at - 1]));
        }
        for (const passage of passages) {
          const numbers = passage.map((one) => one.line);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
          expect(passage.reduce((sum, one) => sum + one.text.length, 0)).toBeLessThanOrEqual(8000);
        }
      }),
    );
  });

  it("repeat the heading above where a passage begins in the middle of its section", () => {
    const lines = ["# Ponds", ...Array.from({ length: 300 }, (_, index) => `Pond ${index} holds 40 tonnes of water.`)];
    const headings = [{ level: 1, text: "Ponds", line: 1 }];
    const passages = passagesOf(documentBlocks(lines, headings), lines, headings);
    expect(passages.length).toBeGreaterThan(1);
    expect(passages.map(([first]) => first)).toEqual(passages.map(() => ({ line: 1, text: "# Ponds" })));
  });

  it("are told by line ranges", () => {
    expect(lineRanges([41, 3, 40, 40])).toBe("3; 40-41");
  });
});
