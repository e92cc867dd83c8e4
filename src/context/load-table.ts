import type { Uncertainty } from "../core/catalog.js";
import { type ColumnDecision, type ColumnNote, decideType, isKind, type Kind } from "./column-kinds.js";
import type { CompileDatabase } from "./database.js";
import type { NamedColumn } from "./names.js";
import type { StagedTable } from "./read/staged-table.js";
import { quoteName, quoteText } from "./sql-text.js";

/** A column's own view of its cells: the SQL of their text and of their kind. */
interface CellSql {
  readonly raw: string;
  readonly text: string;
  readonly kind: string;
}

interface SaidOfColumn {
  readonly code: string;
  readonly column: string;
  readonly sentence: string;
}

const COLUMNS_SHOWN = 5;

/**
 * Brings a staged table into the database under `name`: every column gets the narrowest type that says exactly what the text of all
 * its cells says. Throws when the database counts other rows or cells than our own reading of the file did.
 */
export async function loadTable(
  database: CompileDatabase,
  staged: StagedTable,
  name: string,
  columns: readonly NamedColumn[],
): Promise<readonly Uncertainty[]> {
  await database.run(`CREATE OR REPLACE TABLE staging.cells AS ${staged.select}`);
  await checkCounts(database, staged);
  const said: SaidOfColumn[] = [];
  const selected: string[] = [];
  for (const [i, column] of columns.entries()) {
    if (staged.cells === "typed") {
      selected.push(`c${i} AS ${quoteName(column.name)}`);
      continue;
    }
    const cells = cellSql(`c${i}`, staged.cells);
    const decision = await decide(database, cells, staged.cells === "tagged", staged.declaredTypes?.[i] ?? null);
    selected.push(`${typedCell(cells, decision)} AS ${quoteName(column.name)}`);
    for (const note of decision.notes) {
      const examples = note.examples.length === 0 ? "" : `: ${await exampleValues(database, cells, note.examples)}`;
      said.push({ code: note.code, column: column.name, sentence: `${note.detail}${examples}` });
    }
  }
  await database.run(`CREATE TABLE main.${quoteName(name)} AS SELECT ${selected.join(", ")} FROM staging.cells`);
  await database.run("DROP TABLE staging.cells");
  return gathered(staged.source, name, said);
}

/** One uncertainty for all columns of which the same kind of thing is to be said: a table may have a thousand. */
function gathered(source: string, table: string, said: readonly SaidOfColumn[]): Uncertainty[] {
  return [...new Set(said.map(({ code }) => code))].map((code) => {
    const same = said.filter((one) => one.code === code);
    const [first] = same;
    const shown = same.slice(0, COLUMNS_SHOWN).map(({ column, sentence }) => `${quoteName(column)}: ${sentence}`);
    const more = same.length > shown.length ? `; and likewise in ${same.length - shown.length} more columns` : "";
    return {
      source,
      code,
      table,
      ...(same.length === 1 && first !== undefined ? { column: first.column } : {}),
      detail: `In ${quoteName(table)}, ${shown.join("; ")}${more}.`,
    };
  });
}

function cellSql(raw: string, cells: "plain" | "tagged"): CellSql {
  return cells === "plain"
    ? { raw, text: raw, kind: `plain_kind(${raw})` }
    : { raw, text: `${raw}[2:]`, kind: `tagged_kind(${raw})` };
}

/** The guard of "a value in the file is the value in the table": two readers that share no code must count the same. */
async function checkCounts(database: CompileDatabase, staged: StagedTable): Promise<void> {
  const { rows, filled, bytes } = staged.expected;
  if (filled === null) {
    const [[count] = []] = await database.texts("SELECT count(*) FROM staging.cells");
    if (count !== String(rows)) throw new Error(`the database read ${count} rows instead of ${rows}`);
    return;
  }
  const counted = filled.map((_, i) => `count(c${i}), coalesce(sum(strlen(c${i})), 0)::BIGINT`);
  const [found = []] = await database.texts(`SELECT count(*), ${counted.join(", ")} FROM staging.cells`);
  const wanted = [rows, ...filled.flatMap((count, i) => [count, bytes?.[i] ?? found[2 + 2 * i] ?? 0])];
  const wrong = wanted.findIndex((value, i) => String(value) !== found[i]);
  if (wrong < 0) return;
  const what = wrong === 0 ? "rows" : `${wrong % 2 === 1 ? "cells" : "bytes"} in column ${Math.ceil(wrong / 2)}`;
  throw new Error(`the database read ${found[wrong]} ${what} instead of ${wanted[wrong]}`);
}

async function decide(
  database: CompileDatabase,
  cells: CellSql,
  typedFile: boolean,
  declared: ColumnDecision["type"] | null,
): Promise<ColumnDecision> {
  const counts: Partial<Record<Kind, number>> = {};
  const found = await database.texts(
    `SELECT ${cells.kind} AS kind, count(*) FROM staging.cells WHERE ${cells.raw} IS NOT NULL GROUP BY kind`,
  );
  for (const [kind, count] of found) if (isKind(kind)) counts[kind] = Number(count);
  if (found.length === 0 && declared !== null) return { type: declared, missingIsNull: false, notes: [] };
  const decision = decideType(counts, typedFile);
  return decision.type === "DOUBLE" ? exactOrSaid(database, cells, decision) : decision;
}

/** DOUBLE holds about 16 digits: whole numbers that it would change keep the column text, longer fractions are said to be shortened. */
async function exactOrSaid(
  database: CompileDatabase,
  cells: CellSql,
  decision: ColumnDecision,
): Promise<ColumnDecision> {
  const { text, kind } = cells;
  const [row] = await database.texts(
    `SELECT count(*) FILTER (contains(${kind}, 'integer')), count(*), coalesce(min(${text}), '') FROM staging.cells
     WHERE is_inexact(${text})`,
  );
  const [wholes, all, example] = row ?? [];
  if (Number(wholes) > 0) {
    const detail = `${wholes} whole numbers among fractions are too long for DOUBLE; the column is text`;
    const note: ColumnNote = { code: "long-integers", detail, examples: [] };
    return { type: "VARCHAR", missingIsNull: false, notes: [note] };
  }
  if (Number(all) === 0) return decision;
  const detail = `${all} numbers have more digits than DOUBLE holds (such as ${example}); the nearest DOUBLE is stored`;
  return { ...decision, notes: [...decision.notes, { code: "precision", detail, examples: [] }] };
}

function typedCell({ raw, text }: CellSql, { type, missingIsNull }: ColumnDecision): string {
  if (type === "VARCHAR") return text;
  if (type === "JSON") {
    return `CAST(CASE ${raw}[1] WHEN 's' THEN CAST(to_json(${text}) AS VARCHAR) ELSE ${text} END AS JSON)`;
  }
  const value = type === "BIGINT" || type === "DOUBLE" ? `CAST(trim(${text}) AS ${type})` : `CAST(${text} AS ${type})`;
  return missingIsNull ? `CASE WHEN is_missing(${text}) OR ${text} = '' THEN NULL ELSE ${value} END` : value;
}

/** The most frequent values of some kinds, with counts, for a person to read. */
async function exampleValues(database: CompileDatabase, cells: CellSql, kinds: readonly Kind[]): Promise<string> {
  const found = await database.texts(
    `SELECT left(${cells.text}, 60) AS value, count(*) AS n FROM staging.cells
     WHERE ${cells.raw} IS NOT NULL AND ${cells.kind} IN (${kinds.map(quoteText).join(", ")})
     GROUP BY value ORDER BY n DESC, value LIMIT 3`,
  );
  return found.map(([value, count]) => `${JSON.stringify(value)} (${count})`).join(", ");
}
