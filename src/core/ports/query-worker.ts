/** A table as SQL returned it. Cells are text as a CSV would hold them, null for SQL NULL. */
export interface Table {
  readonly columns: readonly string[];
  /** DuckDB type of each column. */
  readonly types: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface QueryLimits {
  /** At most so many rows are returned; one more is looked at, so that `truncated` is true only if there was more. */
  readonly max_rows: number;
  readonly timeout_ms: number;
  readonly signal?: AbortSignal;
}

export type QueryErrorCode =
  /** More than one statement, not a SELECT, a forbidden function or table: says which and what is allowed. */
  | "refused"
  /** DuckDB's own message: syntax, binding, conversion, out of memory. */
  | "sql-error"
  | "timeout"
  /** The child process died; the next call gets a new one. */
  | "worker-lost";

export type QueryResult =
  | { readonly ok: true; readonly table: Table; readonly truncated: boolean; readonly ms: number }
  | {
      readonly ok: false;
      readonly error: { readonly code: QueryErrorCode; readonly message: string };
      readonly ms: number;
    };

export type ParseResult =
  | { readonly ok: true; readonly tree: unknown }
  | { readonly ok: false; readonly error: { readonly code: QueryErrorCode; readonly message: string } };

/**
 * Runs SQL on one compiled context, read-only, in a locked child process. SQL trouble is a value; the promises reject
 * only when `signal` is aborted, or with `SandboxError` when no child can be started at all.
 */
export interface QueryWorker {
  /** Same SQL on the same context → same rows in the same order, on every run. */
  query(sql: string, limits: QueryLimits): Promise<QueryResult>;
  /** DuckDB's own syntax tree of one statement (`json_serialize_sql`): a parse, not a binding. */
  parse(sql: string): Promise<ParseResult>;
}

/** The machine cannot run the child at all: infrastructure, never the agent's fault. */
export class SandboxError extends Error {
  readonly code = "sandbox";

  constructor(message: string) {
    super(message);
    this.name = "SandboxError";
  }
}
