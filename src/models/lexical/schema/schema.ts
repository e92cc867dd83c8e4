import { stemSet } from "../words/stem.js";

/** What the model knows of the data after looking: tables, columns with profiles, and how tables join. */
export interface Schema {
  readonly tables: readonly SchemaTable[];
  readonly edges: readonly Edge[];
}

export interface SchemaTable {
  readonly name: string;
  /** Stems of the words of its name. */
  readonly words: readonly string[];
  readonly rows: number;
  readonly columns: readonly SchemaColumn[];
}

/** `text-number`: text whose values are numbers once padding, separators or brackets are taken off. */
export type ColumnKind = "number" | "text" | "text-number" | "date" | "timestamp" | "time" | "boolean";

export interface SchemaColumn {
  readonly table: string;
  readonly name: string;
  /** Stems of the words of its name. */
  readonly words: readonly string[];
  /** Stems of what a document says about it. */
  readonly described: readonly string[];
  /** Other names that people may call it by, normalised: of a title line that was taken for a header. */
  readonly aliases: readonly string[];
  readonly type: string;
  readonly kind: ColumnKind;
  readonly rows: number;
  readonly nulls: number;
  /** Null if the column was not profiled. */
  readonly distinct: number | null;
  readonly min: string | null;
  readonly max: string | null;
  /** Most frequent values, most frequent first. */
  readonly top: readonly string[];
  /** First values in file order, nulls left out. */
  readonly first: readonly string[];
}

/** A way to join two tables: many rows of `from` may point at one row of `to`. */
export interface Edge {
  readonly from: ColumnName;
  readonly to: ColumnName;
  /** Stems that tell this link from others between the same tables: `home` of home_team_id. */
  readonly role: readonly string[];
}

export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

export function tableOf(schema: Schema, name: string): SchemaTable {
  const table = schema.tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`no table ${name} in the schema`);
  return table;
}

export function columnOf(schema: Schema, name: ColumnName): SchemaColumn {
  const column = tableOf(schema, name.table).columns.find((candidate) => candidate.name === name.column);
  if (column === undefined) throw new Error(`no column ${name.table}.${name.column} in the schema`);
  return column;
}

/** Whether no value occurs twice and none is missing. */
export function isUnique(column: SchemaColumn): boolean {
  return column.rows > 0 && column.distinct === column.rows && column.nulls === 0;
}

const ID_WORDS = stemSet("id uuid key ref code pk no serial index nr");

const NO_IDS = new Set("bid paid acid grid solid valid lid kid aid raid said mid void fluid rapid avid".split(" "));

/** Whether a column holds identifiers by its name: `id`, `order_id`, `CDSCode`. */
export function isIdentifier(column: SchemaColumn): boolean {
  const last = column.words.at(-1);
  if (last === undefined || /(^|_)(zip|post)/i.test(column.name)) return false;
  if (/(?:编号|编码|代码|序号|号码|ID)$/i.test(column.name) && /\p{Script=Han}/u.test(column.name)) return true;
  return ID_WORDS.has(last) || (/^[a-z]{1,3}id$/.test(last) && !NO_IDS.has(last));
}

/** The column that names a row of a table: its key; null if no column is unique. */
export function keyOf(table: SchemaTable): SchemaColumn | null {
  const unique = table.columns.filter(isUnique);
  return unique.find(isIdentifier) ?? unique[0] ?? null;
}

/** Whether its values can be added up or averaged as they stand or after a conversion. */
export function isNumeric(column: SchemaColumn): boolean {
  return column.kind === "number" || column.kind === "text-number";
}

export function isTemporal(column: SchemaColumn): boolean {
  return column.kind === "date" || column.kind === "timestamp";
}
