import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolSchemas } from "../../src/tools/registry.js";
import { type Caller, callerOf, compiled, csv } from "./tool-fixture.js";

let data: Caller;

beforeAll(async () => {
  const columns = Array.from({ length: 40 }, (_, index) => `column ${index}`);
  const files = Array.from({ length: 30 }, (_, index) => [`csv/table_${index}.csv`, csv([columns, columns])]);
  data = callerOf(await compiled(Object.fromEntries(files)));
});
afterAll(() => data.pool.close());

describe("the tools", () => {
  it("describe themselves to a model by name, purpose and JSON schema", () => {
    const schemas = toolSchemas(false);
    expect(schemas.map(({ name }) => name)).toEqual([
      "list_context",
      "search_semantic_catalog",
      "get_table_profile",
      "get_field_profile",
      "get_column_distinct_values",
      "get_table_relationships",
      "execute_probe_query",
      "lookup_doc_outline",
      "search_doc",
      "read_doc",
      "inspect_doc_structure",
      "extract_structured_doc",
      "submit_tool_result",
    ]);
    for (const { name, description, parameters } of schemas) {
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(description.length).toBeGreaterThan(40);
      expect(parameters).toMatchObject({ type: "object", additionalProperties: false });
      expect(parameters).not.toHaveProperty("$schema");
    }
    expect(schemas.find(({ name }) => name === "execute_probe_query")?.parameters).toEqual({
      type: "object",
      properties: {
        queries: {
          type: "array",
          items: { type: "string", minLength: 1 },
          minItems: 1,
          maxItems: 10,
          description: expect.any(String),
        },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 200, description: expect.any(String) },
      },
      required: ["queries"],
      additionalProperties: false,
    });
  });

  it("are the same text every time, so that requests and their digests are", () => {
    expect(JSON.stringify(toolSchemas(false))).toBe(JSON.stringify(toolSchemas(false)));
  });

  it("answer a call to a tool that is not there with the nearest name", async () => {
    const result = await data.call("excute_probe_querys", { a: 1 });
    expect(result).toMatchObject({ ok: false, error: "unknown-tool", args: { a: 1 }, truncated: false });
    expect(result.content).toContain("did you mean execute_probe_query?");
    expect((await data.call("python", {})).content).toContain("tools: list_context, ");
  });

  it.each([
    ["execute_probe_query", { querys: ["SELECT 1"] }, 'there is no argument "querys" (did you mean "queries"?)'],
    ["execute_probe_query", {}, "the argument queries is missing: expected array"],
    [
      "execute_probe_query",
      { queries: "SELECT 1" },
      "the argument queries does not fit: expected array, received string",
    ],
    [
      "execute_probe_query",
      { queries: ["SELECT 1", 2] },
      "the argument queries[1] does not fit: expected string, received number",
    ],
    ["execute_probe_query", { queries: [] }, "the argument queries does not fit"],
    ["execute_probe_query", { queries: ["SELECT 1"], limit: 201 }, "the argument limit does not fit"],
    ["execute_probe_query", { queries: ["SELECT 1"], limit: 1.5 }, "the argument limit does not fit"],
    ["get_table_profile", {}, "the argument table is missing: expected string"],
    ["get_table_profile", { table: null }, "the argument table is missing: expected string"],
    ["get_table_profile", [], "the arguments must be one JSON object"],
    ["get_table_profile", "table_1", "the arguments must be one JSON object"],
    ["get_table_profile", null, "the arguments must be one JSON object"],
    ["list_context", { all: true }, 'there is no argument "all" (it takes no arguments)'],
    [
      "submit_tool_result",
      { tool_name: "execute_probe_query", tool_args: { sql: "x", queries: [1] } },
      "the argument tool_args.queries[0] does not fit",
    ],
    [
      "submit_tool_result",
      { tool_name: "execute_probe_query", tool_args: { queries: ["SELECT 1"], sql: "x" } },
      'tool_args has no argument "sql"',
    ],
  ])("%s answers arguments that do not fit with one line: %j", async (tool, args, words) => {
    const result = await data.call(tool, args);
    expect(result).toMatchObject({ ok: false, error: "bad-arguments", args, truncated: false });
    const { message } = JSON.parse(result.content);
    expect(message).toContain(words);
    expect(message).not.toContain("\n");
    expect(message.startsWith(`${tool}: `)).toBe(true);
  });

  it("cut what is too long for the model, and say how to get the rest", async () => {
    const whole = await data.call("list_context", {}, { max_result_characters: 1_000_000 });
    expect(whole.truncated).toBe(false);
    const cut = await data.call("list_context", {}, { max_result_characters: 3000 });
    expect(cut).toMatchObject({ ok: true, truncated: true });
    expect(cut.content.length).toBeLessThanOrEqual(3000);
    const content = JSON.parse(cut.content);
    expect(content.left_out[0]).toMatch(/^tables: \d+ of 30 shown$/);
    expect(content.tables[0].left_out[0]).toMatch(/^columns: \d+ of 40 shown$/);
    expect(content.how_to_get_the_rest).toContain("get_table_profile");
    expect((await data.call("list_context", {}, { max_result_characters: 200 })).content.length).toBeLessThanOrEqual(
      200,
    );
  });

  it("reject when the trial's signal is aborted, before or during a call", async () => {
    const reason = new Error("time is up");
    await expect(data.call("list_context", {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const slow = data.call(
      "execute_probe_query",
      { queries: ["SELECT count(*) FROM range(1000000000) a, range(1000000000) b"] },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(reason), 300);
    await expect(slow).rejects.toBe(reason);
    expect(await data.call("execute_probe_query", { queries: ["SELECT 1"] })).toMatchObject({ ok: true });
  });
});
