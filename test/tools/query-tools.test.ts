import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, callerOf, compiled, csv } from "./tool-fixture.js";

let shop: Caller;

beforeAll(async () => {
  const orders = Array.from({ length: 500 }, (_, index) => [
    index + 1,
    `客户${index % 7}`,
    (index * 37) % 1000,
    index % 5 === 0 ? "" : `状态 "${index % 3}"`,
  ]);
  shop = callerOf(
    await compiled({
      "csv/订单.csv": csv([["订单号", "客户", "金额", '状"态'], ...orders]),
      "csv/customers.csv": csv([
        ["name", "city"],
        ...Array.from({ length: 7 }, (_, index) => [`客户${index}`, index % 2 ? "北京" : "Köln"]),
      ]),
      "knowledge.md": "# Rules\n\nAmounts are in 元.\n",
    }),
  );
});
afterAll(() => shop.pool.close());

describe("list_context", () => {
  it("shows tables, columns, documents and media, and no content", async () => {
    expect(await shop.read("list_context", {})).toEqual({
      tables: [
        {
          name: "customers",
          source: "csv/customers.csv",
          rows: 7,
          columns: [
            { name: "name", type: "VARCHAR" },
            { name: "city", type: "VARCHAR" },
          ],
        },
        {
          name: "订单",
          source: "csv/订单.csv",
          rows: 500,
          columns: [
            { name: "订单号", type: "BIGINT" },
            { name: "客户", type: "VARCHAR" },
            { name: "金额", type: "BIGINT" },
            { name: '状"态', type: "VARCHAR" },
          ],
        },
      ],
      relationships: expect.any(Array),
      documents: [
        { path: "knowledge.md", format: "markdown", lines: 3, characters: expect.any(Number), headings: ["Rules"] },
      ],
      media: [],
      uncertainties: expect.any(Array),
    });
  });
});

describe("search_semantic_catalog", () => {
  it("finds tables, columns, values and headings in one shape", async () => {
    const nothing = { table: null, column: null, value: null, path: null, heading: null, score: expect.any(Number) };
    const matches = (query: string) => shop.read("search_semantic_catalog", { query });
    expect(await matches("customers by city")).toMatchObject({
      matches: expect.arrayContaining([
        { ...nothing, kind: "table", table: "customers" },
        { ...nothing, kind: "column", table: "customers", column: "city" },
      ]),
    });
    expect(await matches("北京的客户有哪些?")).toMatchObject({
      matches: expect.arrayContaining([
        { ...nothing, kind: "value", table: "customers", column: "city", value: "北京" },
        { ...nothing, kind: "column", table: "订单", column: "客户" },
      ]),
    });
    expect(await matches("the rules")).toMatchObject({
      matches: [{ ...nothing, kind: "document", path: "knowledge.md", heading: "Rules" }],
    });
    expect(await matches("!!!")).toEqual({ matches: [], not_searched_in_full: [] });
  });

  it("shows no more than its limit, the best first", async () => {
    const { matches } = JSON.parse(
      (await shop.call("search_semantic_catalog", { query: "客户 1 customers name", limit: 3 })).content,
    );
    expect(matches).toHaveLength(3);
    const scores = matches.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  });
});

describe("get_table_profile", () => {
  it("shows every column's profile and three rows, for a name in any case or in quotes", async () => {
    const profile = await shop.read("get_table_profile", { table: '"订单"' });
    expect(profile).toMatchObject({
      table: "订单",
      source: "csv/订单.csv",
      rows: 500,
      first_rows: {
        columns: ["订单号", "客户", "金额", '状"态'],
        rows: [
          ["1", "客户0", "0", null],
          ["2", "客户1", "37", '状态 "1"'],
          ["3", "客户2", "74", '状态 "2"'],
        ],
      },
    });
    expect(profile).toMatchObject({
      columns: [
        {
          name: "订单号",
          type: "BIGINT",
          nulls: 0,
          distinct: 500,
          min: "1",
          max: "500",
          top_values: expect.any(Array),
        },
        { name: "客户", distinct: 7, top_values: expect.arrayContaining([{ value: "客户0", count: 72 }]) },
        { name: "金额" },
        { name: '状"态' },
      ],
    });
    expect(await shop.read("get_table_profile", { table: "CUSTOMERS" })).toMatchObject({ table: "customers", rows: 7 });
  });

  it("can be seen whole for a wide table with long texts", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `measure_${index}`);
    const rows = Array.from({ length: 30 }, (_, row) =>
      names.map((_, column) => (column === 0 ? "长".repeat(5000) : (row * column) % 11)),
    );
    const wide = callerOf(await compiled({ "csv/wide.csv": csv([names, ...rows]) }));
    const result = await wide.call("get_table_profile", { table: "wide" });
    await wide.pool.close();
    expect(result).toMatchObject({ ok: true, truncated: false });
    const { columns, first_rows } = JSON.parse(result.content);
    expect(columns).toHaveLength(60);
    expect(columns[1].top_values).toHaveLength(2);
    expect(first_rows.rows[0][0]).toBe(`${"长".repeat(200)}… (+4800 characters)`);
  });

  it("names the nearest table for an unknown one", async () => {
    const result = await shop.call("get_table_profile", { table: "costumers" });
    expect(result).toMatchObject({ ok: false, error: "unknown-table", truncated: false });
    expect(JSON.parse(result.content)).toEqual({
      error: "unknown-table",
      message: 'there is no table "costumers"; did you mean "customers"?',
    });
    expect((await shop.call("get_table_profile", { table: "zzzzzzzzzzz" })).content).toContain("there are:");
  });
});

describe("get_field_profile", () => {
  it("adds statistics that fit the type", async () => {
    expect(await shop.read("get_field_profile", { table: "订单", column: "金额" })).toMatchObject({
      table: "订单",
      column: "金额",
      rows: 500,
      type: "BIGINT",
      statistics: {
        mean: expect.any(String),
        stddev: expect.any(String),
        q25: expect.any(String),
        median: expect.any(String),
        q75: expect.any(String),
        zeros: "1",
        negatives: "0",
      },
    });
    expect(await shop.read("get_field_profile", { table: "订单", column: "客户" })).toMatchObject({
      statistics: { shortest: "3", longest: "3", empty: "0" },
    });
  });

  it("finds a column with quotes in its name, and names the nearest for an unknown one", async () => {
    expect(await shop.read("get_field_profile", { table: "订单", column: '状"态' })).toMatchObject({ column: '状"态' });
    const result = await shop.call("get_field_profile", { table: "customers", column: "citty" });
    expect(result).toMatchObject({ ok: false, error: "unknown-column" });
    expect(result.content).toContain('did you mean \\"city\\"?');
  });
});

describe("get_column_distinct_values", () => {
  it("lists values in order, without nulls", async () => {
    expect(await shop.read("get_column_distinct_values", { table: "customers", column: "city" })).toEqual({
      table: "customers",
      column: "city",
      distinct: 2,
      values: ["Köln", "北京"],
      truncated: false,
    });
  });

  it("finds values that contain a text in any case, taken literally", async () => {
    const ask = async (contains: string) =>
      await shop.read("get_column_distinct_values", { table: "customers", column: "city", contains });
    expect(await ask("KÖ")).toMatchObject({ values: ["Köln"], distinct: 1 });
    expect(await ask("%")).toMatchObject({ values: [], distinct: 0 });
    expect(await ask("'; DROP TABLE customers --")).toMatchObject({ values: [], distinct: 0 });
  });

  it("says how many there are when it shows fewer", async () => {
    const result = await shop.call("get_column_distinct_values", { table: "订单", column: "订单号", limit: 3 });
    expect(result).toMatchObject({ ok: true, truncated: true, args: { table: "订单", column: "订单号", limit: 3 } });
    expect(JSON.parse(result.content)).toMatchObject({ distinct: 500, values: ["1", "2", "3"], truncated: true });
    const some = await shop.read("get_column_distinct_values", { table: "订单", column: "订单号", contains: "49" });
    expect(some).toMatchObject({ distinct: 15, truncated: false });
  });
});

describe("get_table_relationships", () => {
  it("shows those of one table or all", async () => {
    const all = { relationships: shop.context.catalog.relationships };
    expect(await shop.read("get_table_relationships", {})).toEqual(all);
    expect(await shop.read("get_table_relationships", { table: null })).toEqual(all);
    expect(await shop.call("get_table_relationships", { table: "x" })).toMatchObject({
      ok: false,
      error: "unknown-table",
    });
  });
});

describe("execute_probe_query", () => {
  it("shows columns and rows of each query", async () => {
    const result = await shop.call("execute_probe_query", {
      queries: [
        'SELECT "客户", sum(金额) AS 合计 FROM "订单" GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
        "SELECT NULL AS nothing WHERE false",
      ],
    });
    expect(result).toMatchObject({ ok: true, truncated: false, error: null });
    expect(JSON.parse(result.content)).toEqual({
      results: [
        {
          sql: expect.stringContaining("合计"),
          ok: true,
          columns: ["客户", "合计"],
          rows: [[expect.stringMatching(/^客户\d$/), expect.stringMatching(/^\d+$/)]],
          row_count: 1,
          truncated: false,
        },
        {
          sql: "SELECT NULL AS nothing WHERE false",
          ok: true,
          columns: ["nothing"],
          rows: [],
          row_count: 0,
          truncated: false,
        },
      ],
    });
  });

  it("is not ok when one query fails, but runs and shows them all", async () => {
    const queries = ["SELECT 1 AS one", "SELECT no_such FROM customers", "DROP TABLE customers", "SELECT 2 AS two"];
    const result = await shop.call("execute_probe_query", { queries });
    expect(result).toMatchObject({ ok: false, error: "sql-error" });
    expect(JSON.parse(result.content)).toMatchObject({
      results: [
        { ok: true, rows: [["1"]] },
        { sql: queries[1], ok: false, code: "sql-error", error: expect.stringContaining("no_such") },
        { sql: queries[2], ok: false, code: "refused", error: expect.stringContaining("DROP is refused") },
        { ok: true, rows: [["2"]] },
      ],
    });
  });

  it("stops at its limit, and says so", async () => {
    const limited = await shop.call("execute_probe_query", { queries: ['FROM "订单"', "SELECT 1"], limit: 2 });
    expect(limited).toMatchObject({ ok: true, truncated: true });
    expect(JSON.parse(limited.content)).toMatchObject({
      results: [{ row_count: 2, truncated: true }, { truncated: false }],
    });
    const most = await shop.call("execute_probe_query", { queries: ['SELECT "订单号" FROM "订单"'] });
    expect(JSON.parse(most.content)).toMatchObject({ results: [{ row_count: 200, truncated: true }] });
  });

  it("keeps what the model sees small, however large the rows are", async () => {
    const sql = "SELECT range AS n, repeat('长', 500000) AS text FROM range(150)";
    const result = await shop.call("execute_probe_query", { queries: [sql] });
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(result.content.length).toBeLessThanOrEqual(20_000);
    expect(JSON.parse(result.content)).toMatchObject({
      results: [
        {
          columns: ["n", "text"],
          row_count: 150,
          truncated: true,
          left_out: [expect.stringMatching(/rows: \d+ of 150 shown; in each, texts cut at/)],
        },
      ],
      how_to_get_the_rest: expect.stringContaining("substr()"),
    });
  });

  it("reports a query that takes too long", async () => {
    const slow = { queries: ["SELECT count(*) FROM range(1000000000) a, range(1000000000) b"] };
    const result = await shop.call("execute_probe_query", slow, { query_timeout_seconds: 0.3 });
    expect(result).toMatchObject({ ok: false, error: "timeout" });
    expect(result.content).toContain("longer than 0.3 s");
  });
});
