import type { Environment } from "../../core/environment.js";
import type { DomainQuery, DomainReply } from "../../core/ports/domain-query.js";
import type { QueryResult, QueryWorker } from "../../core/ports/query-worker.js";
import { collectValues, columnTrouble, MOST_VALUES } from "./collect-values.js";
import { type Connection, type Connections, pickConnection } from "./connection.js";
import { queryInChild } from "./query-in-child.js";

export interface DomainSurroundings {
  readonly connections: Connections;
  /** Opens the task's own compiled context when a check first asks it; null where there is none. */
  readonly context: (() => Promise<QueryWorker>) | null;
  readonly env: Environment;
  readonly timeout_ms: number;
}

/** Where the checks of one task get their legal values. Equal queries are asked once: repeats are scored against one domain. */
export function domainSource(surroundings: DomainSurroundings): DomainQuery {
  const asked = new Map<string, Promise<DomainReply>>();
  return (sql) => {
    const before = asked.get(sql);
    if (before !== undefined) return before;
    const reply = ask(sql, surroundings);
    asked.set(sql, reply);
    return reply;
  };
}

async function ask(sql: string, { connections, context, env, timeout_ms }: DomainSurroundings): Promise<DomainReply> {
  const picked = pickConnection(sql, connections);
  if (!picked.ok) return picked;
  if (picked.connection !== null) return askConnection(picked.connection, picked.sql, env, timeout_ms);
  if (context === null) return { ok: false, message: "there is no task data to ask here, and no connection either" };
  return askContext(context, picked.sql, timeout_ms);
}

async function askConnection(
  connection: Connection,
  sql: string,
  env: Environment,
  timeoutMs: number,
): Promise<DomainReply> {
  switch (connection.type) {
    case "sqlite":
    case "duckdb":
      return queryInChild({ type: connection.type, path: connection.path, sql }, timeoutMs);
    case "postgres": {
      const url = env[connection.url_env];
      if (!url) return { ok: false, message: `the environment variable ${connection.url_env} is not set` };
      return (await import("./postgres.js")).queryPostgres(url, sql, timeoutMs);
    }
  }
}

async function askContext(open: () => Promise<QueryWorker>, sql: string, timeoutMs: number): Promise<DomainReply> {
  let result: QueryResult;
  try {
    const worker = await open();
    result = await worker.query(sql, { max_rows: MOST_VALUES, timeout_ms: timeoutMs });
  } catch (error) {
    // Data that cannot be compiled, a child that cannot be started: the check cannot be made, and says why.
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  if (!result.ok) return { ok: false, message: result.error.message };
  const trouble = columnTrouble(result.table.columns);
  if (trouble !== null) return { ok: false, message: trouble };
  if (result.truncated) return { ok: false, message: `more than ${MOST_VALUES} rows: select distinct values` };
  const values = collectValues();
  for (const [cell = null] of result.table.rows) values.add(cell);
  return values.reply();
}
