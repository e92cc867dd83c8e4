import { nameColumns } from "../names.js";
import { cellText } from "./cell-text.js";
import type { DocumentRecord } from "./document-blocks.js";

interface MarkdownTable {
  readonly fields: readonly string[];
  readonly records: readonly DocumentRecord[];
  /** Rows that have not as many cells as the header; missing ones count as empty, those too many are dropped. */
  readonly ragged_lines: readonly number[];
  /** Index of the first line after the table. */
  readonly end: number;
}

const DELIMITER_CELL = /^\s*:?-+:?\s*$/;

/** The pipe table whose header is the line at `start` (from 0); null where none is: it needs a delimiter row of as many cells. */
export function markdownTableAt(lines: readonly string[], start: number, section: string | null): MarkdownTable | null {
  const header = cellsOf(lines[start] ?? "");
  const delimiter = cellsOf(lines[start + 1] ?? "");
  if (header === null || delimiter === null || header.length !== delimiter.length) return null;
  if (!delimiter.every((cell) => DELIMITER_CELL.test(cell))) return null;
  const fields = nameColumns(header.map((cell) => cellText(cell) ?? "")).columns.map(({ name }) => name);
  const records: DocumentRecord[] = [];
  const ragged: number[] = [];
  let end = start + 2;
  for (; end < lines.length; end++) {
    const cells = cellsOf(lines[end] ?? "");
    if (cells === null) break;
    if (cells.length !== fields.length) ragged.push(end + 1);
    const values = new Map<string, string>();
    for (const [column, field] of fields.entries()) {
      const value = cellText(cells[column] ?? "");
      if (value !== null) values.set(field, value);
    }
    if (values.size > 0) records.push({ section, first_line: end + 1, last_line: end + 1, values });
  }
  return { fields, records, ragged_lines: ragged, end };
}

/** The cells of a row, marks still in them; null for a line without a pipe. `\|` is part of a cell. */
function cellsOf(line: string): string[] | null {
  const row = line.trim();
  if (!/(?<!\\)\|/.test(row)) return null;
  return row
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/);
}
