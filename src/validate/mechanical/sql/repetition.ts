import type { SqlNode } from "../sql-tree.js";
import { functionCall, named, standalone, withColumns } from "./build.js";
import { ownNodes } from "./conditions.js";
import { groupKeys } from "./group-keys.js";
import { printQuery } from "./print-query.js";
import type { SelectBlock } from "./reading.js";
import { resolveColumn } from "./resolve.js";
import type { RowIdentities, VisibleRows } from "./row-identity.js";
import { usedRelations } from "./used-relations.js";

/** How often the rows of one table stand in what a SELECT sums, counts or shows. */
export interface Repetition {
  readonly table: string;
  /** Within some group a row stands more than once. */
  readonly repeats: boolean;
  /** Within some group of several rows of the table a row stands more than once. */
  readonly repeatsAmongOthers: boolean;
  /** Joined rows, and different rows of the table among them, over all groups. */
  readonly joined: number;
  readonly distinct: number;
  /** The sum or count is of its columns; in a list: they are shown. */
  readonly isMeasured: boolean;
  /** The leftmost table of the FROM. */
  readonly isFirst: boolean;
  /** There are groups, and each has one row of it, or a column of it is among their keys. */
  readonly isKey: boolean;
  /** Something else than the join's equalities reads it. */
  readonly isUsed: boolean;
}

/** A question to the data about the joined rows of a SELECT. */
export interface RepetitionQuery {
  readonly sql: string;
  /** Every relation's rows can be told apart, and no table stands in it twice. */
  readonly isComplete: boolean;
  /** Reads the one row that `sql` brings. */
  read(row: readonly (string | null)[]): readonly Repetition[];
}

/** Columns of the answer for each table. */
const FIGURES = 5;

/**
 * Counts, for each table under a SELECT, the joined rows that meet its filters and a condition, and the different rows of the table among
 * them, group by group. Null where that cannot be written as SQL.
 */
export function repetitionQuery(
  block: SelectBlock,
  { rows, extra, hasOthers }: RowIdentities,
  measured: ReadonlySet<VisibleRows>,
  condition: SqlNode | null,
): RepetitionQuery | null {
  const groups = groupKeys(block.node);
  if (groups === null) return null;
  const filter = condition === null ? {} : { filter: condition };
  const counts = rows.flatMap(({ identity }, index) => [
    named(functionCall("count", [identity], filter), `joined ${index}`),
    named(functionCall("count", [identity], { ...filter, distinct: true }), `distinct ${index}`),
  ]);
  const inner = printQuery(withColumns(standalone(block, { select_list: counts, ...groups }), extra));
  if (inner === null) return null;
  const keyed = keyedRows(groups.group_expressions, block, rows);
  const used = usedRelations(block);
  return {
    sql: `SELECT ${rows.map((_, index) => figures(index)).join(", ")} FROM (${inner})`,
    isComplete: !hasOthers && new Set(rows.map(({ base }) => base.table)).size === rows.length,
    read: (row) =>
      rows.map((visible, index) => {
        const [joined = 0, distinct = 0, repeats = 0, among = 0, most = 0] = row
          .slice(FIGURES * index, FIGURES * (index + 1))
          .map(Number);
        return {
          table: visible.base.table.name,
          joined,
          distinct,
          repeats: repeats > 0,
          repeatsAmongOthers: among > 0,
          isMeasured: measured.has(visible),
          isFirst: index === 0,
          isKey: keyed.has(visible) || (groups.group_expressions.length > 0 && most <= 1),
          isUsed: used.has(visible.relation),
        };
      }),
  };
}

function figures(index: number): string {
  const [joined, distinct] = [`"joined ${index}"`, `"distinct ${index}"`];
  const repeated = `${joined} > ${distinct}`;
  return [
    `sum(${joined})`,
    `sum(${distinct})`,
    `count(*) FILTER (WHERE ${repeated})`,
    `count(*) FILTER (WHERE ${repeated} AND ${distinct} > 1)`,
    `max(${distinct})`,
  ].join(", ");
}

function keyedRows(
  keys: readonly SqlNode[],
  block: SelectBlock,
  rows: readonly VisibleRows[],
): ReadonlySet<VisibleRows> {
  const columns = [...ownNodes(keys)].filter((part) => part.class === "COLUMN_REF");
  return new Set(columns.flatMap((column) => rowsOfColumn(column, block, rows) ?? []));
}

/** The table rows that a column belongs to. */
export function rowsOfColumn(
  column: SqlNode,
  { scope }: SelectBlock,
  rows: readonly VisibleRows[],
): VisibleRows | undefined {
  const resolved = resolveColumn(column, scope);
  return rows.find(({ relation, base }) => relation === resolved?.relation && base === resolved.source?.base);
}
