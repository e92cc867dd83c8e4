import { readdirSync, statSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocked } from "../../src/context/query-database.js";
import { createQueryPool, type QueryContext } from "../../src/context/query-pool.js";
import { contextOf } from "./query-fixture.js";

const LIMITS = { max_rows: 100, timeout_ms: 20_000 };
const SECRET = "canary-secret-7351";

/** `OUT` stands for a folder outside, with `gold.csv`, `gold.parquet`, `gold.json` and `other.duckdb` in it, each holding the secret. */
const NOT_SELECT: readonly string[] = [
  "COPY orders TO 'OUT/x.csv'",
  "COPY (SELECT * FROM orders) TO 'OUT/x.parquet' (FORMAT parquet)",
  "COPY orders FROM 'OUT/gold.csv'",
  "copy orders to '/dev/stdout'",
  "COPY FROM DATABASE data TO memory",
  "EXPORT DATABASE 'OUT/dump'",
  "IMPORT DATABASE 'OUT/dump'",
  "ATTACH 'OUT/other.duckdb' AS other",
  "ATTACH ':memory:' AS scratch",
  "ATTACH IF NOT EXISTS 'OUT/new.duckdb'",
  "DETACH data",
  "USE memory",
  "INSTALL httpfs",
  "FORCE INSTALL sqlite FROM 'http://127.0.0.1:9/'",
  "LOAD httpfs",
  "LOAD 'OUT/evil.duckdb_extension'",
  "SET threads = 8",
  "SET enable_external_access = true",
  "SET GLOBAL memory_limit = '20GB'",
  "SET SESSION temp_directory = 'OUT'",
  "SET VARIABLE x = (SELECT 1)",
  "RESET lock_configuration",
  "RESET ALL",
  "PRAGMA database_list",
  "PRAGMA table_info('orders')",
  "PRAGMA enable_profiling",
  "PRAGMA profiling_output = 'OUT/profile.json'",
  "PRAGMA memory_limit = '20GB'",
  "PRAGMA json_execute_serialized_sql('x')",
  "CALL pragma_version()",
  "CALL enable_logging(storage = 'file')",
  "CALL duckdb_settings()",
  "CHECKPOINT",
  "FORCE CHECKPOINT data",
  "VACUUM",
  "ANALYZE orders",
  "EXPLAIN SELECT 1",
  "EXPLAIN ANALYZE SELECT 1",
  "EXPLAIN ANALYZE COPY orders TO 'OUT/x.csv'",
  "EXPLAIN (FORMAT json) COPY orders TO 'OUT/x.csv'",
  "INSERT INTO orders VALUES (9, 'x', 1)",
  "INSERT INTO orders VALUES (9, 'x', 1) RETURNING *",
  "INSERT OR REPLACE INTO orders SELECT * FROM orders",
  "UPDATE orders SET total = 0",
  "UPDATE orders SET total = 0 RETURNING *",
  "DELETE FROM orders",
  "DELETE FROM orders RETURNING *",
  "TRUNCATE orders",
  "MERGE INTO orders USING orders AS o ON false WHEN NOT MATCHED THEN INSERT VALUES (1, 'x', 1)",
  "WITH x AS (SELECT 1) INSERT INTO orders SELECT 1, 'x', 1",
  "CREATE TABLE t (a INT)",
  "CREATE TABLE t AS SELECT 1",
  "CREATE TEMP TABLE t AS SELECT 1",
  "CREATE OR REPLACE VIEW v AS SELECT 1",
  "CREATE MACRO f(x) AS x + 1",
  "CREATE MACRO f(x) AS TABLE SELECT * FROM read_csv(x)",
  "CREATE TYPE mood AS ENUM ('a')",
  "CREATE SEQUENCE s",
  "CREATE SECRET s (TYPE s3)",
  "CREATE INDEX i ON orders (id)",
  "CREATE SCHEMA s",
  "DROP TABLE orders",
  "ALTER TABLE orders ADD COLUMN z INT",
  "COMMENT ON TABLE orders IS 'x'",
  "BEGIN",
  "BEGIN TRANSACTION READ WRITE",
  "COMMIT",
  "ROLLBACK",
  "PREPARE p AS SELECT 1",
  "EXECUTE p",
  "DEALLOCATE p",
  "PIVOT orders ON customer USING sum(total)",
  "SELECT * FROM (PIVOT orders ON customer USING sum(total))",
  "PIVOT orders ON customer IN (SELECT customer FROM orders) USING sum(total)",
  "",
  "   ",
  ";",
  "-- only a comment",
  "SELECT 1; SELECT 2",
  "SELECT 1; COPY orders TO 'OUT/x.csv'",
  "COPY orders TO 'OUT/x.csv'; SELECT 1",
  "SELECT 1; SET threads = 8;",
  "/* hidden */ COPY orders TO 'OUT/x.csv'",
  "SELECT 1 -- \n; ATTACH 'OUT/other.duckdb'",
];

const NOT_ALLOWED_INSIDE: readonly string[] = [
  "SELECT * FROM 'OUT/gold.csv'",
  "FROM 'OUT/gold.parquet'",
  'SELECT * FROM "OUT/gold.json"',
  "SELECT * FROM '/etc/passwd'",
  "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
  "SELECT * FROM 's3://bucket/x.parquet'",
  "SELECT * FROM '../data.duckdb'",
  "TABLE '/etc/passwd'",
  "SELECT * FROM orders JOIN 'OUT/gold.csv' ON true",
  "SELECT (SELECT count(*) FROM 'OUT/gold.csv')",
  "SELECT 1 WHERE EXISTS (FROM 'OUT/gold.csv')",
  "SELECT * FROM orders WHERE id IN (SELECT 1 FROM 'OUT/gold.csv')",
  "SELECT 1 UNION ALL SELECT 2 FROM 'OUT/gold.csv'",
  "WITH x AS (FROM 'OUT/gold.csv') SELECT * FROM x",
  "SELECT * FROM (WITH \"OUT/gold.csv\" AS (SELECT 1) SELECT 1), 'OUT/gold.csv'",
  "WITH a AS (FROM 'OUT/gold.csv'), \"OUT/gold.csv\" AS (SELECT 1) FROM a",
  "SELECT id FROM orders ORDER BY (SELECT 1 FROM 'OUT/gold.csv')",
  "SELECT id FROM orders LIMIT (SELECT count(*) FROM 'OUT/gold.csv')",
  "SELECT list_transform([1], lambda x: (SELECT count(*) FROM 'OUT/gold.csv'))",
  "PIVOT 'OUT/gold.csv' ON a IN ('x') USING count(*)",
  "SELECT * FROM read_csv('OUT/gold.csv')",
  "SELECT * FROM read_csv_auto('OUT/gold.csv')",
  "SELECT * FROM READ_CSV('OUT/gold.csv')",
  "SELECT * FROM read_text('OUT/gold.csv')",
  "SELECT * FROM read_text('/proc/self/environ')",
  "SELECT * FROM read_blob('/proc/1/environ')",
  "SELECT * FROM read_json('OUT/gold.json')",
  "SELECT * FROM read_json_auto('OUT/gold.json')",
  "SELECT * FROM read_json_objects('OUT/gold.json')",
  "SELECT * FROM read_ndjson('OUT/gold.json')",
  "SELECT * FROM read_parquet('OUT/gold.parquet')",
  "SELECT * FROM parquet_scan('OUT/gold.parquet')",
  "SELECT * FROM parquet_metadata('OUT/gold.parquet')",
  "SELECT * FROM parquet_schema('OUT/gold.parquet')",
  "SELECT * FROM read_duckdb('OUT/other.duckdb')",
  "SELECT * FROM sqlite_scan('OUT/x.db', 't')",
  "SELECT * FROM glob('OUT/*')",
  "SELECT * FROM glob('/**')",
  "SELECT * FROM sniff_csv('OUT/gold.csv')",
  "SELECT * FROM query('SELECT 1')",
  "SELECT * FROM query('FROM ''OUT/gold.csv''')",
  "SELECT * FROM query_table('orders')",
  "SELECT * FROM query_table('OUT/gold.csv')",
  "SELECT * FROM histogram('OUT/gold.csv', a)",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "SELECT json_serialize_plan('SELECT * FROM read_csv(''OUT/gold.csv'')')",
  "SELECT json_deserialize_sql(json_serialize_sql('SELECT 1'))",
  "SELECT * FROM enable_logging(storage = 'file', storage_config = {'path': 'OUT/log'})",
  "SELECT * FROM enable_logging('QueryLog')",
  "SELECT * FROM disable_logging()",
  "SELECT * FROM truncate_duckdb_logs()",
  "SELECT * FROM duckdb_logs()",
  "SELECT write_log('x')",
  "SELECT * FROM enable_profiling()",
  "SELECT * FROM enable_peg_parser()",
  "SELECT * FROM checkpoint('data')",
  "SELECT * FROM force_checkpoint('data')",
  "SELECT * FROM duckdb_settings()",
  "SELECT * FROM duckdb_secrets()",
  "SELECT * FROM which_secret('s3://x', 's3')",
  "SELECT * FROM duckdb_databases()",
  "SELECT * FROM duckdb_tables()",
  "SELECT * FROM duckdb_tables",
  "SELECT * FROM duckdb_extensions()",
  "SELECT * FROM duckdb_temporary_files()",
  "SELECT * FROM pragma_database_size()",
  "SELECT * FROM pragma_table_info('orders')",
  "SELECT * FROM pragma_user_agent()",
  "SELECT * FROM information_schema.tables",
  "SELECT * FROM information_schema.columns",
  "SELECT * FROM pg_catalog.pg_tables",
  "SELECT * FROM pg_tables",
  "SELECT * FROM sqlite_master",
  "SELECT * FROM system.information_schema.tables",
  "SELECT * FROM secrets",
  "SELECT * FROM data.hidden",
  "SELECT * FROM hidden",
  "SELECT * FROM main.hidden",
  "SELECT * FROM temp.orders",
  "SELECT * FROM recurring.orders",
  "SELECT * FROM data.main.orders",
  "DESCRIBE orders",
  "SUMMARIZE orders",
  "SHOW TABLES",
  "SHOW ALL TABLES",
  "SHOW DATABASES",
  "FROM (DESCRIBE orders)",
  "DESCRIBE SELECT * FROM 'OUT/gold.csv'",
  "SELECT getenv('DAW_EVAL_CANARY')",
  "SELECT current_setting('temp_directory')",
  "SELECT current_setting('TimeZone')",
  "SELECT getvariable('x')",
  "SELECT current_query()",
  "SELECT nextval('s')",
  "SELECT now()",
  "SELECT NOW() - INTERVAL 1 YEAR",
  "SELECT current_date",
  "SELECT CURRENT_TIMESTAMP",
  "SELECT localtimestamp",
  "SELECT today()",
  "SELECT age(DATE '2000-01-01')",
  "SELECT main.now()",
  "SELECT random()",
  "SELECT id FROM orders ORDER BY random()",
  "SELECT sum(total) OVER (ORDER BY random()) FROM orders",
  "SELECT uuid()",
  "SELECT gen_random_uuid()",
  "SELECT txid_current()",
  "SELECT sleep_ms(100000)",
  "SELECT pg_sleep(100)",
  "SELECT * FROM orders TABLESAMPLE 10%",
  "SELECT * FROM orders USING SAMPLE 2 ROWS",
  "SELECT * FROM orders WHERE id = ?",
  "SELECT * FROM orders WHERE id = $id",
];

/** Not refused by name: DuckDB itself must say no, cheaply, and go on. */
const FAILS_CLEANLY: readonly string[] = [
  "SELECT repeat('x', 3000000000)",
  "SELECT length(repeat('x', 3000000000))",
  "SELECT range(1000000000)",
  "SELECT list(repeat('y', 100000)) FROM range(100000)",
  "SELECT string_agg(repeat('y', 1000000), '') FROM range(100000)",
  "SELECT repeat('x', 100000000) FROM range(1000)",
  "SELECT error('boom')",
  "SELECT * FROM orders AT (VERSION => 1)",
  "SELECT no_such_function(1)",
  "SELECT no_such_column FROM orders",
  "SELECT 'x'::INT",
  "SELEC 1",
  "SELECT 'a\0b'",
  "SELECT 1 \0; COPY orders TO 'OUT/x.csv'",
  "WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x",
];

describe("the query child", () => {
  let context: QueryContext & { folder: string };
  let outside: string;
  let before: string[];
  const pool = createQueryPool({ max_children: 1 });
  const inOutside = (sql: string) => sql.replaceAll("OUT", outside);
  const listing = () => [outside, context.folder].flatMap((folder) => listFolder(folder));

  beforeAll(async () => {
    process.env.DAW_EVAL_CANARY = SECRET;
    outside = await mkdtemp(path.join(tmpdir(), "daw-outside-"));
    await writeFile(path.join(outside, "gold.csv"), `a\n${SECRET}\n`);
    await writeFile(path.join(outside, "gold.json"), `[{"a":"${SECRET}"}]`);
    await contextOf("other", [`CREATE TABLE t AS SELECT '${SECRET}' AS a`, `COPY t TO '${outside}/gold.parquet'`]);
    context = await contextOf("0123456789abcdef", [
      "CREATE TABLE orders AS SELECT * FROM (VALUES (1, 'ann', 2.5), (2, 'bob', 4.0)) t(id, customer, total)",
      "CREATE TABLE hidden AS SELECT 'not in the catalog' AS a",
    ]);
    const tables = context.catalog.tables.filter(({ name }) => name !== "hidden");
    context = { ...context, catalog: { ...context.catalog, tables } };
    before = listing();
  });
  afterAll(async () => {
    delete process.env.DAW_EVAL_CANARY;
    await pool.close();
  });

  const answers = async (sql: string) => {
    const answer = await pool.worker(context).query(inOutside(sql), LIMITS);
    const after = await pool.worker(context).query("SELECT count(*) FROM orders", LIMITS);
    expect(after).toMatchObject({ ok: true, table: { rows: [["2"]] } });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    return answer;
  };

  it.each(NOT_SELECT)("refuses what is not one SELECT, and says so: %s", async (sql) => {
    const answer = await answers(sql);
    expect(answer).toMatchObject({ ok: false, error: { code: "refused" } });
    expect(JSON.stringify(answer)).toMatch(/one SELECT|values listed/);
  });

  it.each(NOT_ALLOWED_INSIDE)("refuses a part of a SELECT, and names it: %s", async (sql) => {
    const answer = await answers(sql);
    expect(answer).toMatchObject({ ok: false, error: { code: "refused" } });
    expect(JSON.stringify(answer)).toMatch(/refused|there is no table/);
  });

  it.each(FAILS_CLEANLY)("comes through with an error: %s", async (sql) => {
    expect(await answers(sql)).toMatchObject({ ok: false, error: { code: "sql-error" } });
  });

  it("comes through with deep and long statements", async () => {
    const deep = `SELECT ${"(".repeat(5000)}1${")".repeat(5000)}`;
    const deeper = `SELECT ${"abs(".repeat(5000)}1${")".repeat(5000)}`;
    const chain = `SELECT ${"1 + ".repeat(20_000)}1`;
    const listed = (length: number) =>
      `SELECT count(*) FROM orders WHERE id IN (${Array.from({ length }, (_, i) => i).join(",")})`;
    const unions = `SELECT count(*) FROM (${Array.from({ length: 300 }, (_, i) => `SELECT ${i}`).join(" UNION ALL ")})`;
    expect(await answers(deep)).toMatchObject({ ok: true, table: { rows: [["1"]] } });
    expect(await answers(deeper)).toMatchObject({ ok: false, error: { code: "sql-error" } });
    expect(await answers(chain)).toMatchObject({ ok: false, error: { code: "sql-error" } });
    expect(await answers(listed(50_000))).toMatchObject({ ok: true, table: { rows: [["2"]] } });
    // Its syntax tree alone can fill the child's memory: an answer or an error in words, and the next query is answered.
    const most = await answers(listed(200_000));
    if (most.ok) expect(most.table.rows).toEqual([["2"]]);
    else expect(["sql-error", "worker-lost"]).toContain(most.error.code);
    expect(await answers(unions)).toMatchObject({ ok: true, table: { rows: [["300"]] } });
  });

  it("says which tables there are when a table is unknown", async () => {
    expect(await answers("SELECT * FROM clients")).toMatchObject({
      ok: false,
      error: { code: "refused", message: 'there is no table "clients" here; the tables are: "orders"' },
    });
  });

  it("stops what does not end, and goes on", async () => {
    const endless = [
      "SELECT count(*) FROM range(1000000000) a, range(1000000000) b",
      "SELECT count(*) FROM range(10000000000000) t(a) WHERE a % 7 = 8",
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT a.n + 1 FROM r a, range(2)) SELECT max(n) FROM r",
      // One call of one scalar function: DuckDB cannot interrupt it, so that the child is killed.
      "SELECT lpad('', 2000000000, 'x')",
      "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000))",
    ];
    for (const sql of endless) {
      const answer = await pool.worker(context).query(sql, { max_rows: 10, timeout_ms: 300 });
      expect(answer, sql).toMatchObject({ ok: false, error: { code: "timeout" } });
      expect(JSON.stringify(answer)).toContain("longer than 0.3 s");
      expect(await pool.worker(context).query("SELECT 1", LIMITS)).toMatchObject({ ok: true });
    }
  });

  it("has written nothing anywhere after all of this", async () => {
    expect(listing()).toEqual(before);
  });
});

describe("the locks inside DuckDB, without the gate before them", () => {
  let db: DuckDBInstance;
  let outside: string;
  let folder: string;
  let before: string[];
  const listing = () => [outside, folder].flatMap((one) => listFolder(one));

  beforeAll(async () => {
    const context = await contextOf("locked", [
      "CREATE TABLE orders AS SELECT 1 AS id, 'ann' AS customer, 2.5 AS total",
    ]);
    folder = context.folder;
    outside = await mkdtemp(path.join(tmpdir(), "daw-outside-"));
    await writeFile(path.join(outside, "gold.csv"), `a\n${SECRET}\n`);
    db = await openLocked(context.database);
    before = listing();
  });

  it("let nothing be read or written outside, nor settings be changed", async () => {
    const tries = [...NOT_SELECT, ...NOT_ALLOWED_INSIDE]
      // These do no harm, or keep the connection busy.
      .filter((sql) => !/sleep|^(BEGIN|COMMIT|ROLLBACK)|enable_logging/i.test(sql))
      .map((sql) => sql.replaceAll("OUT", outside));
    for (const sql of tries) {
      const connection = await db.connect();
      const rows = await connection
        .runAndReadAll(sql)
        .then((reader) => JSON.stringify(reader.getRowsJson()))
        .catch((error: unknown) => String(error));
      expect(rows, sql).not.toContain(SECRET);
      connection.closeSync();
    }
    const settings = await (await db.connect()).runAndReadAll(
      "SELECT current_setting('threads'), current_setting('enable_external_access'), current_setting('lock_configuration')",
    );
    expect(settings.getRowsJson()).toEqual([["1", false, true]]);
    expect(listing()).toEqual(before);
  });
});

function listFolder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((file) => `${file} ${statSync(path.join(folder, file)).size} ${statSync(path.join(folder, file)).mtimeMs}`);
}
