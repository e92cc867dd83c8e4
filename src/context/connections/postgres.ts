import pg from "pg";
import type { DomainReply } from "../../core/ports/domain-query.js";
import { collectValues, columnTrouble } from "./collect-values.js";

const CONNECT_MS = 10_000;
/** From the server's own timeout to the end of the connection. */
const GRACE_MS = 1000;
const BATCH_ROWS = 10_000;
const AS_TEXT = { getTypeParser: () => String };

/**
 * Asks a Postgres server in a read-only transaction that is rolled back. The query is declared as a cursor, which takes one
 * SELECT and nothing else (no COPY, no SET, no second statement, no writing CTE), and is fetched up to the cap. The server
 * stops it at the timeout; should the server not answer at all, the connection is cut.
 */
export async function queryPostgres(url: string, sql: string, timeoutMs: number): Promise<DomainReply> {
  const client = clientFor(url, timeoutMs);
  if (client === null) return { ok: false, message: "the connection's URL is not a postgres:// URL" };
  // A connection that breaks rejects the query in flight; without a listener it would end our process too.
  client.on("error", () => undefined);
  let cut = false;
  const timer = setTimeout(() => {
    cut = true;
    void client.end();
  }, timeoutMs + GRACE_MS);
  try {
    await client.connect();
    return await select(client, sql, timeoutMs);
  } catch (error) {
    return { ok: false, message: cut ? `the query ran longer than ${timeoutMs / 1000} s` : messageOf(error) };
  } finally {
    clearTimeout(timer);
    await client.end().catch(() => undefined);
  }
}

function clientFor(url: string, timeoutMs: number): pg.Client | null {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return null;
  const connectionTimeoutMillis = Math.min(CONNECT_MS, timeoutMs);
  return new pg.Client({ connectionString: url, connectionTimeoutMillis, application_name: "daw-eval" });
}

async function select(client: pg.Client, sql: string, timeoutMs: number): Promise<DomainReply> {
  await client.query("BEGIN TRANSACTION READ ONLY");
  await client.query(`SET LOCAL statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`);
  // A named statement goes over the extended protocol, which takes one: a text cannot end the transaction and go on.
  await client.query({ name: "declare", text: `DECLARE domain NO SCROLL CURSOR FOR ${sql}` });
  const values = collectValues();
  for (let more = true; more; ) {
    const { fields, rows } = await client.query<(string | null)[]>({
      text: `FETCH FORWARD ${BATCH_ROWS} FROM domain`,
      rowMode: "array",
      types: AS_TEXT,
    });
    const trouble = columnTrouble(fields.map(({ name }) => name));
    if (trouble !== null) return { ok: false, message: trouble };
    let room = true;
    for (const [cell = null] of rows) room = values.add(cell);
    more = room && rows.length === BATCH_ROWS;
  }
  await client.query("ROLLBACK");
  return values.reply();
}

/** A refused connection to a host of several addresses is an AggregateError without a message. */
function messageOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  return inner instanceof Error ? inner.message : String(inner);
}
