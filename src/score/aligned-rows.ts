import { extendRows, overlap, sortedCopy } from "./multisets.js";
import type { CellTable } from "./read-table.js";

export interface AlignedRows {
  /** Gold columns that have a partner with at least one cell in common. */
  readonly columns: number;
  /** Gold rows that stand in the prediction, each as often as in both, by the columns that have partners. */
  readonly rows: number;
}

/**
 * How many rows of the gold are in the prediction. Columns are paired by how many cells they share, the most first, ties by
 * equal name and then by position: where columns share the same cells that may miss the best pairing, hence `rows` is at
 * least, not exactly, what could be aligned.
 */
export function alignedRows(prediction: CellTable, gold: CellTable): AlignedRows {
  const pairs = pairByOverlap(prediction, gold);
  if (pairs.length === 0) return { columns: 0, rows: 0 };
  let goldRows: Float64Array = new Float64Array(gold.rows);
  let predictedRows: Float64Array = new Float64Array(prediction.rows);
  for (const pair of pairs) {
    goldRows = extendRows(goldRows, pair.gold);
    predictedRows = extendRows(predictedRows, pair.predicted);
  }
  return { columns: pairs.length, rows: overlap(goldRows.sort(), predictedRows.sort()) };
}

function pairByOverlap(prediction: CellTable, gold: CellTable) {
  const predictedColumns = prediction.cells.map(sortedCopy);
  const candidates = gold.cells.flatMap((goldCells, goldAt) => {
    const wanted = sortedCopy(goldCells);
    return prediction.cells.map((predicted, predictedAt) => ({
      gold: goldCells,
      predicted,
      shared: overlap(wanted, predictedColumns[predictedAt] ?? wanted),
      sameName: gold.columns[goldAt]?.toLowerCase() === prediction.columns[predictedAt]?.toLowerCase(),
    }));
  });
  const taken = new Set<Float64Array>();
  return candidates
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || Number(b.sameName) - Number(a.sameName))
    .filter((pair) => {
      if (taken.has(pair.gold) || taken.has(pair.predicted)) return false;
      taken.add(pair.gold).add(pair.predicted);
      return true;
    });
}
