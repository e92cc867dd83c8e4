import { Decimal } from "decimal.js";
import { normaliseCell } from "../answer/cell.js";
import { canonicalNumber } from "../answer/number.js";
import type { CellTable } from "./read-table.js";
import type { Scorer, ScorerOptions } from "./scorer.js";
import { scored, tableScorer, unscored } from "./table-scorer.js";

/** A longer number is compared as text. */
const MAX_NUMBER_CHARACTERS = 1_000;

/**
 * 1 where prediction and gold are the same single value, else 0. Lenient in how it is written: numbers may differ by
 * `tolerance`, texts in case, width (NFKC) and runs of spaces. Never by containment: `2020` is not in `$2020.00 and running`.
 * A gold of more than one value is unscored.
 */
export const text: Scorer = tableScorer({
  name: "text",
  version: "1",
  options: ["thousands", "tolerance"],
  reads: "cells",
  compare(prediction, gold, options) {
    const wanted = singleValue(gold);
    const given = singleValue(prediction);
    const details = {
      tolerance: options.tolerance,
      predicted_rows: prediction.rows,
      predicted_columns: prediction.columns.length,
    };
    if (wanted === null) {
      return unscored(`the gold is not a single value but ${gold.rows} × ${gold.columns.length}`, details);
    }
    return scored(given !== null && isSameValue(given, wanted, options) ? 1 : 0, details);
  },
  withoutPrediction: (_status, _gold, { tolerance }) => ({ tolerance }),
});

function singleValue({ rows, columns, firstRow }: CellTable): string | null {
  return rows === 1 && columns.length === 1 ? (firstRow?.[0] ?? null) : null;
}

function isSameValue(a: string, b: string, options: ScorerOptions): boolean {
  if (fold(normaliseCell(a, options)) === fold(normaliseCell(b, options))) return true;
  const [x, y] = [numberOf(a, options), numberOf(b, options)];
  return x !== null && y !== null && x.minus(y).abs().lte(options.tolerance);
}

function fold(value: string): string {
  return value.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ");
}

/** The value before any rounding; null where the cell is no number in ASCII, or beyond what can be subtracted. */
function numberOf(cell: string, { thousands }: ScorerOptions): Decimal | null {
  const trimmed = cell.trim();
  if (trimmed.length > MAX_NUMBER_CHARACTERS || canonicalNumber(trimmed, thousands) === null) return null;
  const plain = trimmed.replaceAll(",", "");
  if (/[^0-9eE.+-]/.test(plain)) return null;
  const value = new Decimal(plain);
  return value.isFinite() ? value : null;
}
