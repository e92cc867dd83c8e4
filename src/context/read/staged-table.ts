import type { Uncertainty } from "../../core/catalog.js";
import { quoteText } from "../sql-text.js";

/** A table on its way into the database, in the file's order. */
export interface StagedTable {
  /** The name it would like to have in SQL. */
  readonly name: string;
  /** File, and part of the file, that it was read from. */
  readonly source: string;
  /** Column names as the file has them: possibly empty, possibly twice. */
  readonly columns: readonly string[];
  /** SELECT that gives the columns as `c0`, `c1`, …, VARCHAR unless `cells` is `typed`. */
  readonly select: string;
  /** `plain`: the text of the file, types unknown. `tagged`: one letter of CELL_TAGS for the type in the file, then the text. `typed`: columns of DuckDB types. */
  readonly cells: "plain" | "tagged" | "typed";
  /** What our own reading of the file counted: the database must count the same. */
  readonly expected: {
    readonly rows: number;
    /** Cells that are not NULL, per column; null where nobody counted. */
    readonly filled: readonly number[] | null;
    /** UTF-8 bytes in them, per column; null where nobody counted. */
    readonly bytes: readonly number[] | null;
  };
  /** Types that the file declares, for columns without a value. */
  readonly declaredTypes?: readonly ("BIGINT" | "DOUBLE" | null)[];
  readonly uncertainties: readonly Uncertainty[];
}

/** A foreign key as a schema declares it; the table that it refers to may be of another file, or nowhere. */
export interface DeclaredKey {
  /** `source` of the table that has the key. */
  readonly source: string;
  readonly column: string;
  readonly to_table: string;
  /** Null when the declaration does not say and the table is not in the same file. */
  readonly to_column: string | null;
}

/** Types that a cell of JSON, SQLite or a workbook can have. */
export const CELL_TAGS = {
  text: "s",
  integer: "i",
  number: "n",
  boolean: "b",
  nested: "j",
  blob: "x",
} as const;

/** How a delimited file is to be read by DuckDB: nothing is detected, everything is VARCHAR. */
export interface CsvReading {
  readonly path: string;
  readonly columns: readonly string[];
  /** One character. */
  readonly delimiter: string;
  readonly lineEnd: "lf" | "crlf";
  /** Records to jump over at the start. */
  readonly skip: number;
  /** Whether a cell that is written `""` is an empty text instead of NULL. */
  readonly quotedEmptyIsText: boolean;
  /** Cells hold line ends: then one thread reads, since several cannot know whether a line end is inside a cell. */
  readonly newlinesInCells: boolean;
  /** Bytes of the longest record. */
  readonly longestRecord: number;
}

/** The table function call that reads a regular delimited file. Values are kept byte for byte. */
export function readCsvCall(reading: CsvReading): string {
  const columns = reading.columns.map((name) => `${quoteText(name)}: 'VARCHAR'`).join(", ");
  const longest = Math.max(2_097_152, reading.longestRecord + 4096);
  return `read_csv(${[
    quoteText(reading.path),
    "auto_detect = false",
    "header = false",
    `skip = ${reading.skip}`,
    `columns = {${columns}}`,
    `delim = ${quoteText(reading.delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `new_line = ${reading.lineEnd === "lf" ? "'\\n'" : "'\\r\\n'"}`,
    "comment = ''",
    "hive_partitioning = false",
    "nullstr = ''",
    `allow_quoted_nulls = ${!reading.quotedEmptyIsText}`,
    `parallel = ${!reading.newlinesInCells}`,
    `max_line_size = ${longest}`,
    `buffer_size = ${Math.max(32_000_000, longest * 2)}`,
  ].join(", ")})`;
}
