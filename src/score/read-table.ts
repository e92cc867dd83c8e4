import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { normaliseCell } from "../answer/cell.js";
import { HASH_WORDS, hashCell } from "../answer/cell-hash.js";
import { CsvError, type CsvRows, csvReader } from "../answer/csv-reader.js";
import { type ColumnDigest, columnDigest } from "../answer/signature.js";
import { fullName, type NameColumns, nameColumns } from "./name-pairs.js";

const CHUNK_BYTES = 256 * 1024;

/** A table file that could not be read: it is not there, or it is no table. */
export interface Unreadable {
  readonly ok: false;
  readonly missing: boolean;
  /** Without the file's name: `line 3 has 1 cell, the header has 2 columns`. */
  readonly reason: string;
}

export type Reading<Table> = { readonly ok: true; readonly table: Table } | Unreadable;

export interface ReadingOptions {
  readonly thousands: boolean;
}

/** A table as its columns' signatures: constant memory a column, whatever the number of rows. */
export interface ColumnTable {
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of each column, in file order. */
  readonly signatures: readonly string[];
  /** Pairs of name columns with the signature of the full names they make. */
  readonly names: readonly (NameColumns & { readonly signature: string })[];
}

/** A table as a number for each cell: eight bytes a cell. */
export interface CellTable {
  readonly columns: readonly string[];
  readonly rows: number;
  /** Column by column: 53 bits of each normalised cell's hash. Equal cells, equal numbers; unequal ones but for 1 in 10^16. */
  readonly cells: readonly Float64Array[];
  /** The first row as it is in the file; null where there is none. */
  readonly firstRow: readonly string[] | null;
}

/** Reads a CSV file down to its columns' signatures. Never rejects for what is in the file. */
export async function readColumns(file: string, options: ReadingOptions): Promise<Reading<ColumnTable>> {
  let columns: readonly string[] = [];
  let digests: readonly ColumnDigest[] = [];
  let names: readonly (NameColumns & { readonly digest: ColumnDigest })[] = [];
  let rows = 0;
  const trouble = await readCsvFile(file, {
    header(cells) {
      columns = cells;
      digests = cells.map(() => columnDigest());
      names = nameColumns(cells).map((pair) => ({ ...pair, digest: columnDigest() }));
    },
    row(cells) {
      rows++;
      let column = 0;
      for (const digest of digests) digest.add(normaliseCell(cells[column++] ?? "", options));
      for (const { first, last, digest } of names) {
        digest.add(normaliseCell(nameOf(cells, first, last), options));
      }
    },
  });
  if (trouble !== null) return trouble;
  const signatures = digests.map((digest) => digest.signature());
  return {
    ok: true,
    table: {
      columns,
      rows,
      signatures,
      names: names.map(({ first, last, digest }) => ({ first, last, signature: digest.signature() })),
    },
  };
}

function nameOf(cells: readonly string[], first: number, last: number): string {
  const parts = [first, last].map((column) => cells[column]?.trim() ?? "");
  const [given = "", family = ""] = parts.map((part) => (normaliseCell(part) === "" ? "" : part));
  return fullName(given, family);
}

/** Reads a CSV file down to a number for each cell. Never rejects for what is in the file. */
export async function readCells(file: string, options: ReadingOptions): Promise<Reading<CellTable>> {
  let columns: readonly string[] = [];
  let cells: Float64Array[] = [];
  let firstRow: readonly string[] | null = null;
  let rows = 0;
  const hash = new Uint32Array(HASH_WORDS);
  const trouble = await readCsvFile(file, {
    header(header) {
      columns = header;
      cells = header.map(() => new Float64Array(16));
    },
    row(row) {
      firstRow ??= row;
      for (const [column, cell] of row.entries()) {
        let numbers = cells[column] ?? new Float64Array(16);
        if (rows === numbers.length) {
          const longer = new Float64Array(rows * 2);
          longer.set(numbers);
          numbers = longer;
          cells[column] = longer;
        }
        numbers[rows] = hashNumber(normaliseCell(cell, options), hash);
      }
      rows++;
    },
  });
  if (trouble !== null) return trouble;
  return { ok: true, table: { columns, rows, cells: cells.map((numbers) => numbers.subarray(0, rows)), firstRow } };
}

/** 53 bits of a cell's hash as an integer; `hash` is room for it. */
function hashNumber(cell: string, hash: Uint32Array): number {
  hashCell(cell, hash);
  return (hash[0] ?? 0) * 2 ** 21 + ((hash[1] ?? 0) >>> 11);
}

/**
 * Feeds a file to a CSV reader. Reads synchronously, because for the usual file of a few hundred bytes that is an order of
 * magnitude faster, and lets the event loop go on after each chunk of a large one. Null when all went well.
 */
export async function readCsvFile(file: string, rows: CsvRows): Promise<Unreadable | null> {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, "r");
    const reader = csvReader(rows);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { ok: false, missing: false, reason: "not a file" };
    const buffer = Buffer.allocUnsafe(Math.min(stats.size + 1, CHUNK_BYTES));
    for (;;) {
      const length = readSync(descriptor, buffer);
      if (length === 0) break;
      reader.push(buffer.subarray(0, length));
      if (length === buffer.length) await setImmediate();
    }
    reader.end();
    return null;
  } catch (error) {
    return unreadable(error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** What a reading error means; throws on those that are bugs. */
function unreadable(error: unknown): Unreadable {
  if (error instanceof CsvError) return { ok: false, missing: false, reason: error.message };
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") throw error;
  const missing = error.code === "ENOENT" || error.code === "ENOTDIR";
  return {
    ok: false,
    missing,
    reason: missing ? "the file does not exist" : `the file cannot be read (${error.code})`,
  };
}
