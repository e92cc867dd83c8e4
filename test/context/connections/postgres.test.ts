import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { domainSource } from "../../../src/context/connections/domain-source.js";
import { type PostgresServer, postgresPrograms, startPostgres } from "../../support/postgres.js";

const programs = postgresPrograms ?? "";

describe.skipIf(postgresPrograms === null)("a Postgres server (skipped where none is installed)", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs);
    await server.sql(`
      CREATE TABLE deposits (dept text, amount numeric(10, 2), day date);
      INSERT INTO deposits VALUES ('苏州二部', 1.50, '2024-01-02'), ('大连战区', 12, NULL), ('苏州二部', 3, NULL), (NULL, 4, NULL);
    `);
  });
  afterAll(() => server.stop());

  const query = (timeout_ms = 10_000, url = server.url) =>
    domainSource({
      connections: new Map([["ledger", { type: "postgres", url_env: "LEDGER_URL" }]]),
      context: null,
      env: { LEDGER_URL: url },
      timeout_ms,
    });
  const message = async (sql: string, ask = query()) => {
    const reply = await ask(sql);
    return reply.ok ? `ok: ${reply.values.join(", ")}` : reply.message;
  };

  it("gives distinct values as it writes them itself, nulls left out", async () => {
    expect(await message("SELECT DISTINCT dept FROM deposits ORDER BY 1 DESC")).toBe("ok: 苏州二部, 大连战区");
    expect(await message("-- ledger\nSELECT amount FROM deposits ORDER BY amount;")).toBe(
      "ok: 1.50, 3.00, 4.00, 12.00",
    );
    expect(await message("WITH d AS (SELECT day FROM deposits) SELECT day FROM d -- the days")).toBe("ok: 2024-01-02");
  });

  it("says what the server says about bad SQL", async () => {
    expect(await message("SELECT dept FROM nowhere")).toBe('relation "nowhere" does not exist');
    expect(await message("SELECT dept, day FROM deposits")).toBe(
      "domain_sql must select one column, not 2 (dept, day)",
    );
  });

  it("is never written, nor made to run a program or touch a file", async () => {
    const out = `/tmp/daw-eval-pg-${process.pid}`;
    const tries = [
      "DELETE FROM deposits RETURNING dept",
      "WITH gone AS (DELETE FROM deposits RETURNING dept) SELECT dept FROM gone",
      "SELECT 1; DELETE FROM deposits; COMMIT",
      "COMMIT; DELETE FROM deposits",
      `COPY (SELECT 1) TO PROGRAM 'touch ${out}'`,
      `COPY deposits TO '${out}'`,
      "SET TRANSACTION READ WRITE",
      "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
      "SELECT set_config('transaction_read_only', 'off', false)",
      "DO $$ BEGIN DELETE FROM deposits; END $$",
      "SELECT dept INTO copied FROM deposits",
      "SELECT dept FROM deposits FOR UPDATE",
      "CREATE TABLE copied AS SELECT 1",
      "SELECT nextval('pg_catalog.nothing')",
      `SELECT lo_export(1, '${out}')`,
      "EXPLAIN ANALYZE SELECT 1",
      "CALL nothing()",
      "VACUUM",
    ];
    for (const sql of tries) {
      const reply = await query()(sql);
      expect(reply.ok ? `${sql} gave ${reply.values}` : "refused").toBe("refused");
    }
    expect(existsSync(out)).toBe(false);
    expect(await server.sql("SELECT count(*)::int AS n FROM deposits")).toEqual([{ n: 4 }]);
  });

  it("lets no function of the database write", async () => {
    await server.sql(`CREATE FUNCTION add_one() RETURNS text LANGUAGE sql VOLATILE AS
      $$ INSERT INTO deposits VALUES ('x', 1, NULL) RETURNING dept $$`);
    expect(await message("SELECT add_one()")).toBe("cannot execute INSERT in a read-only transaction");
  });

  it("takes back what a function wrote nevertheless", async () => {
    await message("SELECT lo_from_bytea(0, 'x')");
    expect(await server.sql("SELECT count(*)::int AS n FROM pg_largeobject_metadata")).toEqual([{ n: 0 }]);
  });

  it("is let go at the timeout, and stops working on the query itself", async () => {
    expect(await message("SELECT pg_sleep(60)::text", query(500))).toBe("canceling statement due to statement timeout");
    const running = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'daw-eval'";
    expect(await server.sql(running)).toEqual([{ n: 0 }]);
  });

  it("gets the values of a large domain up to the cap only", async () => {
    expect(await message("SELECT i FROM generate_series(1, 100001) i")).toMatch(/^more than 100000 values/);
    expect(await message("SELECT i % 2 FROM generate_series(1, 50000) i ORDER BY 1")).toBe("ok: 0, 1");
  });

  it("that cannot be reached or entered is an error without the URL's password", async () => {
    const entries = [
      ["postgres://owner:s3cr3t-word@127.0.0.1:1/postgres", /ECONNREFUSED/],
      [server.url.replace("owner@", "nobody:s3cr3t-word@"), /role "nobody" does not exist/],
      ["mysql://owner:s3cr3t-word@127.0.0.1/x", /not a postgres:\/\/ URL/],
      ["postgres://owner:s3cr3t-word@host:port:1/", /not a postgres:\/\/ URL/],
    ] as const;
    for (const [url, why] of entries) {
      const said = await message("SELECT 1", query(5000, url));
      expect(said).toMatch(why);
      expect(said).not.toContain("s3cr3t-word");
    }
    expect(await message("SELECT 1", query(5000, ""))).toBe("the environment variable LEDGER_URL is not set");
  });
});

describe("a Postgres server that accepts and then says nothing", () => {
  it("is given up", async () => {
    const { createServer } = await import("node:net");
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const ask = domainSource({
      connections: new Map([["ledger", { type: "postgres", url_env: "URL" }]]),
      context: null,
      env: { URL: `postgres://owner@127.0.0.1:${port}/x` },
      timeout_ms: 300,
    });
    expect((await ask("SELECT 1")).ok).toBe(false);
    silent.close();
  });
});
