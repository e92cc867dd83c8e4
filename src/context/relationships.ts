import type { CatalogColumn, CatalogTable, Relationship, Uncertainty } from "../core/catalog.js";
import type { CompileDatabase } from "./database.js";
import type { DeclaredKey } from "./read/staged-table.js";
import { type ColumnRef, pairsByName } from "./relationship-names.js";
import { quoteName } from "./sql-text.js";

/** How many distinct values of one column are found in another. */
interface Containment {
  readonly checked: number;
  readonly found: number;
  /** Only every so-manieth value, by hash, was looked up; 1 for all. */
  readonly every: number;
}

/** Above so many distinct values a part of them is looked up, chosen by hash. */
const ALL_UP_TO = 100_000;
/** A name that fits and so large a share of the values make a relationship. */
const ENOUGH = 0.9;
/** A schema of hundreds of tables has millions of pairs: only so many with fitting names are looked up. */
const MOST_LOOKED_UP = 2_000;

/** Relationships that schemas declare, and those that names suggest and values confirm. */
export async function findRelationships(
  database: CompileDatabase,
  tables: readonly CatalogTable[],
  keys: readonly DeclaredKey[],
): Promise<{ readonly relationships: readonly Relationship[]; readonly uncertainties: readonly Uncertainty[] }> {
  const declared = await declaredRelationships(database, tables, keys);
  const known = new Set(declared.relationships.map(pairOf));
  const inferred = await inferredRelationships(database, tables, known);
  return { relationships: [...declared.relationships, ...inferred], uncertainties: declared.uncertainties };
}

const pairOf = (pair: Pick<Relationship, "from_table" | "from_column" | "to_table" | "to_column">) =>
  JSON.stringify([pair.from_table, pair.from_column, pair.to_table, pair.to_column]);

async function declaredRelationships(
  database: CompileDatabase,
  tables: readonly CatalogTable[],
  keys: readonly DeclaredKey[],
): Promise<{ readonly relationships: Relationship[]; readonly uncertainties: Uncertainty[] }> {
  const relationships: Relationship[] = [];
  const uncertainties: Uncertainty[] = [];
  for (const key of keys) {
    const from = tables.find((table) => table.source === key.source);
    const fromColumn = from?.columns.find((column) => sameName(column.source_name, key.column));
    if (from === undefined || fromColumn === undefined) continue;
    const to = targetOf(tables, from, key);
    if (to === null) {
      const detail = `The schema says that ${from.name}.${fromColumn.name} refers to ${key.to_table}${key.to_column === null ? "" : `.${key.to_column}`}, which is not in this context.`;
      uncertainties.push({
        source: key.source,
        code: "missing-table",
        table: from.name,
        column: fromColumn.name,
        detail,
      });
      continue;
    }
    const contained = await containment(database, { table: from, column: fromColumn }, to);
    const elsewhere =
      fileOf(to.table.source) === fileOf(from.source) ? "" : ` (that table comes from ${to.table.source})`;
    relationships.push({
      from_table: from.name,
      from_column: fromColumn.name,
      to_table: to.table.name,
      to_column: to.column.name,
      kind: "declared",
      evidence: `Foreign key in the schema of ${fileOf(from.source)}${elsewhere}; ${inWords(contained)}.`,
    });
  }
  return { relationships, uncertainties };
}

/** The column that a key refers to: in the same file if it is there, else in a table of that name from another file. */
function targetOf(tables: readonly CatalogTable[], from: CatalogTable, key: DeclaredKey): ColumnRef | null {
  const named = tables.filter(
    (table) => sameName(table.name, key.to_table) || sameName(partOf(table.source), key.to_table),
  );
  const table = named.find((found) => fileOf(found.source) === fileOf(from.source)) ?? named[0];
  if (table === undefined) return null;
  const wanted = key.to_column ?? "id";
  const column =
    table.columns.find((found) => sameName(found.source_name, wanted)) ??
    (key.to_column === null ? table.columns.find((found) => isUnique(table, found)) : undefined);
  return column === undefined ? null : { table, column };
}

async function inferredRelationships(
  database: CompileDatabase,
  tables: readonly CatalogTable[],
  known: ReadonlySet<string>,
): Promise<Relationship[]> {
  const relationships: Relationship[] = [];
  const refs = tables.flatMap((table) => table.columns.map((column) => ({ table, column })));
  const candidates = pairsByName(
    refs.filter(({ column }) => column.distinct > 0),
    ({ table, column }) => isUnique(table, column),
  )
    .filter(({ from, to }) => comparable(from.column.type, to.column.type))
    .slice(0, MOST_LOOKED_UP);
  for (const { from, to, why } of candidates) {
    const pair = {
      from_table: from.table.name,
      from_column: from.column.name,
      to_table: to.table.name,
      to_column: to.column.name,
    };
    const reversed = {
      from_table: pair.to_table,
      from_column: pair.to_column,
      to_table: pair.from_table,
      to_column: pair.from_column,
    };
    if (known.has(pairOf(pair)) || known.has(pairOf(reversed))) continue;
    const contained = await containment(database, from, to);
    if (contained.checked === 0 || contained.found < ENOUGH * contained.checked) continue;
    const unique = isUnique(to.table, to.column);
    const many = unique ? "" : `; ${to.table.name}.${to.column.name} is not unique, so a join may repeat rows`;
    const cast =
      from.column.type === to.column.type
        ? ""
        : `; the types differ (${from.column.type}, ${to.column.type}): compare as VARCHAR`;
    relationships.push({ ...pair, kind: "inferred", evidence: `${why}; ${inWords(contained)}${many}${cast}.` });
  }
  return withoutMirrors(relationships);
}

/** Of two columns that contain each other only one direction is told: towards the unique one, else as it came first. */
function withoutMirrors(relationships: readonly Relationship[]): Relationship[] {
  const kept = new Map<string, Relationship>();
  for (const relationship of relationships) {
    const mirror = pairOf({
      from_table: relationship.to_table,
      from_column: relationship.to_column,
      to_table: relationship.from_table,
      to_column: relationship.from_column,
    });
    if (!kept.has(mirror)) kept.set(pairOf(relationship), relationship);
  }
  return [...kept.values()];
}

/** Exact, but for columns of many values, where a part chosen by hash is looked up. */
async function containment(database: CompileDatabase, from: ColumnRef, to: ColumnRef): Promise<Containment> {
  const every = Math.ceil(from.column.distinct / ALL_UP_TO);
  const same = from.column.type === to.column.type;
  const value = ({ column }: ColumnRef) =>
    same ? quoteName(column.name) : `CAST(${quoteName(column.name)} AS VARCHAR)`;
  const part = every === 1 ? "" : `AND hash(${quoteName(from.column.name)}) % ${every} = 0`;
  const [row] = await database.texts(
    `WITH looked_up AS (
       SELECT DISTINCT ${value(from)} AS v FROM main.${quoteName(from.table.name)}
       WHERE ${quoteName(from.column.name)} IS NOT NULL ${part})
     SELECT count(*), count(*) FILTER (v IN (SELECT ${value(to)} FROM main.${quoteName(to.table.name)}
       WHERE ${quoteName(to.column.name)} IS NOT NULL)) FROM looked_up`,
  );
  return { checked: Number(row?.[0] ?? 0), found: Number(row?.[1] ?? 0), every };
}

function inWords({ checked, found, every }: Containment): string {
  if (checked === 0) return "the column holds no values";
  const which = every === 1 ? "distinct values" : `distinct values looked up (one in ${every})`;
  return found === checked
    ? `all ${checked} ${which} are found there`
    : `${found} of ${checked} ${which} are found there`;
}

function isUnique(table: CatalogTable, column: CatalogColumn): boolean {
  return column.distinct > 0 && column.distinct === table.rows - column.nulls;
}

/** Whether values of two types can be equal at all; numbers of any kind and texts can, times only with their like. */
function comparable(a: string, b: string): boolean {
  const kind = (type: string) => (/INT|DECIMAL|DOUBLE|FLOAT/.test(type) ? "number" : type);
  const [one, other] = [kind(a), kind(b)];
  const keys = ["number", "VARCHAR"];
  return one === other ? one !== "BOOLEAN" && one !== "JSON" : keys.includes(one) && keys.includes(other);
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** `shop.db#orders` → `shop.db` and `orders`. */
const fileOf = (source: string) => source.split("#")[0] ?? source;
const partOf = (source: string) => source.split("#")[1] ?? "";
