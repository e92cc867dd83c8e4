import type { ColumnStructure } from "../core/event.js";
import type { Table } from "../core/ports/query-worker.js";
import { columnSignature } from "./signature.js";

/** Distinct values are counted so far. */
const MAX_DISTINCT = 1000;
const EXAMPLES = 5;
const EXAMPLE_CHARACTERS = 100;

const PERCENT = /^\s*[+-]?\d+(?:[.,]\d+)*\s*[%％]\s*$/;
/** `2024/3/1`, `03/01/2024`, `1.3.2024`, `2024.03.01`, `2024年3月1日`: dates that are not YYYY-MM-DD. */
const LOOSE_DATE =
  /^\s*(?:(?:19|20)\d{2}[/.]\d{1,2}[/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d{2}|(?:19|20)\d{2}\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*日)?)(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?\s*$/u;

/** What each column of a table holds, in their order: no full rows, bounded memory. */
export function tableStructure(table: Table): ColumnStructure[] {
  const signatures = table.columns.map((_, column) => columnSignature(cellsOf(table, column)));
  return table.columns.map((_, column) => {
    const first = signatures.indexOf(signatures[column] ?? "");
    return {
      type: table.types[column] ?? "",
      ...cellFacts(cellsOf(table, column)),
      same_as: first < column ? first : null,
    };
  });
}

function cellFacts(cells: Iterable<string | null>): Omit<ColumnStructure, "type" | "same_as"> {
  const distinct = new Set<string>();
  let [nulls, percent_cells, loose_date_cells] = [0, 0, 0];
  for (const cell of cells) {
    if (cell === null) nulls++;
    else {
      if (distinct.size <= MAX_DISTINCT) distinct.add(cell);
      if (cell.length <= EXAMPLE_CHARACTERS && PERCENT.test(cell)) percent_cells++;
      if (cell.length <= EXAMPLE_CHARACTERS && LOOSE_DATE.test(cell)) loose_date_cells++;
    }
  }
  const examples = [...distinct].slice(0, EXAMPLES).map((value) => value.slice(0, EXAMPLE_CHARACTERS));
  return { nulls, distinct: distinct.size, examples, percent_cells, loose_date_cells };
}

function* cellsOf({ rows }: Table, column: number): Generator<string | null> {
  for (const row of rows) yield row[column] ?? null;
}
