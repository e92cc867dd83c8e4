import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compiledFrom, rowsOf } from "./compiled.js";

/** How a table is written, besides its cells. */
interface Manner {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly mark: boolean;
  readonly lastLineEnd: boolean;
  /** Quotes also where none are needed. */
  readonly quoteAll: boolean;
}

const manner: fc.Arbitrary<Manner> = fc.record({
  delimiter: fc.constantFrom(",", "\t", ";", "|"),
  lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  mark: fc.boolean(),
  lastLineEnd: fc.boolean(),
  quoteAll: fc.boolean(),
});

/** Text that is hard to write, and that is no number, date or marker as a whole. */
const cell = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '""',
        ",",
        ";",
        "\t",
        "|",
        "\n",
        "\r\n",
        "\r",
        " ",
        "#",
        "\\",
        "'",
        "\0",
        "é",
        "数据",
        "😀",
        "\ufeff",
      ),
      fc.string({ unit: "grapheme", maxLength: 5 }),
      fc.integer().map(String),
    ),
    { maxLength: 6 },
  )
  .map((parts) => (parts.length === 0 ? "" : `~${parts.join("")}`));

const table = fc.integer({ min: 2, max: 5 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
    how: manner,
  }),
);

function write(rows: readonly (readonly string[])[], how: Manner): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const written = (text: string) => {
    const needed = text.startsWith('"') || [how.delimiter, "\n", "\r"].some((special) => text.includes(special));
    return needed || (how.quoteAll && text !== "") ? quoted(text) : text;
  };
  const lines = rows.map((row) => row.map(written).join(how.delimiter));
  return `${how.mark ? "\ufeff" : ""}${lines.join(how.lineEnd)}${how.lastLineEnd ? how.lineEnd : ""}`;
}

/** A short file with some NULs in it is no text to anyone: it is not read as a table, and that is said. */
function looksBinary(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length > bytes.length * 0.02;
}

describe("a table written as CSV", () => {
  it("reads back equal, whatever is in its cells and however it is written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(table, { minLength: 1, maxLength: 8 }), async (tables) => {
        const headers = tables.map(({ width }) => Array.from({ length: width }, (_, i) => `name${i}`));
        const files = tables.map(({ rows, how }, t) => [`t${t}.csv`, write([headers[t] ?? [], ...rows], how)]);
        const context = await compiledFrom(Object.fromEntries(files));
        // A row without a value is a blank line or a line of delimiters; only the second is a row.
        const kept = (rows: readonly (readonly (string | null)[])[]) =>
          rows.filter((row) => row.some((text) => text !== null));
        for (const [t, { rows }] of tables.entries()) {
          if (looksBinary(files[t]?.[1] ?? "")) {
            expect(context.catalog.uncertainties.map(({ source }) => source)).toContain(`t${t}.csv`);
            continue;
          }
          const wanted = rows.map((row) => row.map((text) => (text === "" ? null : text)));
          expect(kept(await rowsOf(context, `SELECT * FROM t${t}`))).toEqual(kept(wanted));
          const found = context.catalog.tables.find(({ name }) => name === `t${t}`);
          expect(found?.columns.map((column) => column.source_name)).toEqual(headers[t]);
        }
      }),
      { numRuns: 30 },
    );
  }, 300_000);

  it("keeps numbers that are numbers, exactly", async () => {
    const number = fc.oneof(
      fc.maxSafeInteger().map(String),
      fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => String(value)),
      fc.integer({ min: 0, max: 999 }).map((value) => `${value}.50`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 60 }), async (numbers) => {
        const context = await compiledFrom({ "t.csv": `x,y\n${numbers.map((text) => `${text},1\n`).join("")}` });
        const found = await rowsOf(context, "SELECT x FROM t");
        expect(found.map(([text]) => Number(text))).toEqual(numbers.map((text) => Number(text) + 0));
      }),
      { numRuns: 25 },
    );
  }, 300_000);
});
