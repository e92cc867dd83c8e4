import { normaliseCell } from "../answer/cell.js";
import type { GoldColumn, GoldComparison, RowCell } from "../report/html/page-data.js";
import { matchColumns } from "../score/match-columns.js";
import { readColumns, readCsvFile } from "../score/read-table.js";

/** Rows shown of each side of a differing column. */
const SHOWN_ROWS = 5;
const CELL_CHARACTERS = 200;

/**
 * A prediction against gold for a person who may see both: which columns match by the rule of `kdd-columns` (names accepted), and
 * where the others first differ as multisets of normalised cells. Null where either file cannot be read.
 */
export async function compareWithGold(prediction: string, gold: string): Promise<GoldComparison | null> {
  const options = { thousands: false };
  const [predictedSignatures, goldSignatures] = await Promise.all([
    readColumns(prediction, options),
    readColumns(gold, options),
  ]);
  if (!predictedSignatures.ok || !goldSignatures.ok) return null;
  const match = matchColumns(predictedSignatures.table, goldSignatures.table, true);
  const [predicted, wanted] = await Promise.all([cellsOf(prediction), cellsOf(gold)]);
  const left = new Set(match.extra);
  const columns = wanted.columns.map((name, position): GoldColumn => {
    if (!match.missed.includes(position)) {
      return { gold: name, matched: true, predicted: null, missing: [], surplus: [] };
    }
    const own = wanted.cells[position] ?? [];
    const nearest = nearestColumn(own, name, predicted, left);
    if (nearest === null) {
      return { gold: name, matched: false, predicted: null, missing: lacking(own, []), surplus: [] };
    }
    left.delete(nearest);
    const other = predicted.cells[nearest] ?? [];
    return {
      gold: name,
      matched: false,
      predicted: predicted.columns[nearest] ?? null,
      missing: lacking(own, other),
      surplus: lacking(other, own),
    };
  });
  return {
    gold_rows: goldSignatures.table.rows,
    predicted_rows: predictedSignatures.table.rows,
    columns,
    extra: [...left].map((position) => predicted.columns[position] ?? ""),
  };
}

interface Cells {
  readonly columns: readonly string[];
  /** Column by column. */
  readonly cells: readonly (readonly string[])[];
}

async function cellsOf(file: string): Promise<Cells> {
  let columns: readonly string[] = [];
  let cells: string[][] = [];
  await readCsvFile(file, {
    header(names) {
      columns = names;
      cells = names.map(() => []);
    },
    row(row) {
      for (const [position, cell] of row.entries()) cells[position]?.push(cell);
    },
  });
  return { columns, cells };
}

/** Of the columns that are left the one that shares most cells; of equal ones the one of the same name. */
function nearestColumn(own: readonly string[], name: string, { columns, cells }: Cells, left: ReadonlySet<number>) {
  const ranked = [...left]
    .map((position) => ({
      position,
      shared: own.length - surplusOf(own, cells[position] ?? []).length,
      sameName: columns[position] === name,
    }))
    .sort((a, b) => b.shared - a.shared || Number(b.sameName) - Number(a.sameName));
  return ranked[0]?.position ?? null;
}

function lacking(cells: readonly string[], others: readonly string[]): RowCell[] {
  return surplusOf(cells, others)
    .slice(0, SHOWN_ROWS)
    .map((row) => ({ row: row + 1, cell: (cells[row] ?? "").slice(0, CELL_CHARACTERS) }));
}

/** Positions of cells that `others`, as a multiset of normalised cells, has no partner for. */
function surplusOf(cells: readonly string[], others: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const cell of others) {
    const key = normaliseCell(cell);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return cells.flatMap((cell, row) => {
    const key = normaliseCell(cell);
    const count = counts.get(key) ?? 0;
    if (count === 0) return [row];
    counts.set(key, count - 1);
    return [];
  });
}
