import { overlap } from "./multisets.js";
import type { CellTable } from "./read-table.js";
import type { Scorer } from "./scorer.js";
import { scored, tableScorer } from "./table-scorer.js";

/**
 * F1 of the tables' cells as multisets, wherever they stand: 2 · shared / (gold cells + predicted cells), 1 for two tables without
 * rows. Lenient where kdd-columns loses a whole column over one cell. Cells are normalised as for kdd-columns.
 */
export const cellF1: Scorer = tableScorer({
  name: "cell-f1",
  version: "1",
  options: ["thousands"],
  reads: "cells",
  compare(prediction, gold) {
    const predicted = sortedCells(prediction);
    const wanted = sortedCells(gold);
    const shared = overlap(predicted, wanted);
    const total = predicted.length + wanted.length;
    return scored(total === 0 ? 1 : (2 * shared) / total, {
      precision: predicted.length === 0 ? null : shared / predicted.length,
      cell_recall: wanted.length === 0 ? null : shared / wanted.length,
      shared_cells: shared,
      gold_cells: wanted.length,
      predicted_cells: predicted.length,
    });
  },
  withoutPrediction: (_status, gold) => ({ gold_cells: gold.rows * gold.columns.length }),
});

function sortedCells({ cells, rows }: CellTable): Float64Array {
  const all = new Float64Array(cells.length * rows);
  for (const [column, numbers] of cells.entries()) all.set(numbers, column * rows);
  return all.sort();
}
