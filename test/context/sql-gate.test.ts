import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { oneSelect, refusalOf } from "../../src/context/sql-gate.js";
import { TABLE_FUNCTIONS } from "../../src/context/sql-gate-lists.js";

const TABLES = [{ name: "Orders", columns: ["id", "total"] }];

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
});

async function refusal(sql: string): Promise<string | null> {
  const reader = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  const select = oneSelect(JSON.parse(String(reader.value(0, 0))), sql);
  return select.ok ? refusalOf(select.tree, TABLES) : select.message;
}

async function names(sql: string): Promise<string[]> {
  return (await connection.runAndReadAll(sql)).getRowsJson().map(([name]) => String(name));
}

describe("the SQL gate", () => {
  it("refuses every table function of this engine but those on its list", async () => {
    const all = await names(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro') ORDER BY 1",
    );
    expect(all.length).toBeGreaterThan(60);
    for (const name of all.filter((one) => !TABLE_FUNCTIONS.includes(one))) {
      expect(await refusal(`SELECT * FROM ${name}('x')`), name).toContain(`${name}() is refused`);
      expect(await refusal(`SELECT * FROM system.main.${name.toUpperCase()}('x')`), name).toContain("is refused");
    }
    for (const name of TABLE_FUNCTIONS) expect(await refusal(`SELECT * FROM ${name}('x')`), name).toBeNull();
  });

  it("refuses every function of this engine that is not a function of its arguments", async () => {
    // `error` ends the query; the others are constants of a compiled context.
    const harmless = ["error", "current_database", "current_schema", "current_schemas", "in_search_path"];
    const changing = await names(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'scalar' AND stability != 'CONSISTENT' ORDER BY 1",
    );
    expect(changing).toContain("random");
    for (const name of changing.filter((one) => !harmless.includes(one))) {
      expect(await refusal(`SELECT "${name}"(1)`), name).toContain(`${name}() is refused`);
    }
  });

  it("sees a CTE where SQL does: after it, inside the statement it belongs to, in itself only when recursive", async () => {
    const accepted = [
      "WITH a AS (SELECT 1), b AS (FROM a) SELECT * FROM b, a",
      "WITH a AS (SELECT 1) SELECT (SELECT count(*) FROM a), EXISTS (FROM A) FROM Orders",
      "WITH a AS (SELECT 1) SELECT * FROM a UNION SELECT * FROM a",
      "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 3) FROM a",
      "WITH a AS (WITH b AS (SELECT 1) FROM b) FROM a",
      "WITH orders AS (SELECT * FROM orders) FROM orders",
      'WITH "a.csv" AS (SELECT 1) FROM "A.CSV"',
    ];
    for (const sql of accepted) expect(await refusal(sql), sql).toBeNull();
    const refused = [
      "WITH a AS (FROM b), b AS (SELECT 1) FROM a",
      "WITH a AS (FROM a) FROM a",
      "WITH a AS (WITH b AS (SELECT 1) FROM b) FROM b",
      "SELECT * FROM (WITH b AS (SELECT 1) FROM b), b",
      "WITH a AS (SELECT 1) FROM main.a",
      "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n FROM b), b AS (SELECT 1) FROM a",
    ];
    for (const sql of refused) expect(await refusal(sql), sql).toContain("there is no table");
  });

  it("names what it refuses in words that help", async () => {
    expect(await refusal("COPY Orders TO 'x'")).toMatch(/^COPY is refused: only one SELECT/);
    expect(await refusal("-- note\n /* x */ drop table Orders")).toMatch(/^DROP is refused/);
    expect(await refusal("SELECT 1; SELECT 2")).toBe("one SELECT at a time: this text has 2 statements");
    expect(await refusal("PIVOT Orders ON id")).toContain("IN ('a', 'b')");
    expect(await refusal("FROM 'x.csv'")).toContain('files cannot be read, only the tables of this context: "Orders"');
    expect(await refusal("FROM read_csv('x')")).toContain("files cannot be read");
    expect(await refusal("FROM customers")).toBe('there is no table "customers" here; the tables are: "Orders"');
    expect(await refusal("FROM data.main.Orders")).toContain('write the table\'s name alone, "Orders"');
    expect(await refusal("SELECT now()")).toContain("write the date or time as a literal");
    expect(await refusal("SELECT * FROM Orders ORDER BY random()")).toContain("hash(column)");
    expect(await refusal("SUMMARIZE Orders")).toContain("get_table_profile");
    expect(await refusal("FROM Orders TABLESAMPLE 10%")).toContain("REPEATABLE");
  });

  it("refuses parts of a tree that it does not know", () => {
    const select = { type: "SELECT_NODE", cte_map: { map: [] }, sample: null };
    const table = { alias: "", sample: null };
    expect(refusalOf({ ...select, from_table: { ...table, type: "EMPTY" } }, TABLES)).toBeNull();
    expect(refusalOf({ ...select, from_table: { ...table, type: "REMOTE_REF" } }, TABLES)).toContain("REMOTE_REF");
    expect(refusalOf({ ...select, select_list: [{ class: "SHELL", type: "SHELL" }] }, TABLES)).toContain("SHELL");
    expect(refusalOf({ ...select, type: "UPDATE_NODE" }, TABLES)).toContain("UPDATE_NODE");
  });

  it("reads any JSON, of any depth and size, without failing", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void refusalOf(value, TABLES)));
    let deep: unknown = { class: "PARAMETER" };
    for (let depth = 0; depth < 200_000; depth++) deep = { child: deep };
    expect(refusalOf(deep, TABLES)).toContain("parameters");
    expect(
      refusalOf(
        Array.from({ length: 500_000 }, () => ({ class: "CONSTANT" })),
        TABLES,
      ),
    ).toBeNull();
  });
});
