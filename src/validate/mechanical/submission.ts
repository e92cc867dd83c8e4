import type { CheckInput, CheckQuery } from "./check.js";
import { readQuery } from "./sql/read-query.js";
import type { ColumnSource, LightTable, QueryReading } from "./sql/reading.js";
import { isSqlNode, type SqlNode } from "./sql-tree.js";

/** A query that the candidate was made by, understood. */
export interface SubmittedQuery {
  readonly sql: string;
  readonly tree: SqlNode;
  readonly reading: QueryReading;
}

/** The query whose rows are the candidate; null where it was made by something else than SQL. */
export function answerQuery({ candidate, queries }: CheckInput): string | null {
  return candidate.source.tool === "execute_probe_query" ? (queries.at(-1) ?? null) : null;
}

/**
 * The queries that the candidate rests on: of a batch of SQL the last one, whose rows it is; of another source all that it issued.
 * Those that do not parse are left out. `need` while a tree is missing.
 */
export function submittedReadings(
  input: CheckInput,
): { readonly need: readonly CheckQuery[] } | { readonly submitted: readonly SubmittedQuery[] } {
  const answer = answerQuery(input);
  return readingsOf(answer === null ? input.queries : [answer], input);
}

/** As `submittedReadings`, of any queries. */
export function readingsOf(
  queries: readonly string[],
  { started, facts }: CheckInput,
): { readonly need: readonly CheckQuery[] } | { readonly submitted: readonly SubmittedQuery[] } {
  const open = queries.filter((sql) => !facts.has(sql, "tree"));
  if (open.length > 0) return { need: open.map((sql) => ({ sql, answer: "tree" })) };
  const submitted = queries.flatMap((sql) => {
    const parsed = facts.tree(sql);
    const tree = parsed?.ok === true ? parsed.tree : null;
    const reading = readQuery(tree, started.catalog);
    return reading === null || !isSqlNode(tree) ? [] : [{ sql, tree, reading }];
  });
  return { submitted };
}

/** The catalog tables that queries read and the columns that they name, in the catalog's order. */
export function usedTables(
  submitted: readonly SubmittedQuery[],
): readonly { readonly table: LightTable; readonly columns: readonly string[] }[] {
  const bases = submitted.flatMap(({ reading }) => reading.bases);
  const uses: readonly ColumnSource[] = submitted.flatMap(({ reading }) => reading.uses);
  return [...new Set(bases.map(({ table }) => table))].map((table) => {
    const used = new Set(uses.filter(({ base }) => base.table === table).map(({ column }) => column));
    return { table, columns: table.columns.map(({ name }) => name).filter((name) => used.has(name)) };
  });
}
