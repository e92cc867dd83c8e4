/** A database beside the task's own context that a check may ask for legal values. */
export type Connection =
  | { readonly type: "sqlite" | "duckdb" /** Absolute. */; readonly path: string }
  /** `url_env`: the environment variable that holds the URL, which may have a password and is kept nowhere. */
  | { readonly type: "postgres"; readonly url_env: string };

/** By name, in the order in which they are written. */
export type Connections = ReadonlyMap<string, Connection>;

/** The name of the task's own context in a first line `-- context`; no connection may have it. */
export const CONTEXT_NAME = "context";

/** Where a query is to run, `null` being the task's own context. */
export type Picked =
  | { readonly ok: true; readonly connection: Connection | null; readonly sql: string }
  | { readonly ok: false; readonly message: string };

/**
 * A first line `-- name` picks the connection (a comment of several words is a comment); without one it is the first Postgres
 * connection, else the first one, else the context.
 */
export function pickConnection(sql: string, connections: Connections): Picked {
  const named = /^\s*--[ \t]*(\S+)[ \t]*(?:\r?\n|$)/.exec(sql);
  const name = named?.[1];
  if (named === null || name === undefined) return { ok: true, connection: usual(connections), sql };
  const connection = name === CONTEXT_NAME ? null : connections.get(name);
  if (connection !== undefined) return { ok: true, connection, sql: sql.slice(named[0].length) };
  const known = [...connections.keys(), CONTEXT_NAME].join(", ");
  return { ok: false, message: `there is no connection "${name}" (the first line of domain_sql); known are ${known}` };
}

function usual(connections: Connections): Connection | null {
  const all = [...connections.values()];
  return all.find(({ type }) => type === "postgres") ?? all[0] ?? null;
}
