import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, callerOf, compiled, csv } from "./tool-fixture.js";

let data: Caller;

beforeAll(async () => {
  const rows = Array.from({ length: 13_000 }, (_, index) => [index + 1, `名${index % 10}`]);
  data = callerOf(await compiled({ "csv/items.csv": csv([["id", "name"], ...rows]) }));
});
afterAll(() => data.pool.close());

const probe = (queries: unknown, more: object = {}) => ({
  tool_name: "execute_probe_query",
  tool_args: { queries },
  ...more,
});

describe("submit_tool_result", () => {
  it("runs the source again without any preview limit", async () => {
    const source = { queries: ["SELECT id, name FROM items ORDER BY id"], limit: 5 };
    const result = await data.call("submit_tool_result", {
      tool_name: "execute_probe_query",
      tool_args: source,
      conclusion: "All items.",
    });
    expect(result).toMatchObject({ ok: true, truncated: false, error: null });
    expect(JSON.parse(result.content)).toEqual({
      submitted: true,
      columns: ["id", "name"],
      row_count: 13_000,
      preview: [
        ["1", "名0"],
        ["2", "名1"],
        ["3", "名2"],
        ["4", "名3"],
        ["5", "名4"],
      ],
    });
    expect(result.submission?.table.rows).toHaveLength(13_000);
    expect(result.submission?.table.rows.at(-1)).toEqual(["13000", "名9"]);
    expect(result.submission?.source).toEqual({ tool: "execute_probe_query", args: source });
    expect(result.submission?.conclusion).toBe("All items.");
  });

  it("hands in cells in full that the model would not see", async () => {
    const result = await data.call("submit_tool_result", probe(["SELECT repeat('长', 1000000) FROM range(70)"]));
    expect(result.content.length).toBeLessThanOrEqual(20_000);
    expect(result.submission?.table.rows.map(([cell]) => cell?.length)).toEqual(Array(70).fill(1_000_000));
  });

  it("takes the last query of a batch as the answer, when all succeed", async () => {
    const result = await data.call("submit_tool_result", probe(["SELECT 1 AS a", "SELECT 2 AS b"]));
    expect(result.submission?.table).toMatchObject({ columns: ["b"], rows: [["2"]] });
    const failed = await data.call("submit_tool_result", probe(["SELECT missing FROM items", "SELECT 2 AS b"]));
    expect(failed).toMatchObject({ ok: false, error: "sql-error" });
    expect(failed.submission).toBeUndefined();
    expect(failed.content).toContain("nothing was submitted: query 1 of 2 failed when run again");
    expect(await data.call("submit_tool_result", probe(["SELECT 1", "DELETE FROM items"]))).toMatchObject({
      ok: false,
      error: "refused",
    });
  });

  it("renames columns one for one, from a real list only", async () => {
    const sql = ["SELECT count(*), max(id) FROM items"];
    const renamed = await data.call("submit_tool_result", probe(sql, { columns: ["数量", "largest"] }));
    expect(renamed.submission?.table).toMatchObject({ columns: ["数量", "largest"], rows: [["13000", "13000"]] });
    const short = await data.call("submit_tool_result", probe(sql, { columns: ["only"] }));
    expect(short).toMatchObject({ ok: false, error: "columns-mismatch" });
    expect(short.content).toContain("1 names for 2 columns (count_star(), max(id))");
    for (const columns of ["a,b", { 0: "a", 1: "b" }, ["a", ""], ["a", 2], []]) {
      const result = await data.call("submit_tool_result", probe(sql, { columns }));
      expect(result).toMatchObject({ ok: false, error: "bad-arguments" });
      expect(result.content).toContain("columns");
    }
    const none = await data.call("submit_tool_result", probe(sql, { columns: null }));
    expect(none.submission?.table.columns).toEqual(["count_star()", "max(id)"]);
  });

  it("takes an answer without rows, but not one of more rows than allowed", async () => {
    const empty = await data.call("submit_tool_result", probe(["SELECT id FROM items WHERE false"]));
    expect(empty).toMatchObject({ ok: true, submission: { table: { columns: ["id"], rows: [] }, conclusion: null } });
    const query = ["SELECT id FROM items"];
    expect(await data.call("submit_tool_result", probe(query), { max_answer_rows: 13_000 })).toMatchObject({
      ok: true,
    });
    const large = await data.call("submit_tool_result", probe(query), { max_answer_rows: 12_999 });
    expect(large).toMatchObject({ ok: false, error: "too-many-rows" });
    expect(large.content).toContain("more than 12999 rows");
  });

  it("takes no other tool as its source", async () => {
    const other = await data.call("submit_tool_result", {
      tool_name: "get_table_profile",
      tool_args: { table: "items" },
    });
    expect(other).toMatchObject({ ok: false, error: "bad-arguments" });
    expect(other.content).toContain("execute_probe_query");
    expect(await data.call("submit_tool_result", { tool_name: "execute_probe_query" })).toMatchObject({
      error: "bad-arguments",
    });
  });
});
