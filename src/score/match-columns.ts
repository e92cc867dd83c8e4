import type { ColumnTable } from "./read-table.js";

/** First and last name on one side taken as the full name on the other. */
export interface MergedName {
  /** Where the name is in two columns. */
  readonly split: "gold" | "prediction";
  /** Positions of the two, first name first. */
  readonly split_columns: readonly [number, number];
  /** Position of the full name on the other side. */
  readonly full_column: number;
}

export interface ColumnMatch {
  readonly matched: number;
  /** Columns of each side, a merged pair being one. */
  readonly gold: number;
  readonly predicted: number;
  readonly merged: readonly MergedName[];
  /** Positions of columns without a partner. */
  readonly missed: readonly number[];
  readonly extra: readonly number[];
}

/** Positions of columns by signature: columns with the same signature are interchangeable. */
type Columns = Map<string, number[]>;

/**
 * Pairs columns of equal signature, as often as it occurs on both sides. With `mergeNames`, columns that are left may then pair
 * as names: first + last with a full name, gold's pairs first, from left to right; never at the cost of an exact pair.
 */
export function matchColumns(prediction: ColumnTable, gold: ColumnTable, mergeNames: boolean): ColumnMatch {
  const sides = { gold: bySignature(gold), prediction: bySignature(prediction) };
  const merged = mergeNames
    ? [
        ...mergeSplitNames("gold", gold, sides.gold, prediction, sides.prediction),
        ...mergeSplitNames("prediction", prediction, sides.prediction, gold, sides.gold),
      ]
    : [];
  const missed = leftOver(sides.gold, sides.prediction);
  const splits = (side: MergedName["split"]) => merged.filter(({ split }) => split === side).length;
  return {
    matched: gold.columns.length - missed.length - splits("gold"),
    gold: gold.columns.length - splits("gold"),
    predicted: prediction.columns.length - splits("prediction"),
    merged,
    missed,
    extra: leftOver(sides.prediction, sides.gold),
  };
}

function bySignature(table: ColumnTable): Columns {
  const columns: Columns = new Map();
  for (const [position, signature] of table.signatures.entries()) {
    const positions = columns.get(signature);
    if (positions === undefined) columns.set(signature, [position]);
    else positions.push(position);
  }
  return columns;
}

/** Takes name pairs of `table` with their full names out of both sides, as long as no exact pair is lost. */
function mergeSplitNames(
  split: MergedName["split"],
  table: ColumnTable,
  own: Columns,
  otherTable: ColumnTable,
  other: Columns,
): MergedName[] {
  const partsOfNames = new Set(otherTable.names.flatMap(({ first, last }) => [first, last]));
  return table.names.flatMap(({ first, last, signature }) => {
    const candidates = other.get(signature) ?? [];
    const full = candidates.findLast((position) => !partsOfNames.has(position)) ?? candidates.at(-1);
    if (full === undefined) return [];
    const taken = takeAll(
      [
        { columns: own, signature: table.signatures[first], position: first },
        { columns: own, signature: table.signatures[last], position: last },
        { columns: other, signature, position: full },
      ],
      own,
      other,
    );
    return taken ? [{ split, split_columns: [first, last], full_column: full }] : [];
  });
}

interface Take {
  readonly columns: Columns;
  readonly signature: string | undefined;
  readonly position: number;
}

/** Takes columns out, or leaves all as it was if one is gone already or an exact pair would be lost. */
function takeAll(takes: readonly Take[], own: Columns, other: Columns): boolean {
  const signatures = new Set(takes.map(({ signature }) => signature ?? ""));
  const pairs = () => [...signatures].reduce((sum, signature) => sum + exactPairs(own, other, signature), 0);
  const before = pairs();
  const saved = takes.map(({ columns, signature = "" }) => ({ columns, signature, positions: columns.get(signature) }));
  const complete = takes.every(({ columns, signature = "", position }) => {
    const positions = columns.get(signature) ?? [];
    columns.set(
      signature,
      positions.filter((candidate) => candidate !== position),
    );
    return positions.includes(position);
  });
  if (complete && pairs() === before) return true;
  for (const { columns, signature, positions } of saved) columns.set(signature, positions ?? []);
  return false;
}

function exactPairs(own: Columns, other: Columns, signature: string): number {
  return Math.min(own.get(signature)?.length ?? 0, other.get(signature)?.length ?? 0);
}

/** Columns beyond the exact pairs, in table order. */
function leftOver(own: Columns, other: Columns): number[] {
  return [...own]
    .flatMap(([signature, positions]) => positions.slice(exactPairs(own, other, signature)))
    .sort((a, b) => a - b);
}
