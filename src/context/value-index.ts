import Database from "better-sqlite3";
import { z } from "zod";
import { keyOf, tokensOf } from "./search-words.js";

/**
 * Distinct texts of a context's columns, to be found by words of a question. A SQLite file beside the compiled tables: it is opened in no
 * time, and model-written SQL cannot see it.
 */
export interface ValueIndexWriter {
  /** Begins a column; `distinct`: how many values it has. */
  startColumn(table: string, column: string, distinct: number): void;
  /** Adds a value of the column in hand. Values come most frequent first; those beyond the caps are counted, not kept. */
  add(value: string, rows: number): void;
  close(): void;
}

export interface IndexedValue {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  /** Rows of the table that hold it. */
  readonly rows: number;
}

/** A column of which not every value can be found. */
export interface CappedColumn {
  readonly table: string;
  readonly column: string;
  /** Values that are found when they stand in the query as a whole. */
  readonly indexed: number;
  readonly distinct: number;
}

/** Values per column that are found as a whole, and by their words. */
export const WHOLE_CAP = 200_000;
const WORDS_CAP = 20_000;
/** Longer texts are no names of anything; they are not indexed. In characters. */
export const LONGEST_VALUE = 200;

const MOST_PER_PHRASE = 50;
const MOST_BY_WORDS = 300;

const valueSchema = z.array(z.object({ table: z.string(), column: z.string(), value: z.string(), rows: z.number() }));
const cappedSchema = z.array(
  z.object({ table: z.string(), column: z.string(), indexed: z.number(), distinct: z.number() }),
);

export function createValueIndex(file: string): ValueIndexWriter {
  const database = new Database(file);
  database.pragma("journal_mode = off");
  database.pragma("synchronous = off");
  database.exec(`
    CREATE TABLE columns (id INTEGER PRIMARY KEY, table_name TEXT, column_name TEXT, indexed INTEGER, "distinct" INTEGER);
    CREATE TABLE texts (id INTEGER PRIMARY KEY, column_id INTEGER, key TEXT, value TEXT, rows INTEGER);
    CREATE TABLE words (token TEXT, text_id INTEGER);
    BEGIN`);
  const addColumn = database.prepare(
    'INSERT INTO columns (id, table_name, column_name, indexed, "distinct") VALUES (?, ?, ?, 0, ?)',
  );
  const countIndexed = database.prepare("UPDATE columns SET indexed = ? WHERE id = ?");
  const addText = database.prepare("INSERT INTO texts (id, column_id, key, value, rows) VALUES (?, ?, ?, ?, ?)");
  const addWord = database.prepare("INSERT INTO words (token, text_id) VALUES (?, ?)");
  let column = 0;
  let text = 0;
  let inColumn = 0;
  const endColumn = () => {
    if (column > 0) countIndexed.run(inColumn, column);
  };
  return {
    startColumn(table, name, distinct) {
      endColumn();
      column += 1;
      inColumn = 0;
      addColumn.run(column, table, name, distinct);
    },
    add(value, rows) {
      if (inColumn >= WHOLE_CAP) return;
      inColumn += 1;
      const key = keyOf(value);
      // Punctuation alone has no words to be found by.
      if (key === "") return;
      text += 1;
      addText.run(text, column, key, value, rows);
      if (inColumn <= WORDS_CAP) for (const token of new Set(tokensOf(value))) addWord.run(token, text);
    },
    close() {
      endColumn();
      database.exec(
        "CREATE INDEX texts_by_key ON texts (key); CREATE INDEX words_by_token ON words (token, text_id); COMMIT",
      );
      database.close();
    },
  };
}

/** Values whose whole text is one of `keys`, and values that share the most `tokens`; in a fixed order. */
export function lookUpValues(
  file: string,
  keys: Iterable<string>,
  tokens: readonly string[],
): { readonly values: readonly IndexedValue[]; readonly capped: readonly CappedColumn[] } {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const fields = 'table_name AS "table", column_name AS "column", value, rows';
    const from = "texts JOIN columns ON columns.id = column_id";
    const byKey = database.prepare(
      `SELECT ${fields} FROM ${from} WHERE key = ? ORDER BY rows DESC, texts.id LIMIT ${MOST_PER_PHRASE}`,
    );
    const values = [...keys].flatMap((key) => valueSchema.parse(byKey.all(key)));
    if (tokens.length > 0) {
      const byWords = database.prepare(
        `SELECT ${fields} FROM (
           SELECT text_id, count(*) AS shared FROM words WHERE token IN (${tokens.map(() => "?").join(", ")})
           GROUP BY text_id ORDER BY shared DESC, text_id LIMIT ${MOST_BY_WORDS}
         ) JOIN texts ON texts.id = text_id JOIN columns ON columns.id = column_id ORDER BY shared DESC, text_id`,
      );
      values.push(...valueSchema.parse(byWords.all(...tokens)));
    }
    const capped = database.prepare(
      'SELECT table_name AS "table", column_name AS "column", indexed, "distinct" FROM columns WHERE indexed < "distinct" ORDER BY id',
    );
    return { values, capped: cappedSchema.parse(capped.all()) };
  } finally {
    database.close();
  }
}
