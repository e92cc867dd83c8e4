import { cutText, padText, textWidth } from "./text-width.js";

export interface TableColumn {
  readonly header: string;
  readonly align: "left" | "right";
  /** Cells down to which it may be cut when lines would be too wide; absent: it is shown whole. */
  readonly min?: number;
  /** Where a cell that is cut loses text; ids differ at their ends. */
  readonly cut?: "end" | "middle";
  /** When cutting is not enough, columns with the highest number are left out first; absent: it stays. */
  readonly drop?: number;
}

export interface TableCell {
  readonly text: string;
  /** Adds colour without changing the width. */
  readonly paint?: (text: string) => string;
}

const GAP = "  ";

/**
 * Lines of a table, header first, none wider than `width` cells (null: as wide as they get) as long as the columns that stay can be cut that far. Columns that are empty in
 * all rows are left out; without rows there are no lines.
 */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  width: number | null,
): string[] {
  if (rows.length === 0) return [];
  const full = columns.map((column, index) => ({
    column,
    index,
    width: rows.reduce((most, row) => Math.max(most, textWidth(row[index]?.text ?? "")), textWidth(column.header)),
  }));
  const filled = full.filter(({ index }) => rows.some((row) => row[index]?.text));
  const shown = width === null ? filled : fitColumns(filled, width);
  const line = (cell: (index: number) => TableCell) =>
    shown
      .map(({ column, index, width: cells }) => {
        const { text, paint } = cell(index);
        const padded = padText(cutText(text, cells, column.cut), cells, column.align);
        return paint === undefined ? padded : paint(padded);
      })
      .join(GAP)
      .trimEnd();
  return [
    line((index) => ({ text: columns[index]?.header ?? "" })),
    ...rows.map((row) => line((index) => row[index] ?? { text: "" })),
  ];
}

interface Fitted {
  readonly column: TableColumn;
  readonly index: number;
  readonly width: number;
}

function fitColumns(columns: readonly Fitted[], width: number): readonly Fitted[] {
  const least = (column: Fitted) => Math.min(column.width, column.column.min ?? column.width);
  const total = (widths: readonly number[]) => widths.reduce((sum, one) => sum + one, (widths.length - 1) * GAP.length);
  if (total(columns.map(least)) > width) {
    const droppable = columns.filter(({ column }) => column.drop !== undefined);
    const last = Math.max(...droppable.map(({ column }) => column.drop ?? 0));
    if (droppable.length > 0)
      return fitColumns(
        columns.filter(({ column }) => column.drop !== last),
        width,
      );
  }
  let over = Math.max(0, total(columns.map((column) => column.width)) - width);
  // The last column gives first: there stands the text that is least missed.
  return columns
    .toReversed()
    .map((column) => {
      const given = Math.min(over, column.width - least(column));
      over -= given;
      return { ...column, width: column.width - given };
    })
    .toReversed();
}
