import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { domainSource } from "../../../src/context/connections/domain-source.js";
import type { DomainQuery } from "../../../src/core/ports/domain-query.js";
import { folderWith } from "../../support/folder.js";

const ROWS = "('苏州二部', 1), ('大连战区', 2), ('苏州二部', 3), (NULL, 4)";

function sqlite(timeout_ms = 20_000): { readonly file: string; readonly query: DomainQuery } {
  const file = path.join(folderWith(), "ledger.db");
  const database = new Database(file);
  database.exec(`CREATE TABLE deposits (dept TEXT, n INTEGER); INSERT INTO deposits VALUES ${ROWS}`);
  database.close();
  return { file, query: source("sqlite", file, timeout_ms) };
}

async function duckdb(timeout_ms = 20_000): Promise<{ readonly file: string; readonly query: DomainQuery }> {
  const file = path.join(folderWith(), "ledger.duckdb");
  const database = await DuckDBInstance.create(file);
  const connection = await database.connect();
  await connection.run(`CREATE TABLE deposits (dept VARCHAR, n INTEGER)`);
  await connection.run(`INSERT INTO deposits VALUES ${ROWS}`);
  connection.closeSync();
  database.closeSync();
  return { file, query: source("duckdb", file, timeout_ms) };
}

const source = (type: "sqlite" | "duckdb", file: string, timeout_ms: number): DomainQuery =>
  domainSource({ connections: new Map([["ledger", { type, path: file }]]), context: null, env: {}, timeout_ms });

const message = async (query: DomainQuery, sql: string) => {
  const reply = await query(sql);
  return reply.ok ? `ok: ${reply.values.join(", ")}` : reply.message;
};

const ENGINES = [
  {
    engine: "SQLite",
    open: async (timeout?: number) => sqlite(timeout),
    numbers: "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 100001) SELECT i FROM r",
    // `OUT` stands for a file that must not come to be.
    escapes: [
      "INSERT INTO deposits VALUES ('x', 1) RETURNING dept",
      "VACUUM INTO 'OUT'",
      "ATTACH DATABASE 'OUT' AS other",
      "SELECT load_extension('/tmp/x')",
      "SELECT readfile('/etc/passwd')",
      "SELECT writefile('OUT', 'x')",
      "PRAGMA journal_mode = WAL",
    ],
  },
  {
    engine: "DuckDB",
    open: duckdb,
    numbers: "SELECT i FROM range(100001) AS r(i)",
    escapes: [
      "ATTACH 'OUT' AS other",
      "COPY deposits TO 'OUT'",
      "EXPLAIN ANALYZE COPY deposits TO 'OUT'",
      "EXPORT DATABASE 'OUT'",
      "SELECT content FROM read_text('/etc/passwd')",
      "SELECT * FROM '/etc/passwd'",
      "SELECT * FROM enable_logging(storage='file', storage_config={'path': 'OUT'})",
      "SELECT getenv('PATH')",
      "SET threads = 4",
      "INSTALL httpfs",
    ],
  },
];

describe.each(ENGINES)("a $engine file", ({ open, numbers, escapes }) => {
  it("gives the distinct values of one column, nulls left out", async () => {
    const { query } = await open();
    expect(await query("SELECT dept FROM deposits ORDER BY n")).toEqual({ ok: true, values: ["苏州二部", "大连战区"] });
    expect(await query("SELECT n FROM deposits ORDER BY n")).toEqual({ ok: true, values: ["1", "2", "3", "4"] });
  });

  it("must be asked for exactly one column", async () => {
    const { query } = await open();
    expect(await message(query, "SELECT dept, n FROM deposits")).toBe(
      "domain_sql must select one column, not 2 (dept, n)",
    );
  });

  it("says what the database says about bad SQL", async () => {
    const { query } = await open();
    expect(await message(query, "SELECT dept FROM nowhere")).toMatch(/nowhere/);
    expect(await message(query, "SELEC dept")).toMatch(/syntax|SELEC/i);
  });

  it("is never written, nor made to write or read another file", async () => {
    const { file, query } = await open();
    const before = readFileSync(file);
    const out = path.join(path.dirname(file), "out");
    const tries = ["DELETE FROM deposits", "DROP TABLE deposits", "SELECT 1; DROP TABLE deposits", ...escapes];
    const replies = await Promise.all(
      tries.map(async (sql) => ({ sql, reply: await query(sql.replaceAll("OUT", out)) })),
    );
    expect(replies.filter(({ reply }) => reply.ok)).toEqual([]);
    expect(existsSync(out)).toBe(false);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("is let go at the timeout, even by a query that never ends", async () => {
    const { query } = await open(1500);
    const endless = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r";
    expect(await message(query, endless)).toBe("the query ran longer than 1.5 s");
  });

  it("must hold a domain that a person could look at", async () => {
    const { query } = await open();
    expect(await message(query, numbers)).toMatch(/^more than 100000 values/);
  });
});

describe("a file that is no database", () => {
  it("is an error that says so", async () => {
    const folder = folderWith({ "text.db": "this is no database, whatever its name says".repeat(40) });
    const missing = source("sqlite", path.join(folder, "nowhere.db"), 20_000);
    expect(await message(missing, "SELECT 1")).toMatch(/unable to open|does not exist/);
    expect(await message(source("sqlite", path.join(folder, "text.db"), 20_000), "SELECT 1")).toMatch(/not a database/);
    expect(await message(source("duckdb", path.join(folder, "text.db"), 20_000), "SELECT 1")).toMatch(/not a valid/i);
  });
});

describe("values", () => {
  it("of SQLite keep all their digits", async () => {
    const { query } = sqlite();
    const big = "SELECT 9007199254740993 UNION ALL SELECT 1.5 UNION ALL SELECT x'0aff'";
    expect(await query(big)).toEqual({ ok: true, values: ["9007199254740993", "1.5", "0aff"] });
  });

  it("are asked for once, however often a check is scored", async () => {
    const { file, query } = sqlite();
    const first = await query("SELECT dept FROM deposits");
    const database = new Database(file);
    database.exec("INSERT INTO deposits VALUES ('新团队', 5)");
    database.close();
    expect(await query("SELECT dept FROM deposits")).toEqual(first);
  });
});
