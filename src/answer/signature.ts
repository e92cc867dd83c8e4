import { sha256 } from "../core/digest.js";
import { type CellOptions, normaliseCell } from "./cell.js";
import { HASH_WORDS, hashCell } from "./cell-hash.js";

/** Takes a column's cells one by one, in any order, in constant memory. */
export interface ColumnDigest {
  /** Takes a normalised cell. */
  add(cell: string): void;
  signature(): string;
}

/**
 * A digest of a multiset of cells: of their number and of the sum of their 128-bit hashes, word by word. A sum does not depend
 * on the order, so nothing is sorted or kept. Two columns that differ have equal signatures with a probability of about 2^-128.
 * (Whoever knows the gold could construct such a column; but whoever knows it could also copy it.)
 */
export function columnDigest(): ColumnDigest {
  const sums = new Uint32Array(HASH_WORDS);
  const hash = new Uint32Array(HASH_WORDS);
  let count = 0;
  return {
    add(cell) {
      hashCell(cell, hash);
      for (let word = 0; word < HASH_WORDS; word++) sums[word] = (sums[word] ?? 0) + (hash[word] ?? 0);
      count++;
    },
    signature: () => sha256(`${count}:${sums.join(",")}`),
  };
}

/** The signature of a column: equal for columns with the same normalised cells, as often each, in whatever order. */
export function columnSignature(values: Iterable<string | null>, options: CellOptions = {}): string {
  const digest = columnDigest();
  for (const value of values) digest.add(normaliseCell(value, options));
  return digest.signature();
}

/**
 * The signature of an answer: a digest of the multiset of its columns' signatures. Equal for equal answers whatever their
 * column names, column order and row order. Rows are as long as `columns`.
 */
export function tableSignature(table: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}): string {
  const signatures = table.columns.map((_, column) => columnSignature(cellsOf(table.rows, column)));
  return sha256(signatures.sort().join("\n"));
}

function* cellsOf(rows: readonly (readonly (string | null)[])[], column: number): Generator<string | null> {
  for (const row of rows) yield row[column] ?? null;
}
