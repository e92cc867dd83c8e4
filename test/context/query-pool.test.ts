import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxCapabilities, sandboxCapabilities } from "../../src/context/query-capabilities.js";
import { createQueryPool, type QueryContext, type QueryPool } from "../../src/context/query-pool.js";
import type { QueryResult } from "../../src/core/ports/query-worker.js";
import { contextOf, hasProc, queryChildren, readProc } from "./query-fixture.js";

const LIMITS = { max_rows: 1000, timeout_ms: 30_000 };
const SLOW = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b";
const UNLOCKED: SandboxCapabilities = { prlimit: null, bwrap: null, reasons: [] };

let shop: QueryContext & { folder: string };
let school: QueryContext & { folder: string };

beforeAll(async () => {
  shop = await contextOf("5409aaaaaaaaaaaa", [
    'CREATE TABLE "订单 明细" AS SELECT range AS "编号", \'客户\' || range % 7 AS "客""户", range / 3 AS 金额 FROM range(5000)',
    'CREATE TABLE "se""lect" AS SELECT 1 AS "from"',
  ]);
  school = await contextOf("5c400000bbbbbbbb", [
    "CREATE TABLE marks AS SELECT range AS id, hash(range) % 100 AS mark, (hash(range) % 1000) / 7.0 AS share FROM range(200000)",
  ]);
});

function rowsOf(result: QueryResult): readonly (readonly (string | null)[])[] {
  if (!result.ok) throw new Error(result.error.message);
  return result.table.rows;
}

describe("a query worker", () => {
  const pool = createQueryPool({ max_children: 2 });
  afterAll(() => pool.close());
  const ask = (sql: string, limits = LIMITS) => pool.worker(shop).query(sql, limits);

  it("reads tables and columns of any name", async () => {
    expect(await ask('SELECT "编号", "客""户", 金额 FROM "订单 明细" WHERE "编号" IN (1, 6) ORDER BY 1')).toEqual({
      ok: true,
      table: {
        columns: ["编号", '客"户', "金额"],
        types: ["BIGINT", "VARCHAR", "DOUBLE"],
        rows: [
          ["1", "客户1", "0.3333333333333333"],
          ["6", "客户6", "2"],
        ],
      },
      truncated: false,
      ms: expect.any(Number),
    });
    expect(rowsOf(await ask('FROM "se""lect"'))).toEqual([["1"]]);
    expect(rowsOf(await ask('SELECT count(*) FROM main."SE""LECT"'))).toEqual([["1"]]);
  });

  it.each([
    ["NULL", null],
    ["true", "true"],
    ["1 = 2", "false"],
    ["9223372036854775807", "9223372036854775807"],
    ["-170141183460469231731687303715884105727::HUGEINT", "-170141183460469231731687303715884105727"],
    ["12345678901234567890.12::DECIMAL(38,2)", "12345678901234567890.12"],
    ["1.50::DECIMAL(5,2)", "1.50"],
    ["-0.05::DECIMAL(5,2)", "-0.05"],
    ["0.1::DOUBLE + 0.2::DOUBLE", "0.30000000000000004"],
    ["1e21::DOUBLE", "1e+21"],
    ["2::DOUBLE", "2"],
    ["0.1::FLOAT", "0.1"],
    ["16777217::FLOAT", "16777216"],
    ["'inf'::DOUBLE", "inf"],
    ["'-inf'::DOUBLE", "-inf"],
    ["'nan'::DOUBLE", "nan"],
    ["DATE '2024-02-29'", "2024-02-29"],
    ["DATE '0044-03-15 (BC)'", "0044-03-15 (BC)"],
    ["'infinity'::DATE", "infinity"],
    ["TIMESTAMP '2024-02-29 01:02:03'", "2024-02-29 01:02:03"],
    ["TIMESTAMP '2024-02-29 01:02:03.5'", "2024-02-29 01:02:03.500"],
    ["TIMESTAMP '2024-02-29 01:02:03.000120'", "2024-02-29 01:02:03.000120"],
    ["TIMESTAMP '1969-12-31 23:59:59.999'", "1969-12-31 23:59:59.999"],
    ["TIMESTAMPTZ '2024-02-29 01:02:03+08'", "2024-02-28 17:02:03+00"],
    ["'-infinity'::TIMESTAMPTZ", "-infinity"],
    ["TIME '10:20:30'", "10:20:30"],
    ["INTERVAL '1 month 2 days 3 hours'", "1 month 2 days 03:00:00"],
    ["'\\xDE\\xAD'::BLOB", "dead"],
    ["'101'::BIT", "101"],
    ["'00000000-0000-0000-0000-00000000000a'::UUID", "00000000-0000-0000-0000-00000000000a"],
    ["'x'::ENUM('x', 'y')", "x"],
    ["[1, NULL, 9007199254740993]", "[1,null,9007199254740993]"],
    ["['a\"b', '中']", '["a\\"b","中"]'],
    ["[0.1::FLOAT, 'nan'::FLOAT]", '[0.1,"nan"]'],
    ["{'a': 1.50, 'b': DATE '2024-01-01', 'c': [true]}", '{"a":1.50,"b":"2024-01-01","c":[true]}'],
    ["MAP {'k': 1, 'l': NULL}", '{"k":1,"l":null}'],
    ["MAP {DATE '2024-01-01': 'x'}", '{"2024-01-01":"x"}'],
    ["array_value(1, 2)", "[1,2]"],
    ["union_value(k := 7)", "7"],
    ["[union_value(k := '7')]", '["7"]'],
    ["'{\"a\": [1, 2]}'::JSON", '{"a": [1, 2]}'],
    ["''", ""],
    ["'line\nbreak'", "line\nbreak"],
  ])("gives the text that a CSV should hold: %s", async (expression, text) => {
    expect(rowsOf(await ask(`SELECT ${expression}`))).toEqual([[text]]);
  });

  it("keeps every double, integer, decimal and text exact", async () => {
    const literal = (value: string) => `'${value.replaceAll("'", "''")}'`;
    const text = fc.string({ unit: "grapheme", maxLength: 30 }).filter((value) => !value.includes("\0"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            double: fc.double({ noNaN: true, noDefaultInfinity: true }),
            integer: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
            text,
          }),
          {
            minLength: 1,
            maxLength: 50,
          },
        ),
        async (records) => {
          const values = records.map(
            (record) => `('${record.double}'::DOUBLE, '${record.integer}'::BIGINT, ${literal(record.text)})`,
          );
          const rows = rowsOf(await ask(`SELECT * FROM (VALUES ${values.join(", ")}) t`));
          expect(rows.map(([double, integer, string]) => [Number(double), integer, string])).toEqual(
            records.map((record) => [record.double + 0, String(record.integer), record.text]),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("says that there is more only if there is", async () => {
    const all = await ask("SELECT * FROM range(1000)");
    const more = await ask("SELECT * FROM range(1001)");
    const none = await ask("SELECT * FROM range(5)", { ...LIMITS, max_rows: 0 });
    expect(all).toMatchObject({ ok: true, truncated: false });
    expect(more).toMatchObject({ ok: true, truncated: true });
    expect(rowsOf(all)).toEqual(rowsOf(more));
    expect(none).toMatchObject({
      ok: true,
      truncated: true,
      table: { columns: ["range"], types: ["BIGINT"], rows: [] },
    });
    expect(await ask("SELECT 1 AS a WHERE false")).toMatchObject({
      ok: true,
      truncated: false,
      table: { columns: ["a"], rows: [] },
    });
  });

  it("stops reading at the cap, however much would follow", async () => {
    const result = await ask("SELECT a.range, b.range FROM range(10000000) a, range(10000000) b", {
      ...LIMITS,
      max_rows: 10,
    });
    expect(rowsOf(result)).toHaveLength(10);
  });

  it("brings a million rows and cells of many megabytes through", async () => {
    const many = await ask("SELECT range, 'row ' || range FROM range(1000000)", {
      max_rows: 2_000_000,
      timeout_ms: 60_000,
    });
    expect(rowsOf(many)).toHaveLength(1_000_000);
    expect(rowsOf(many).at(-1)).toEqual(["999999", "row 999999"]);
    const large = rowsOf(await ask("SELECT repeat('中', 7000000), repeat('x', 70000) FROM range(3)"));
    expect(large.map((row) => row.map((cell) => cell?.length))).toEqual(Array(3).fill([7_000_000, 70_000]));
  });

  it("gives the syntax tree of one SELECT, unbound", async () => {
    const worker = pool.worker(shop);
    const parsed = await worker.parse("SELECT a FROM nowhere WHERE b = 'x'");
    expect(parsed).toMatchObject({ ok: true, tree: { type: "SELECT_NODE", from_table: { table_name: "nowhere" } } });
    expect(await worker.parse("DROP TABLE x")).toMatchObject({ ok: false, error: { code: "refused" } });
    expect(await worker.parse("SELEC")).toMatchObject({ ok: false, error: { code: "sql-error" } });
  });

  it("allows what analysis needs", async () => {
    const worker = pool.worker(school);
    const allowed = [
      "WITH a AS (SELECT * FROM marks), b AS MATERIALIZED (SELECT id FROM a) SELECT count(*) FROM a JOIN b USING (id)",
      "WITH marks AS (SELECT * FROM marks WHERE id < 5) SELECT count(*) FROM marks",
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT sum(n) FROM r",
      "SELECT id, rank() OVER (PARTITION BY mark ORDER BY share DESC) FROM marks QUALIFY row_number() OVER (ORDER BY id) <= 3",
      "SELECT mark, count(*) FROM marks GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL",
      "SELECT list_transform([1, 2], lambda x: x + 1), list_filter([1, 2], x -> x > 1)",
      "SELECT * FROM (SELECT id % 2 AS odd, mark FROM marks) PIVOT (sum(mark) FOR odd IN (0, 1))",
      "UNPIVOT (SELECT id, mark FROM marks LIMIT 2) ON id, mark",
      "SELECT unnest([1, 2]), generate_series FROM generate_series(1, 2)",
      "FROM marks SELECT max(id), arg_max(id, share), median(mark), quantile_cont(share, 0.5), mode(mark)",
      "SELECT * EXCLUDE (id) REPLACE (mark + 1 AS mark) FROM marks LIMIT 1",
      "SELECT COLUMNS('s.*') FROM marks LIMIT 1",
      "SELECT id FROM marks UNION SELECT 1 EXCEPT SELECT 2 ORDER BY 1 LIMIT 2 OFFSET 1",
      "SELECT CASE WHEN mark BETWEEN 1 AND 5 THEN 'low' ELSE 'high' END, mark IN (1, 2), id::VARCHAR COLLATE NOCASE FROM marks LIMIT 1",
      "SELECT age(DATE '2024-01-01', DATE '2000-01-01'), date_trunc('month', DATE '2024-05-05'), strftime(DATE '2024-05-05', '%Y')",
      "SELECT m.id FROM marks m, LATERAL (SELECT m.id + 1 AS next) n WHERE EXISTS (SELECT 1 FROM marks o WHERE o.id = n.next) LIMIT 1",
      "SELECT * FROM marks a ASOF JOIN marks b ON a.id >= b.id LIMIT 1",
      "SELECT key, value FROM json_each('{\"a\": 1}')",
      "SELECT count(*) FROM marks TABLESAMPLE reservoir(5 ROWS) REPEATABLE (1)",
      "VALUES (1, 'a'), (2, 'b')",
      "TABLE marks LIMIT 1",
      "(SELECT 1);",
      "SELECT try_cast('x' AS INTEGER), regexp_extract('a1', '[0-9]'), 'a' LIKE 'A%', 'a' ILIKE 'A%'",
      "SELECT count(*) FILTER (WHERE mark > 50), string_agg(DISTINCT mark::VARCHAR, ',' ORDER BY mark::VARCHAR) FROM marks",
      "SELECT DISTINCT ON (mark) id FROM marks ORDER BY mark, id LIMIT 2",
      "SELECT GROUPING(mark), count(*) FROM marks GROUP BY ROLLUP (mark) ORDER BY ALL LIMIT 2",
    ];
    for (const sql of allowed) {
      expect(await worker.query(sql, LIMITS), sql).toMatchObject({ ok: true });
    }
  });

  it("lets a column be called like the clock when a table has one", async () => {
    const context = await contextOf("c10c", ["CREATE TABLE days AS SELECT 'monday' AS current_date"]);
    expect(rowsOf(await pool.worker(context).query("SELECT current_date FROM days", LIMITS))).toEqual([["monday"]]);
  });
});

describe("equal SQL", () => {
  it("gives equal rows in equal order, in every child and under every lock", async () => {
    const queries = [
      "SELECT mark, count(*), sum(share), avg(share), stddev(share) FROM marks GROUP BY mark",
      "SELECT mark, list(id)[:5], first(id), any_value(share), string_agg(id::VARCHAR)[:50] FROM marks GROUP BY mark",
      "SELECT DISTINCT mark FROM marks",
      "SELECT a.id, b.id FROM marks a JOIN marks b ON a.mark = b.id WHERE a.id < 500",
      "SELECT mark FROM marks UNION SELECT id % 300 FROM marks",
      "SELECT id, row_number() OVER (ORDER BY mark), sum(share) OVER (PARTITION BY mark) FROM marks LIMIT 300",
      "SELECT id FROM marks ORDER BY mark LIMIT 200",
      "SELECT approx_count_distinct(id), approx_quantile(share, 0.3), reservoir_quantile(share, 0.5), mode(mark), median(share) FROM marks",
      "SELECT * FROM marks TABLESAMPLE reservoir(50 ROWS) REPEATABLE (7)",
      "SELECT * FROM marks TABLESAMPLE bernoulli(0.1%) REPEATABLE (7)",
      "SELECT * FROM marks USING SAMPLE 20% (system, 7)",
      "SELECT TIMESTAMPTZ '2024-01-01 00:00:00+02', strftime(TIMESTAMPTZ '2024-01-01 00:00:00+02', '%H'), '2024-01-01'::TIMESTAMPTZ",
    ];
    const answers: QueryResult[][] = [];
    for (const capabilities of [await sandboxCapabilities(), UNLOCKED]) {
      const pool = createQueryPool({ max_children: 1, capabilities });
      for (let repeat = 0; repeat < 2; repeat++) {
        const results: QueryResult[] = [];
        for (const sql of queries) results.push(await pool.worker(school).query(sql, LIMITS));
        answers.push(results);
      }
      await pool.close();
    }
    const [first, ...others] = answers.map((results) => results.map(rowsOf));
    expect(first?.every((rows) => rows.length > 0)).toBe(true);
    for (const other of others) expect(other).toEqual(first);
  });
});

describe("memory", () => {
  it("is no matter of what was asked before", async () => {
    const pool = createQueryPool({ max_children: 1 });
    const worker = pool.worker(school);
    const sort = "SELECT max(v) FROM (SELECT row_number() OVER (ORDER BY hash(range)) AS v FROM range(3000000))";
    const hungry = [
      "SELECT list(repeat('y', 100000)) FROM range(100000)",
      "SELECT string_agg(repeat('y', 1000000), '') FROM range(100000)",
    ];
    for (const sql of hungry) {
      expect(rowsOf(await worker.query(sort, LIMITS))).toEqual([["3000000"]]);
      const answer = await worker.query(sql, LIMITS);
      expect(answer).toMatchObject({ ok: false, error: { code: "sql-error" } });
      expect(JSON.stringify(answer)).toContain("Out of Memory Error");
    }
    expect(rowsOf(await worker.query(sort, LIMITS))).toEqual([["3000000"]]);
    await pool.close();
  });
});

describe("an answer", () => {
  it("has a bound for all its text together", async () => {
    const pool = createQueryPool({ max_children: 1 });
    const answer = await pool.worker(shop).query("SELECT repeat('x', 1000000) FROM range(300)", LIMITS);
    expect(answer).toMatchObject({
      ok: false,
      error: {
        code: "sql-error",
        message: expect.stringMatching(/^Result too large: more than 256 million characters after 268 rows/),
      },
    });
    await pool.close();
  });
});

describe("a query pool", () => {
  let pool: QueryPool;
  const open = (max: number) => {
    pool = createQueryPool({ max_children: max });
    return pool;
  };

  it("rejects at once when the signal is aborted before, during or while waiting, and goes on", async () => {
    const worker = open(1).worker(shop);
    const reason = new Error("time is up");
    await expect(worker.query("SELECT 1", { ...LIMITS, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const during = new AbortController();
    const waiting = new AbortController();
    const running = worker.query(SLOW, { ...LIMITS, signal: during.signal });
    const queued = worker.query("SELECT 2", { ...LIMITS, signal: waiting.signal });
    const behind = worker.query("SELECT 3", LIMITS);
    waiting.abort(reason);
    await expect(queued).rejects.toBe(reason);
    setTimeout(() => during.abort(reason), 500);
    await expect(running).rejects.toBe(reason);
    expect(rowsOf(await behind)).toEqual([["3"]]);
    await pool.close();
  });

  it("serves many calls of many contexts with few children, in the order of asking", async () => {
    open(2);
    const order: number[] = [];
    const calls = Array.from({ length: 24 }, async (_, call) => {
      const context = call % 3 === 0 ? shop : school;
      const rows = rowsOf(await pool.worker(context).query(`SELECT ${call}`, LIMITS));
      if (hasProc) expect(queryChildren().length).toBeLessThanOrEqual(2);
      order.push(Number(rows[0]?.[0]));
    });
    await Promise.all(calls);
    expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, call) => call));
    await pool.close();
  });

  it("tells who waits for a child that others use, and when that ends", async () => {
    open(1);
    const told: string[] = [];
    const asked = async (name: string) =>
      pool.worker(shop, (began) => told.push(`${name} ${began ? "waits" : "goes on"}`)).query("SELECT 1", LIMITS);
    await Promise.all([asked("first"), asked("second")]);
    await asked("third");
    expect(told).toEqual(["second waits", "second goes on"]);
    await pool.close();
  });

  it("closes with all children gone, and ends what was in flight", async () => {
    const worker = open(1).worker(shop);
    await worker.query("SELECT 1", LIMITS);
    const running = worker.query(SLOW, LIMITS);
    const waiting = expect(worker.query("SELECT 2", LIMITS)).rejects.toThrow("closed");
    await new Promise((resolve) => setTimeout(resolve, 200));
    await pool.close();
    expect(await running).toMatchObject({ ok: false, error: { code: "worker-lost" } });
    await waiting;
    await expect(worker.query("SELECT 3", LIMITS)).rejects.toThrow("closed");
    if (hasProc) expect(queryChildren()).toEqual([]);
  });

  it("can be closed while a child is being started, and before any was", async () => {
    const starting = expect(open(1).worker(shop).query("SELECT 1", LIMITS)).rejects.toThrow("closed");
    await pool.close();
    await starting;
    if (hasProc) expect(queryChildren()).toEqual([]);
    await open(1).close();
  });

  it("runs no query in a child that was started while the pool closed", async () => {
    pool = createQueryPool({ max_children: 1, capabilities: UNLOCKED });
    const slow = expect(pool.worker(shop).query(SLOW, LIMITS)).rejects.toThrow("closed");
    // Until the child is there but has not opened its database yet.
    if (hasProc) while (queryChildren().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await pool.close();
    await slow;
    if (hasProc) expect(queryChildren()).toEqual([]);
  });

  it("says that no child can be started when the compiled file is not there", async () => {
    const gone = await contextOf("90e", ["CREATE TABLE t AS SELECT 1 AS a"]);
    await rm(gone.folder, { recursive: true });
    for (const capabilities of [await sandboxCapabilities(), UNLOCKED]) {
      pool = createQueryPool({ max_children: 1, capabilities });
      await expect(pool.worker(gone).query("SELECT 1", LIMITS)).rejects.toMatchObject({ code: "sandbox" });
      expect(rowsOf(await pool.worker(shop).query("SELECT 1", LIMITS))).toEqual([["1"]]);
      await pool.close();
    }
  });

  it.skipIf(!hasProc)(
    "says so when a child is killed in the middle of a query, and starts another for the next call",
    async () => {
      const worker = open(1).worker(shop);
      await worker.query("SELECT 1", LIMITS);
      const [child] = queryChildren();
      const running = worker.query(SLOW, LIMITS);
      process.kill(child ?? 0, "SIGKILL");
      expect(await running).toMatchObject({ ok: false, error: { code: "worker-lost" } });
      expect(rowsOf(await worker.query("SELECT 1", LIMITS))).toEqual([["1"]]);
      for (const pid of queryChildren()) process.kill(pid, "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(rowsOf(await worker.query("SELECT 2", LIMITS))).toEqual([["2"]]);
      await pool.close();
    },
  );

  it.skipIf(!hasProc)(
    "starts no child before the first call, keeps one for the next, and gives it no environment",
    async () => {
      process.env.DAW_EVAL_CANARY = "canary-secret-7352";
      const worker = open(2).worker(shop);
      expect(queryChildren()).toEqual([]);
      await worker.query("SELECT 1", LIMITS);
      const children = queryChildren();
      await worker.query("SELECT 2", LIMITS);
      expect(queryChildren()).toEqual(children);
      expect(children).toHaveLength(1);
      for (const pid of children) expect(readProc(pid, "environ")).not.toContain("canary");
      await pool.close();
      delete process.env.DAW_EVAL_CANARY;
    },
  );
});

describe.skipIf(!hasProc)("a process with a query pool", () => {
  const script = (capabilities: SandboxCapabilities | undefined, then: string) => `
    import { createQueryPool } from ${JSON.stringify(new URL("../../dist/context/query-pool.js", import.meta.url))};
    const pool = createQueryPool(${JSON.stringify({ max_children: 1, capabilities })});
    const worker = pool.worker(${JSON.stringify({ ...shop, catalog: { ...shop.catalog, tables: [] } })});
    console.log(JSON.stringify(await worker.query("SELECT 1", { max_rows: 1, timeout_ms: 30000 })));
    ${then}`;
  const run = (code: string) =>
    spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: ["ignore", "pipe", "inherit"] });

  it("ends by itself once the pool is closed", async () => {
    const owner = run(script(undefined, "await pool.close();"));
    const [code] = await once(owner, "exit");
    expect(code).toBe(0);
  });

  it.each([
    ["all locks", undefined],
    ["no outer locks", UNLOCKED],
  ])("takes its children along when it is killed, with %s", async (_, locks) => {
    const owner = run(
      script(locks, `await worker.query(${JSON.stringify(SLOW)}, { max_rows: 1, timeout_ms: 300000 });`),
    );
    await once(owner.stdout, "data");
    const children = queryChildren();
    expect(children.length).toBeGreaterThan(0);
    // So that the endless query is running by now.
    await new Promise((resolve) => setTimeout(resolve, 500));
    owner.kill("SIGKILL");
    while (children.some((pid) => /query-child/.test(readProc(pid, "cmdline")))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe("what the machine offers", () => {
  it("is used or explained", async () => {
    const { prlimit, bwrap, reasons } = await sandboxCapabilities();
    expect(reasons).toHaveLength([prlimit, bwrap].filter((tool) => tool === null).length);
    for (const reason of reasons) expect(reason).toMatch(/^(prlimit|bwrap) (is not installed|does not work here): /);
  });
});
