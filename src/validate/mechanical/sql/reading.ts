import type { LightCatalog } from "../../../core/catalog.js";
import type { SqlNode } from "../sql-tree.js";

export type LightTable = LightCatalog["tables"][number];

/** One occurrence of a catalog table in a FROM. Two occurrences are two objects. */
export interface BaseTable {
  readonly table: LightTable;
}

/** The catalog column that a column of a query is, unchanged. */
export interface ColumnSource {
  readonly base: BaseTable;
  /** As the catalog spells it. */
  readonly column: string;
}

/** A column that a relation shows; `source` is null where it is computed or not known. */
export interface OutputColumn {
  readonly name: string;
  readonly source: ColumnSource | null;
  /** The expression that makes it, and where its names are looked up; absent where it has a source or code cannot tell. */
  readonly computed?: { readonly expression: SqlNode; readonly scope: Scope };
}

/** One thing in a FROM. */
export interface Relation {
  /** The name under which the block refers to it. */
  readonly alias: string;
  /** Null where code cannot tell: a table function, a table that is not in the catalog, a pivot. */
  readonly columns: readonly OutputColumn[] | null;
  readonly base: BaseTable | null;
  /** What it is made by: a subquery or a CTE. */
  readonly query: QueryReading | null;
}

/** The relations that names may refer to, inner ones first. */
export interface Scope {
  readonly relations: readonly Relation[];
  readonly outer: Scope | null;
}

/** A JOIN of a FROM and what stands on its two sides. */
export interface Join {
  readonly node: SqlNode;
  readonly left: readonly Relation[];
  readonly right: readonly Relation[];
}

/** One SELECT … FROM … WHERE. */
export interface SelectBlock {
  readonly node: SqlNode;
  readonly scope: Scope;
  readonly joins: readonly Join[];
  /** Entries of the CTEs that it sees, also those of the queries around it, for printing a part of it. */
  readonly ctes: readonly SqlNode[];
  /** Subqueries in its expressions, by their node. */
  readonly subqueries: ReadonlyMap<SqlNode, QueryReading>;
  /** It says what is left out (NOT EXISTS, NOT IN, EXCEPT): that it has no rows is no fault. */
  readonly leavesOut: boolean;
}

/** A query node understood as far as code can: the rest is null and never guessed. */
export interface QueryReading {
  readonly node: SqlNode;
  readonly columns: readonly OutputColumn[] | null;
  /** Its own SELECTs: one, or those of a set operation. */
  readonly branches: readonly SelectBlock[];
  /** All SELECTs in it, its own, those of subqueries, derived tables and CTEs. */
  readonly blocks: readonly SelectBlock[];
  /** All occurrences of catalog tables in it. */
  readonly bases: readonly BaseTable[];
  /** Every reference to a catalog column in it, `*` not counted. */
  readonly uses: readonly ColumnSource[];
}
