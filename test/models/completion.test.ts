import { describe, expect, it } from "vitest";
import type { Message, ModelResponse } from "../../src/core/message.js";
import { type Reply, textReply, toolCallReply } from "../support/model-server.js";
import { ask, TOOLS } from "./ask.js";

/** What a model makes of a reply. */
async function read(reply: Reply, more: Parameters<typeof ask>[1] = {}): Promise<ModelResponse> {
  const asked = await ask([reply], more);
  if (!asked.reply.ok) throw new Error(asked.reply.failure.message);
  return asked.reply.response;
}

/** A reply whose only choice has this message. */
const saying = (message: unknown, more: object = {}): Reply => ({ body: { choices: [{ message, ...more }] } });

const functionCall = (name: string, args: unknown, id?: unknown) => ({ id, function: { name, arguments: args } });

describe("a completion", () => {
  it("is read with usage, the server's model name and its finish reason", async () => {
    const completion = {
      model: "m-2026",
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 900 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
    };
    expect(await read(textReply("共 3 行 🎉", { completion, finish_reason: "length" }))).toEqual({
      model: "m-2026",
      content: "共 3 行 🎉",
      reasoning: null,
      tool_calls: [],
      finish_reason: "length",
      usage: { input_tokens: 1000, output_tokens: 50, cached_tokens: 900, reasoning_tokens: 30 },
      cost_usd: null,
    });
  });

  it.each<[string, unknown, string | null]>([
    ["text", "a", "a"],
    ["null", null, null],
    ["nothing", undefined, null],
    ["empty text", "", null],
    [
      "text parts",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "ab",
    ],
    ["plain strings", ["a", "b"], "ab"],
    ["parts of other kinds", [{ type: "image_url", image_url: {} }, { type: "text", text: "b" }, null], "b"],
    ["no parts", [], null],
  ])("may have %s for content", async (_what, content, expected) => {
    expect((await read(saying({ content }))).content).toBe(expected);
  });

  it.each<[string, object, string]>([
    ["reasoning_content", { content: "a", reasoning_content: "because" }, "because"],
    ["reasoning", { content: "a", reasoning_content: null, reasoning: "because" }, "because"],
    ["thinking parts", { content: [{ type: "thinking", thinking: [{ text: "because" }] }, { text: "a" }] }, "because"],
  ])("keeps %s apart from the content", async (_what, message, reasoning) => {
    expect(await read(saying(message))).toMatchObject({ content: "a", reasoning });
  });

  it("that refuses says so in its finish reason", async () => {
    expect(await read(saying({ content: null, refusal: "I will not." }, { finish_reason: "stop" }))).toMatchObject({
      content: "I will not.",
      finish_reason: "refusal",
    });
  });

  it.each<[string, unknown]>([
    ["no usage", undefined],
    ["null", null],
    ["null details", { prompt_tokens: null, completion_tokens: null, prompt_tokens_details: null }],
    ["nonsense", { prompt_tokens: "many", completion_tokens: -1, prompt_tokens_details: { cached_tokens: "x" } }],
    ["a list", []],
  ])("with %s has unknown counts and unknown cost", async (_what, usage) => {
    const price = { input: 1, output: 1, cached_input: null };
    const reply = textReply("a", { completion: { usage, model: undefined } });
    expect(await read(reply, { config: { price } })).toMatchObject({
      model: "asked-model",
      usage: { input_tokens: null, output_tokens: null, cached_tokens: null, reasoning_tokens: null },
      cost_usd: null,
    });
  });

  it.each([
    [{ input: 2, output: 10, cached_input: 0.5 }, (100 * 2 + 900 * 0.5 + 50 * 10) / 1e6],
    [{ input: 2, output: 10, cached_input: null }, (1000 * 2 + 50 * 10) / 1e6],
    [{ input: 0, output: 0, cached_input: 0 }, 0],
  ])("costs what the price table %j says", async (price, expected) => {
    const usage = { prompt_tokens: 1000, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 900 } };
    const { cost_usd } = await read(textReply("a", { completion: { usage } }), { config: { price } });
    expect(cost_usd).toBeCloseTo(expected, 12);
  });

  it("is read whole when it is megabytes of any script", async () => {
    const text = '数据€𝄞\\"\n'.repeat(400_000);
    expect((await read(textReply(text))).content).toBe(text);
  });

  it("is read where the server leaves the content type out or says another JSON type", async () => {
    const { body } = textReply("a");
    expect((await read({ body, headers: { "content-type": "application/problem+json" } })).content).toBe("a");
  });
});

describe("native tool calls", () => {
  it("keep their order, ids and arguments as written, twenty at once, unknown tools and broken JSON included", async () => {
    const calls = [...Array(18).keys()].map((limit) => ({
      name: "execute_probe_query",
      args: { sql: "SELECT 'é'", limit },
    }));
    const reply = toolCallReply([
      ...calls,
      { name: "no_such_tool", args: {} },
      { name: "list_context", args: '{"broken' },
    ]);
    const { tool_calls, content } = await read(reply);
    expect(content).toBeNull();
    expect(tool_calls.map(({ id }) => id)).toEqual([...Array(20).keys()].map((position) => `call_${position}`));
    expect(tool_calls[17]).toEqual({
      id: "call_17",
      name: "execute_probe_query",
      arguments: JSON.stringify({ sql: "SELECT 'é'", limit: 17 }),
    });
    expect(tool_calls.slice(18).map((call) => [call.name, call.arguments])).toEqual([
      ["no_such_tool", "{}"],
      ["list_context", '{"broken'],
    ]);
  });

  it.each<[string, unknown, string]>([
    ["an object", { limit: 3 }, '{"limit":3}'],
    ["null", null, "{}"],
    ["nothing", undefined, "{}"],
    ["empty text", " ", "{}"],
  ])("may have %s for arguments", async (_what, args, expected) => {
    const { tool_calls } = await read(saying({ tool_calls: [functionCall("list_context", args, "a")] }));
    expect(tool_calls).toEqual([{ id: "a", name: "list_context", arguments: expected }]);
  });

  it("get ids that no other call of the conversation has where theirs are missing or used", async () => {
    const messages: readonly Message[] = [
      { role: "user", content: "q" },
      { role: "assistant", content: null, tool_calls: [{ id: "call_0", name: "list_context", arguments: "{}" }] },
      { role: "tool", tool_call_id: "call_0", content: "{}" },
    ];
    const ids = ["call_0", "x", "x", undefined, null, "", "call_1"];
    const message = { tool_calls: ids.map((id) => functionCall("list_context", "{}", id)) };
    const { tool_calls } = await read(saying(message), { request: { messages } });
    expect(tool_calls.map(({ id }) => id)).toEqual(["call_0_2", "x", "x_2", "call_1", "call_2", "call_3", "call_1_2"]);
  });

  it("stand against calls in the text, which then stays text", async () => {
    const content = '<tool_call>{"name": "list_context", "arguments": {}}</tool_call>';
    const { tool_calls, content: kept } = await read(
      saying({ content, tool_calls: [functionCall("execute_probe_query", "{}", "a")] }),
    );
    expect(tool_calls.map(({ name }) => name)).toEqual(["execute_probe_query"]);
    expect(kept).toBe(content);
  });
});

describe("tool calls written as text", () => {
  const call = (args: unknown, name = "execute_probe_query") => ({ name, arguments: JSON.stringify(args) });

  it.each<[string, string, object[], string | null]>([
    [
      "JSON",
      'I look.\n<tool_call>\n{"name": "execute_probe_query", "arguments": {"sql": "SELECT 1 < 2"}}\n</tool_call>',
      [call({ sql: "SELECT 1 < 2" })],
      "I look.",
    ],
    [
      "JSON with parameters, or arguments as text, twice",
      '<tool_call>{"name":"execute_probe_query","parameters":{"limit":1}}</tool_call> and <tool_call>{"name":"list_context","arguments":"{}"}</tool_call>',
      [call({ limit: 1 }), call({}, "list_context")],
      "and",
    ],
    ["JSON without a closing tag", '<tool_call>{"name": "list_context"}', [call({}, "list_context")], null],
    [
      "tags, with text and JSON by the tool's own types",
      "<tool_call>\n<function=execute_probe_query>\n<parameter=sql>\nSELECT '1'\nWHERE a < b\n</parameter>\n<parameter=limit>\n5\n</parameter>\n<parameter=columns>[\"a\"]</parameter>\n</function>\n</tool_call>",
      [call({ sql: "SELECT '1'\nWHERE a < b", limit: 5, columns: ["a"] })],
      null,
    ],
    [
      "tags whose text looks like JSON",
      "<function=execute_probe_query><parameter=sql>123</parameter><parameter=limit>many</parameter></function>",
      [call({ sql: "123", limit: "many" })],
      null,
    ],
    [
      "tags that are not closed",
      "<tool_call><function=execute_probe_query><parameter=sql>SELECT 1<parameter=limit>5",
      [call({ sql: "SELECT 1", limit: 5 })],
      null,
    ],
  ])("are recovered from %s", async (_what, content, expected, rest) => {
    const response = await read(saying({ content }));
    expect(response.tool_calls.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(expected);
    expect(response.content).toBe(rest);
    expect(new Set(response.tool_calls.map(({ id }) => id)).size).toBe(expected.length);
  });

  it("are recovered where the text mentions the tag before them", async () => {
    const content = 'I use <tool_call> now: <tool_call>{"name": "list_context"}</tool_call>';
    const { tool_calls, content: rest } = await read(saying({ content }));
    expect(tool_calls.map(({ name }) => name)).toEqual(["list_context"]);
    expect(rest).toBe("I use <tool_call> now:");
  });

  it("are recovered from the reasoning where the content has none", async () => {
    const reasoning_content = 'Let me see. <tool_call>{"name": "list_context", "arguments": {}}</tool_call>';
    const response = await read(saying({ content: "", reasoning_content }));
    expect(response.tool_calls).toEqual([{ id: "call_1", name: "list_context", arguments: "{}" }]);
    expect(response.reasoning).toBe(reasoning_content);
  });

  it.each([
    ["a tool that was not offered", '<tool_call>{"name": "drop_table", "arguments": {}}</tool_call>'],
    ["broken JSON", '<tool_call>{"name": "list_context", </tool_call>'],
    ["JSON that is no call", "<tool_call>[1, 2]</tool_call>"],
    ["a mere mention", "Write <tool_call> to call a tool."],
  ])("stay text where they are %s", async (_what, content) => {
    expect(await read(saying({ content }))).toMatchObject({ tool_calls: [], content });
  });

  it("stay text in a last turn whose only tool is another one", async () => {
    const content = '<tool_call>{"name": "list_context", "arguments": {}}</tool_call>';
    const response = await read(saying({ content }), { request: { tools: TOOLS.slice(0, 1) } });
    expect(response.tool_calls).toEqual([]);
  });
});
