import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compiledFrom, rowsOf } from "./compiled.js";

/** Text that is no number, date or marker as a whole, and hard to write. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', "'", "\\", ",", "\n", "\r\n", "\t", "\0", "{", "]", "\u2028", "😀", "数据"),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => `~${parts.join("")}`);

const row = fc.record({
  s: fc.option(text),
  i: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  d: fc.option(fc.double({ noDefaultInfinity: true, noNaN: true })),
  n: fc.array(text, { maxLength: 3 }),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const rows = fc.array(row, { minLength: 1, maxLength: 20 });

/** JSON of a row with its whole number as digits, which `JSON.stringify` cannot write; null members left out now and then. */
function jsonOf({ s, i, d, n }: Row, indent: number | undefined, sparse: boolean): string {
  const members = { s, i: i === null ? null : "@i", d, n };
  const kept = Object.entries(members).filter(([, value]) => !sparse || value !== null);
  return JSON.stringify(Object.fromEntries(kept), null, indent).replace('"@i"', String(i));
}

/** What a query on the table gives, as far as values are concerned. */
const seen = ([s, i, d]: readonly (string | null)[]) => [
  s ?? null,
  i ?? null,
  d === null || d === undefined ? null : Number(d),
];
const wanted = ({ s, i, d }: Row) => [s, i === null ? null : String(i), d === null ? null : d + 0];

describe("a table written with types", () => {
  it("reads back equal from JSON, in a document or one record a line, indented or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 4 }), fc.boolean(), async (tables, sparse) => {
        // A first record with every key gives the columns their order.
        const first: Row = { s: "~", i: 0n, d: 0.5, n: [] };
        const files = tables.flatMap((table, t) => {
          const all = [first, ...table];
          const lines = all.map((one) => jsonOf(one, undefined, sparse));
          const records = all.map((one) => jsonOf(one, 2, sparse)).join(",\n");
          return [
            [`lines${t}.jsonl`, lines.join("\n")],
            [`document${t}.json`, `{"table": "document${t}", "records": [${records}]}`],
          ];
        });
        const context = await compiledFrom(Object.fromEntries(files));
        for (const [t, table] of tables.entries()) {
          for (const name of [`lines${t}`, `document${t}`]) {
            const found = await rowsOf(context, `SELECT s, i, d, n FROM ${name} OFFSET 1`);
            expect(found.map(seen)).toEqual(table.map(wanted));
            expect(found.map(([, , , n]) => JSON.parse(n ?? ""))).toEqual(table.map(({ n }) => n));
          }
        }
        expect(context.catalog.uncertainties).toEqual([]);
      }),
      { numRuns: 20 },
    );
  }, 300_000);

  it("reads back equal from SQLite", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (table) => {
        const database = new Database(":memory:");
        database.exec("CREATE TABLE t (s, i, d REAL)");
        const insert = database.prepare("INSERT INTO t VALUES (?, ?, ?)");
        for (const { s, i, d } of table) insert.run(s, i, d);
        const context = await compiledFrom({ "t.db": database.serialize() });
        database.close();
        expect((await rowsOf(context, "SELECT * FROM t")).map(seen)).toEqual(table.map(wanted));
      }),
      { numRuns: 20 },
    );
  }, 300_000);
});
