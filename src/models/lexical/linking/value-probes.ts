import { looseNumber } from "../schema/column-kind.js";
import type { Schema, SchemaColumn } from "../schema/schema.js";
import { quoteName, quoteText } from "../sql/names.js";
import { STOP_WORDS } from "../words/stop-words.js";
import { normalise, type Token } from "../words/tokens.js";
import type { Mention } from "./mentions.js";
import type { StoredValue } from "./value-links.js";

/** Columns with this many different values or fewer are read whole. */
const SMALL_DOMAIN = 60;
/** Rows that one probe query may return. */
const PROBE_ROWS = 200;
const LONGEST_SEARCHED_TABLE = 300_000;

/** A probe query and how its rows are to be read: column number, value. */
export interface ValueProbe {
  readonly sql: string;
  readonly columns: readonly SchemaColumn[];
}

/** Numbers kept as text are searched only for what is no number among them. */
const holdsWords = (column: SchemaColumn) =>
  column.kind === "text" || (column.kind === "text-number" && (column.distinct ?? SMALL_DOMAIN + 1) <= SMALL_DOMAIN);
const isWord = (column: SchemaColumn, value: string) => column.kind === "text" || looseNumber(value) === null;

/** Columns whose values are all known from their profile. */
export function isKnownWhole(column: SchemaColumn): boolean {
  return column.distinct !== null && column.distinct <= column.top.length;
}

/** Values that profiles showed, of columns that hold words. */
export function profiledValues(schema: Schema): readonly StoredValue[] {
  return schema.tables
    .flatMap((table) => table.columns)
    .filter(holdsWords)
    .flatMap((column) =>
      isKnownWhole(column)
        ? column.top.filter((value) => isWord(column, value)).map((value) => ({ column, value, partOf: null }))
        : [],
    );
}

/** Queries that fetch small domains whole and look for the question's words in the others. */
export function valueProbes(schema: Schema, question: string): readonly ValueProbe[] {
  const columns = schema.tables
    .flatMap((table) => table.columns)
    .filter((column) => holdsWords(column) && !isKnownWhole(column));
  const small = columns.filter((column) => column.distinct !== null && column.distinct <= SMALL_DOMAIN);
  const large = columns.filter((column) => !small.includes(column));
  return [...batches(small).map(domainProbe), ...bySource(large).map((group) => searchProbe(group, question))];
}

function batches(columns: readonly SchemaColumn[]): readonly (readonly SchemaColumn[])[] {
  const groups: SchemaColumn[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    const distinct = column.distinct ?? 0;
    if (size + distinct > PROBE_ROWS) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(column);
    size += distinct;
  }
  return groups;
}

function bySource(columns: readonly SchemaColumn[]): readonly (readonly SchemaColumn[])[] {
  const groups = new Map<string, SchemaColumn[]>();
  for (const column of columns) groups.set(column.table, [...(groups.get(column.table) ?? []), column]);
  return [...groups.values()];
}

function domainProbe(columns: readonly SchemaColumn[]): ValueProbe {
  const parts = columns.map(
    (column, index) =>
      `SELECT DISTINCT ${index} AS column_number, CAST(${quoteName(column.name)} AS VARCHAR) AS value FROM ${quoteName(column.table)} WHERE ${quoteName(column.name)} IS NOT NULL`,
  );
  return { sql: `SELECT * FROM (${parts.join(" UNION ALL ")}) ORDER BY 1, 2`, columns };
}

/** Values that stand in the question word for word. */
function searchProbe(columns: readonly SchemaColumn[], question: string): ValueProbe {
  const parts = columns.map((column, index) => {
    const value = `CAST(${quoteName(column.name)} AS VARCHAR)`;
    return `SELECT DISTINCT ${index} AS column_number, ${value} AS value FROM ${quoteName(column.table)} WHERE ${standsIn(question, value, column.rows)}`;
  });
  return { sql: `SELECT * FROM (${parts.join(" UNION ALL ")}) ORDER BY 1, length(value) DESC, 2`, columns };
}

function standsIn(question: string, value: string, rows: number): string {
  if (rows > LONGEST_SEARCHED_TABLE)
    return `length(${value}) >= 2 AND contains(${quoteText(question.toLowerCase())}, lower(${value}))`;
  const plain = `trim(regexp_replace(lower(strip_accents(${value})), '[^\\p{L}\\p{N}]+', ' ', 'g'))`;
  return `length(${plain}) >= 2 AND contains(${quoteText(` ${normalise(question)} `)}, ' ' || ${plain} || ' ')`;
}

/** Phrases that look like names but were found nowhere: quoted ones, and runs of capitalised words. */
export function unknownNames(tokens: readonly Token[], mentions: readonly Mention[]): readonly string[] {
  const covered = (index: number) => mentions.some((mention) => mention.from <= index && index < mention.to);
  const names: string[] = [];
  let run: Token[] = [];
  const flush = () => {
    const text = run
      .map((token, index) => token.text + gapAfter(run, index))
      .join("")
      .trim();
    if (text.length >= 3) names.push(text);
    run = [];
  };
  for (const [index, token] of tokens.entries()) {
    const quoted =
      token.quote !== null &&
      !mentions.some(
        (mention) => mention.from <= index && index < mention.to && mention.values.length + mention.columns.length > 0,
      );
    const capital =
      /^\p{Lu}/u.test(token.text) &&
      token.kind === "word" &&
      index > 0 &&
      !STOP_WORDS.has(token.lower) &&
      !covered(index) &&
      !/[.?!:]/.test(tokens[index - 1]?.text ?? "");
    const goesOn = run.length > 0 && run.at(-1)?.quote === token.quote;
    if (!(quoted || capital) || (run.length > 0 && !goesOn)) flush();
    if (quoted || capital) run.push(token);
  }
  flush();
  return [...new Set(names)].slice(0, 4);
}

function gapAfter(run: readonly Token[], index: number): string {
  const [here, next] = [run[index], run[index + 1]];
  return here === undefined || next === undefined ? "" : " ".repeat(Math.min(1, next.start - here.end));
}

/** A query for values that hold a phrase as a part. */
export function partProbe(schema: Schema, name: string): ValueProbe | null {
  const columns = schema.tables
    .flatMap((table) => table.columns)
    .filter((column) => column.kind === "text" && (column.distinct ?? 2) > 1);
  if (columns.length === 0) return null;
  const parts = columns.map(
    (column, index) =>
      `SELECT * FROM (SELECT DISTINCT ${index} AS column_number, CAST(${quoteName(column.name)} AS VARCHAR) AS value FROM ${quoteName(column.table)} WHERE ${quoteName(column.name)} ILIKE ${quoteText(`%${name}%`)} ORDER BY 2 LIMIT 3)`,
  );
  return { sql: parts.join(" UNION ALL "), columns };
}

/** The stored values in a probe's rows. */
export function storedValues(
  probe: ValueProbe,
  rows: readonly (readonly (string | null)[])[],
  partOf: string | null,
): readonly StoredValue[] {
  return rows.flatMap(([number, value]) => {
    const column = probe.columns[Number(number)];
    return column === undefined || value == null || !isWord(column, value) ? [] : [{ column, value, partOf }];
  });
}
