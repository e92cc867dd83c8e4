import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCsv } from "../../src/answer/csv.js";
import { CsvError, csvReader } from "../../src/answer/csv-reader.js";

interface Read {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads bytes in pieces of `size`. */
function read(content: string | Uint8Array, size = 1 << 20): Read {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  let header: readonly string[] = [];
  const rows: (readonly string[])[] = [];
  const reader = csvReader({
    header: (columns) => {
      header = columns;
    },
    row: (cells) => rows.push(cells),
  });
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return { header, rows };
}

function reasonFor(content: string | Uint8Array): string {
  try {
    read(content);
  } catch (error) {
    if (error instanceof CsvError) return error.message;
    throw error;
  }
  return "it was read";
}

const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom("", '"', '""', ",", "\n", "\r\n", "a,b", 'say "hi"', "\uFEFFx", "中文", "😀", " ", "\u0000"),
);
const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    columns: fc.array(text, { minLength: width, maxLength: width }),
    rows: fc.array(fc.array(fc.option(text), { minLength: width, maxLength: width }), { maxLength: 5 }),
  }),
);

describe("writing a CSV", () => {
  it("quotes what needs it and ends lines with LF", () => {
    expect(
      formatCsv(
        ["a", 'COUNT(x), "y"'],
        [
          ["1", null],
          ["x\ny", "ü, ö"],
        ],
      ),
    ).toBe('a,"COUNT(x), ""y"""\n1,\n"x\ny","ü, ö"\n');
  });

  it('writes an empty cell of a one-column table as "", because a blank line is no row', () => {
    expect(formatCsv(["a"], [[null], [""], ["x"]])).toBe('a\n""\n""\nx\n');
    expect(formatCsv(["a", "b"], [[null, ""]])).toBe("a,b\n,\n");
  });

  it("refuses a table without columns and a ragged row", () => {
    expect(() => formatCsv([], [])).toThrow(RangeError);
    expect(() => formatCsv(["a", "b"], [["1", "2"], ["1"]])).toThrow("row 2 has 1 cells, the header has 2");
  });

  it("is read back as it was, wherever the file is cut", () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 7 }), ({ columns, rows }, size) => {
        expect(read(formatCsv(columns, rows), size)).toEqual({
          header: columns,
          rows: rows.map((row) => row.map((cell) => cell ?? "")),
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("reading a CSV", () => {
  it.each([
    ["LF", "a,b\n1,2\n"],
    ["CRLF", "a,b\r\n1,2\r\n"],
    ["CR", "a,b\r1,2\r"],
    ["no line end at the end", "a,b\n1,2"],
    ["a byte-order mark", "\uFEFFa,b\n1,2\n"],
    ["blank lines", "\n\r\na,b\n\n1,2\n\n\n"],
    ["needless quotes", '"a","b"\n"1","2"\n'],
  ])("takes %s", (_name, content) => {
    for (const size of [1, 2, 3, 100]) {
      expect(read(content, size)).toEqual({ header: ["a", "b"], rows: [["1", "2"]] });
    }
  });

  it("keeps quotes inside an unquoted cell, spaces, and line ends inside quotes", () => {
    expect(read('a,b\n5" pipe, "x"\n"1\r\n2",""""\n').rows).toEqual([
      ['5" pipe', ' "x"'],
      ["1\r\n2", '"'],
    ]);
  });

  it("keeps NUL bytes as characters", () => {
    expect(read("a\n1\u00002\n").rows).toEqual([["1\u00002"]]);
  });

  it("takes a header alone, an empty name, and the same name twice", () => {
    expect(read("a,a,\n")).toEqual({ header: ["a", "a", ""], rows: [] });
    expect(read('""\n""\n')).toEqual({ header: [""], rows: [[""]] });
  });

  it.each([
    ["an empty file", "", "no header: the file is empty"],
    ["only blank lines", "\n\r\n\n", "no header: the file is empty"],
    ["only a byte-order mark", "\uFEFF", "no header: the file is empty"],
    ["a short row", "a,b\n1,2\n3\n", "line 3 has 1 cell, the header has 2 columns"],
    ["a long row", 'a\n"x\ny"\n1,2\n', "line 4 has 2 cells, the header has 1 column"],
    ["a short row after CRLF line ends", "a,b\r\n1,2\r\n\r\n3\r\n", "line 4 has 1 cell, the header has 2 columns"],
    ["text after a closing quote", 'a\n"x"y\n', "line 2 has text after a closing quote"],
    ["an unclosed quote", 'a\n\n"x\n', "a quote in the row that starts in line 3 is never closed"],
    ["latin-1", Buffer.from("a\nR\u00e4ikk\u00f6nen\n", "latin1"), "not valid UTF-8"],
    ["UTF-16", Buffer.from("\uFEFFa\n1\n", "utf16le"), "not valid UTF-8"],
    ["a cut character at the end", Buffer.from("a\né").subarray(0, 3), "not valid UTF-8"],
    ["more columns than a spreadsheet has", ",".repeat(16_384), "the header has 16385 columns, more than 16384"],
  ])("refuses %s", (_name, content, reason) => {
    expect(reasonFor(content)).toBe(reason);
  });

  it("stops at a row that has no end in 16 million characters, instead of taking all memory", () => {
    const piece = Buffer.alloc(1 << 20, "x");
    const fed = (start: string) => {
      const reader = csvReader({ header: () => {}, row: () => {} });
      reader.push(Buffer.from(start));
      for (let pieces = 0; pieces < 64; pieces++) reader.push(piece);
    };
    expect(() => fed('a\n"')).toThrow("the row in line 2 has more than 16777216 characters (is a quote never closed?)");
    expect(() => fed("a\n")).toThrow("the row in line 2 has more than 16777216 characters");
  });
});
