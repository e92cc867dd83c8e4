import { sha256 } from "../core/digest.js";
import { extendRows, overlap, sortedCopy } from "./multisets.js";
import type { CellTable } from "./read-table.js";

/** Rows that may be looked at in all tries together; below that many tries are always allowed. */
const MAX_ROWS_LOOKED_AT = 5_000_000;
const MIN_TRIES = 50;
/** Columns that may be paired by trying. */
const MAX_OPEN_COLUMNS = 100;

/** Whether two tables have the same rows in the same order, under some pairing of their columns. */
export function sameRowsInOrder(a: CellTable, b: CellTable): boolean {
  if (a.rows !== b.rows || a.columns.length !== b.columns.length) return false;
  const keys = (table: CellTable) => table.cells.map(sequenceKey).sort().join();
  return keys(a) === keys(b);
}

/**
 * Whether two tables have the same rows, each as often, under some pairing of their columns. Columns with the same cells in another
 * order can pair in several ways; these are tried one after the other, and null says that there were too many to try all
 * (deciding this is as hard as graph isomorphism, but real tables need a handful of tries).
 */
export function sameRows(a: CellTable, b: CellTable): boolean | null {
  if (a.rows !== b.rows || a.columns.length !== b.columns.length) return false;
  const groups = pairGroups(groupColumns(a), groupColumns(b));
  if (groups === null) return false;
  let leftRows: Float64Array = new Float64Array(a.rows);
  let rightRows: Float64Array = new Float64Array(b.rows);
  const open: Open[] = [];
  for (const { left, right } of groups) {
    if (isOneChoice(left) && isOneChoice(right)) {
      for (const column of left) leftRows = extendRows(leftRows, column);
      for (const column of right) rightRows = extendRows(rightRows, column);
    } else {
      open.push(...left.map((column) => ({ column, choices: right })));
    }
  }
  if (!isSameMultiset(leftRows, rightRows)) return false;
  if (open.length > MAX_OPEN_COLUMNS) return null;
  const tries = { left: Math.max(MIN_TRIES, Math.floor(MAX_ROWS_LOOKED_AT / (a.rows + 1))) };
  return pairColumns(open, leftRows, rightRows, new Set(), tries);
}

/** A column of the left table with the columns of the right one that hold the same cells. */
interface Open {
  readonly column: Float64Array;
  readonly choices: readonly Float64Array[];
}

/** Groups that hold the same cells, side by side; null where one has no counterpart of its size. */
function pairGroups(left: Map<string, Float64Array[]>, right: Map<string, Float64Array[]>) {
  const pairs = [...left].map(([key, columns]) => ({ left: columns, right: right.get(key) ?? [] }));
  const complete = left.size === right.size && pairs.every((pair) => pair.left.length === pair.right.length);
  return complete ? pairs : null;
}

/** Columns that are all the same, row by row: it does not matter which of them pairs with which. */
function isOneChoice(columns: readonly Float64Array[]): boolean {
  return columns.length === 1 || new Set(columns.map(sequenceKey)).size === 1;
}

/** Pairs the open columns in turn, each with a choice that is not taken, so that rows stay equal. */
function pairColumns(
  [next, ...rest]: readonly Open[],
  leftRows: Float64Array,
  rightRows: Float64Array,
  taken: ReadonlySet<Float64Array>,
  tries: { left: number },
): boolean | null {
  if (next === undefined) return true;
  const leftNext = extendRows(leftRows, next.column);
  const tried = new Set<string>();
  for (const choice of next.choices) {
    const key = sequenceKey(choice);
    if (taken.has(choice) || tried.has(key)) continue;
    tried.add(key);
    if (tries.left-- <= 0) return null;
    const rightNext = extendRows(rightRows, choice);
    if (!isSameMultiset(leftNext, rightNext)) continue;
    const paired = pairColumns(rest, leftNext, rightNext, new Set([...taken, choice]), tries);
    if (paired !== false) return paired;
  }
  return false;
}

/** Columns by what they hold, whatever its order. */
function groupColumns(table: CellTable): Map<string, Float64Array[]> {
  const groups = new Map<string, Float64Array[]>();
  for (const column of table.cells) {
    const key = sequenceKey(sortedCopy(column));
    groups.set(key, [...(groups.get(key) ?? []), column]);
  }
  return groups;
}

function isSameMultiset(a: Float64Array, b: Float64Array): boolean {
  return overlap(sortedCopy(a), sortedCopy(b)) === a.length;
}

function sequenceKey(numbers: Float64Array): string {
  return sha256(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
}
