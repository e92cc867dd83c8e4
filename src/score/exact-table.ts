import { alignedRows } from "./aligned-rows.js";
import { sameRows, sameRowsInOrder } from "./same-rows.js";
import type { Scorer } from "./scorer.js";
import { scored, tableScorer, unscored } from "./table-scorer.js";

/**
 * 1 where prediction and gold have the same rows, each as often, under some renaming and reordering of columns, else 0: what
 * kdd-columns does not see, that values of a row belong together. The details say whether the rows are in the gold's order too
 * and how many of the gold's rows are there. Cells are normalised as for kdd-columns.
 */
export const exactTable: Scorer = tableScorer({
  name: "exact-table",
  version: "1",
  options: ["thousands"],
  reads: "cells",
  compare(prediction, gold) {
    const ordered = sameRowsInOrder(prediction, gold);
    const same = ordered || sameRows(prediction, gold);
    const aligned = same ? { columns: gold.columns.length, rows: gold.rows } : alignedRows(prediction, gold);
    const details = {
      ordered,
      aligned_rows: aligned.rows,
      aligned_columns: aligned.columns,
      gold_rows: gold.rows,
      gold_columns: gold.columns.length,
      predicted_rows: prediction.rows,
      predicted_columns: prediction.columns.length,
    };
    if (same === null) return unscored("too many columns hold the same cells to try all pairings", details);
    return scored(same ? 1 : 0, details);
  },
  withoutPrediction: (_status, gold) => ({ gold_rows: gold.rows, gold_columns: gold.columns.length }),
});
