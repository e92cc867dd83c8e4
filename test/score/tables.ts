import { writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { formatCsv } from "../../src/answer/csv.js";
import type { Score } from "../../src/core/score.js";
import { NO_CHECKS } from "../../src/score/checks.js";
import { type ScorerOptions, scorerNamed } from "../../src/score/scorer.js";
import { folderWith } from "../support/folder.js";
import { NO_DOMAINS } from "../support/no-domains.js";
import type { PlainTable } from "./obvious-scorer.js";

export const OPTIONS: ScorerOptions = { penalty: 0.1, names: "accept", thousands: false, tolerance: 0.01 };

/** Scores texts or tables as files, in one folder that is gone after the test. */
export function fileScorer(scorer: string, given: Partial<ScorerOptions> = {}) {
  const folder = folderWith();
  const [prediction, gold] = [path.join(folder, "prediction.csv"), path.join(folder, "gold.csv")];
  return async (predicted: PlainTable | string | Buffer | null, wanted: PlainTable | string): Promise<Score> => {
    if (predicted !== null) writeFileSync(prediction, contentOf(predicted));
    writeFileSync(gold, contentOf(wanted));
    return scorerNamed(scorer).score(
      { prediction: predicted === null ? null : prediction, conclusion: null },
      { file: gold, checks: NO_CHECKS },
      { ...OPTIONS, ...given },
      NO_DOMAINS,
    );
  };
}

function contentOf(table: PlainTable | string | Buffer): string | Buffer {
  return typeof table === "object" && "columns" in table ? formatCsv(table.columns, table.rows) : table;
}

/** Cells that come in several spellings, so that columns are often equal without being the same. */
const cell = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("1", "1.0", "01", "1e0", "2", "2.004", "a", " a", "b", "", "NULL", "nan") },
  { weight: 2, arbitrary: fc.constantFrom("Ann", "Lee", "Ann Lee", "Lee Ann", "none", "2024-3-1", "2024-03-01") },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 5 }) },
);
const header = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("first_name", "名", "Surname", "familyName", "full name", "x", "") },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 3 }).filter((text) => !/first|given|forename|last|family|surname/i.test(text)),
  },
);

/** A small table of wild cells. */
export const plainTable: fc.Arbitrary<PlainTable> = fc
  .record({ width: fc.integer({ min: 1, max: 4 }), height: fc.integer({ min: 0, max: 4 }) })
  .chain(({ width, height }) =>
    fc.record({
      columns: fc.array(header, { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: height, maxLength: height }),
    }),
  );

const order = (length: number) =>
  fc.shuffledSubarray([...Array(length).keys()], { minLength: length, maxLength: length });

/** The table with rows and columns in another order. */
export function shuffled(table: PlainTable): fc.Arbitrary<PlainTable> {
  return fc
    .tuple(order(table.columns.length), order(table.rows.length))
    .map(([columns, rows]) => pick(table, columns, rows));
}

/** These columns and rows of a table, in this order. */
export function pick(table: PlainTable, columns: readonly number[], rows: readonly number[]): PlainTable {
  return {
    columns: columns.map((column) => table.columns[column] ?? ""),
    rows: rows.map((row) => columns.map((column) => table.rows[row]?.[column] ?? "")),
  };
}

/** A gold and a prediction that is often related to it: some of its columns, shuffled, repeated, split or merged names. */
export const relatedTables: fc.Arbitrary<{ gold: PlainTable; prediction: PlainTable }> = plainTable.chain((gold) => {
  const columns = fc.array(fc.nat(gold.columns.length - 1), { minLength: 1, maxLength: 4 });
  const some = fc
    .tuple(columns, order(gold.rows.length), fc.array(header, { minLength: 4, maxLength: 4 }))
    .map(([picked, rows, headers]) => ({ ...pick(gold, picked, rows), columns: headers.slice(0, picked.length) }));
  const named = fc.constantFrom(nameTables(gold.rows.length, true), nameTables(gold.rows.length, false));
  return fc.oneof(
    fc.record({ gold: fc.constant(gold), prediction: some }),
    fc.record({ gold: fc.constant(gold), prediction: plainTable }),
    named.chain((pair) => fc.record({ gold: shuffled(pair.gold), prediction: shuffled(pair.prediction) })),
  );
});

/** Split names on one side, the full name and one part on the other. */
function nameTables(rows: number, splitInGold: boolean) {
  const first = Array.from({ length: rows }, (_, row) => ["Ann", "NULL", "Bo", ""][row % 4] ?? "");
  const last = Array.from({ length: rows }, (_, row) => ["Lee", "Ray", "", "none"][row % 4] ?? "");
  const full = Array.from({ length: rows }, (_, row) => ["Ann Lee", "Ray", "Bo", ""][row % 4] ?? "");
  const split = {
    columns: ["first_name", "Surname", "x"],
    rows: first.map((name, row) => [name, last[row] ?? "", "1"]),
  };
  const whole = { columns: ["full name", "first_name"], rows: full.map((name, row) => [name, first[row] ?? ""]) };
  return splitInGold ? { gold: split, prediction: whole } : { gold: whole, prediction: split };
}
