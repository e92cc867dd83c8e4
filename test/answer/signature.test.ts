import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseCell } from "../../src/answer/cell.js";
import { hashCell } from "../../src/answer/cell-hash.js";
import { columnSignature, tableSignature } from "../../src/answer/signature.js";

const cell = fc.oneof(
  fc.constantFrom("1", "1.0", "1.00", "2", "12", "21", "a", "b", "ab", "ba", "", "NULL", "2024-3-1", "2024-03-01"),
  fc.integer({ min: 0, max: 40 }).map(String),
  fc.string({ maxLength: 4 }),
  fc.constant(null),
);
const column = fc.array(cell, { maxLength: 8 });

function sorted(values: readonly (string | null)[]): string[] {
  return values.map((value) => normaliseCell(value)).sort();
}

describe("the hash of a cell", () => {
  it("begins with the reference vectors of HalfSipHash-2-4 (64 bits, key 0 … 7) for the bytes 0, 1, 2, …", () => {
    const vectors = { 0: "218d1f59b9b83cc8", 2: "064f39ef7c50eb57", 4: "d5e78a175be52ea1", 6: "ce3e91358aa2bc25" };
    for (const [length, expected] of Object.entries(vectors)) {
      const text = Buffer.from([...Array(Number(length)).keys()]).toString("utf16le");
      const hash = new Uint32Array(4);
      hashCell(text, hash);
      expect(Buffer.from(hash.buffer, 0, 8).toString("hex"), `${length} bytes`).toBe(expected);
    }
  });

  it("scatters: half of its 128 bits change with any one bit of the text", () => {
    const before = new Uint32Array(4);
    const after = new Uint32Array(4);
    let changed = 0;
    let flips = 0;
    for (let number = 0; number < 500; number++) {
      hashCell(`value ${number}`, before);
      for (let bit = 0; bit < 4; bit++) {
        hashCell(`value ${number}`.replace("v", String.fromCharCode(118 ^ (1 << bit))), after);
        for (const [word, value] of before.entries()) changed += ones(value ^ (after[word] ?? 0));
        flips++;
      }
    }
    expect(changed / flips).toBeGreaterThan(63);
    expect(changed / flips).toBeLessThan(65);
  });
});

function ones(word: number): number {
  return (word >>> 0).toString(2).replaceAll("0", "").length;
}

describe("a column's signature", () => {
  it("is equal exactly where the sorted normalised cells are", () => {
    fc.assert(
      fc.property(column, column, (a, b) => {
        const equal = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect(columnSignature(a) === columnSignature(b)).toBe(equal);
      }),
      { numRuns: 1_000 },
    );
  });

  it("does not depend on the order of cells", () => {
    fc.assert(
      fc.property(
        column.chain((cells) =>
          fc.tuple(
            fc.constant(cells),
            fc.shuffledSubarray(cells, { minLength: cells.length, maxLength: cells.length }),
          ),
        ),
        ([cells, shuffled]) => {
          expect(columnSignature(shuffled)).toBe(columnSignature(cells));
        },
      ),
    );
  });

  it("counts how often a cell occurs", () => {
    expect(columnSignature(["a", "a", "b"])).not.toBe(columnSignature(["a", "b", "b"]));
    expect(columnSignature([])).not.toBe(columnSignature([""]));
    expect(columnSignature([null, null])).not.toBe(columnSignature([null]));
  });

  it("tells apart columns that share characters, sums and lengths", () => {
    const columns = [
      ["12", "34"],
      ["14", "32"],
      ["1", "234"],
      ["13", "33"],
      ["ab", "cd"],
      ["ad", "cb"],
      ["abcd", ""],
    ];
    expect(new Set(columns.map((cells) => columnSignature(cells))).size).toBe(columns.length);
  });

  it("has no collision among 200,000 neighbouring columns", () => {
    const signatures = new Set<string>();
    for (let i = 0; i < 200_000; i++) signatures.add(columnSignature([`x${i % 1000}`, `y${Math.floor(i / 1000)}`]));
    expect(signatures.size).toBe(200_000);
  });

  it("reads thousands separators when asked to", () => {
    expect(columnSignature(["1,000"], { thousands: true })).toBe(columnSignature(["1000"]));
    expect(columnSignature(["1,000"])).not.toBe(columnSignature(["1000"]));
  });
});

describe("an answer's signature", () => {
  const answer = {
    columns: ["name", "n"],
    rows: [
      ["x", "1"],
      ["y", "2"],
    ],
  };

  it("is equal for other names, column order, row order and spellings of values", () => {
    const other = {
      columns: ["c1", "c0"],
      rows: [
        ["2.00", "y "],
        ["1.0", "x"],
      ],
    };
    expect(tableSignature(other)).toBe(tableSignature(answer));
  });

  it("differs for another value, a further column and a column less", () => {
    const signatures = [
      answer,
      {
        columns: ["name", "n"],
        rows: [
          ["x", "1"],
          ["y", "3"],
        ],
      },
      {
        columns: ["name", "n", "n2"],
        rows: [
          ["x", "1", "1"],
          ["y", "2", "2"],
        ],
      },
      { columns: ["name"], rows: [["x"], ["y"]] },
      { columns: ["name", "n"], rows: [] },
      { columns: ["name"], rows: [] },
    ].map(tableSignature);
    expect(new Set(signatures).size).toBe(signatures.length);
  });
});
