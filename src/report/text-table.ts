import { cutText, padText, textWidth, wrapParts } from "./text-width.js";

export interface TableColumn {
  readonly header: string;
  readonly align: "left" | "right";
  /** Cells down to which it may be cut when lines would be too wide; absent: it is shown whole. */
  readonly min?: number;
  /** Where a cell that is cut loses text; ids differ at their ends. */
  readonly cut?: "end" | "middle";
  /**
   * Instead of being cut, a cell goes on in further lines; where even `min` cells are too many, it stands below its row instead of being left out.
   */
  readonly wrap?: true;
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
 * all rows are left out; without rows there are no lines. The rows are gone through twice: those of a long table may be made as they are asked for.
 */
export function formatTable(
  columns: readonly TableColumn[],
  rows: Iterable<readonly TableCell[]>,
  width: number | null,
): string[] {
  const widest = columns.map(() => 0);
  for (const row of rows) {
    for (const [index, known] of widest.entries()) widest[index] = Math.max(known, textWidth(row[index]?.text ?? ""));
  }
  const filled = columns.flatMap((column, index): Fitted[] => {
    const width = widest[index] ?? 0;
    return width === 0 ? [] : [{ column, index, width: Math.max(width, textWidth(column.header)) }];
  });
  if (filled.length === 0) return [];
  const shown = width === null ? filled : fitColumns(filled, width);
  const below = filled.filter(({ column, index }) => column.wrap && !shown.some((one) => one.index === index));
  const header = columns.map((column) => ({ text: column.header }));
  const lines = rowLines(shown, header);
  for (const row of rows) {
    lines.push(...rowLines(shown, row), ...below.flatMap(({ index }) => linesBelow(row[index], width)));
  }
  return lines;
}

/** One line, or as many as the highest of its cells that may go on. */
function rowLines(shown: readonly Fitted[], row: readonly TableCell[]): string[] {
  const cells = shown.map(({ column, index, width }) => {
    const { text = "", paint } = row[index] ?? {};
    const parts = column.wrap ? wrapParts([text], " ", width) : [cutText(text, width, column.cut)];
    return { parts, paint, width, align: column.align };
  });
  return Array.from({ length: Math.max(1, ...cells.map(({ parts }) => parts.length)) }, (_, at) =>
    cells
      .map(({ parts, paint, width, align }) => {
        const padded = padText(parts[at] ?? "", width, align);
        return paint === undefined ? padded : paint(padded);
      })
      .join(GAP)
      .trimEnd(),
  );
}

function linesBelow(cell: TableCell | undefined, width: number | null): string[] {
  if (!cell?.text) return [];
  const lines = wrapParts([cell.text], " ", width === null ? null : Math.max(1, width - GAP.length));
  return lines.map((line) => `${GAP}${cell.paint === undefined ? line : cell.paint(line)}`);
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
