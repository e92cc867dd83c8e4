/** Needs quotes in a CSV. A leading byte-order mark would otherwise be dropped by whoever reads the file. */
const SPECIAL = /[",\r\n]|^\uFEFF/;

/**
 * A table as CSV text: header row, RFC 4180 quoting, LF line ends. A null is an empty cell; in a one-column table an empty cell
 * is `""`, because a blank line is no row. Throws RangeError for a table without columns or a row of another length.
 */
export function formatCsv(columns: readonly string[], rows: Iterable<readonly (string | null)[]>): string {
  if (columns.length === 0) throw new RangeError("a table without columns cannot be written as CSV");
  const lines = [formatRow(columns)];
  for (const row of rows) {
    if (row.length !== columns.length) {
      throw new RangeError(`row ${lines.length} has ${row.length} cells, the header has ${columns.length}`);
    }
    lines.push(formatRow(row));
  }
  lines.push("");
  return lines.join("\n");
}

function formatRow(cells: readonly (string | null)[]): string {
  if (cells.length === 1 && (cells[0] ?? "") === "") return '""';
  return cells.map((cell) => formatCell(cell ?? "")).join(",");
}

function formatCell(cell: string): string {
  return SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
