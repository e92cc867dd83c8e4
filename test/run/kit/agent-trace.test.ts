import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAgentTrace } from "../../../src/run/kit/agent-trace.js";

const callsOf = (value: unknown) => readAgentTrace(value).steps.flatMap(({ calls }) => calls);

describe("steps of an agent's trace", () => {
  test("an action and its observation are one call, an error is a failed one", () => {
    const { steps } = readAgentTrace({
      steps: [
        {
          thought: "look",
          action: "read_csv",
          action_input: { path: "a.csv" },
          observation: { ok: true, content: { rows: 2 } },
          ok: true,
        },
        {
          thought: "",
          action: "__error__",
          action_input: {},
          raw_response: "{",
          observation: { ok: false, error: "no JSON" },
          ok: false,
        },
      ],
    });
    expect(steps).toEqual([
      {
        type: "step-reported",
        content: "look",
        calls: [{ tool: "read_csv", args: { path: "a.csv" }, ok: true, content: '{"rows":2}' }],
      },
      { type: "step-reported", content: "{", calls: [{ tool: "__error__", args: {}, ok: false, content: "no JSON" }] },
    ]);
  });

  test("several calls inside one observation are several calls, prompts are no steps", () => {
    const tool_calls = [
      { name: "sql", args: { q: 1 }, status: "success", ok: true, result: { content: "1" } },
      { name: "python", args: {}, status: "error", ok: false, result: "boom" },
      { name: "late", args: {}, status: "pending", ok: null, result: null },
    ];
    const steps = [
      { action: "system_prompt", observation: {} },
      { action: "sql+python+late", observation: { status: "tools_pending", tool_calls } },
    ];
    expect(callsOf({ steps })).toEqual([
      { tool: "sql", args: { q: 1 }, ok: true, content: '{"content":"1"}' },
      { tool: "python", args: {}, ok: false, content: "boom" },
      { tool: "late", args: {}, ok: null, content: "" },
    ]);
  });

  test("results of a later node find their calls by id, by name, or by their order", () => {
    const call = (name: string, id?: string) => ({ name, id, args: { name } });
    const byId = [
      { node: "agent", tool_calls: [call("a", "1"), call("a", "2")] },
      {
        node: "tools",
        tool_results: [
          { tool_call_id: "2", content: "second" },
          { tool_call_id: "1", content: "first" },
        ],
      },
    ];
    expect(callsOf(byId).map(({ content }) => content)).toEqual(["first", "second"]);
    const byName = [{ node: "agent", tool_calls: [call("a"), call("b")], tool_results: { b: "of b", a: "of a" } }];
    expect(callsOf({ nodes: byName }).map(({ content }) => content)).toEqual(["of a", "of b"]);
    const byOrder = [{ node: "agent", tool_calls: [call("a"), call("b")], tool_results: ["one", "two"] }];
    expect(callsOf({ trace: byOrder }).map(({ content }) => content)).toEqual(["one", "two"]);
  });

  test("arguments as JSON text are read, in the chat API's form too", () => {
    const steps = [
      { node: "agent", tool_calls: [{ id: "1", type: "function", function: { name: "sql", arguments: '{"q":1}' } }] },
    ];
    expect(callsOf({ steps })).toEqual([{ tool: "sql", args: { q: 1 }, ok: null, content: "" }]);
  });

  test("what is no step is left out and said", () => {
    const { steps, notes } = readAgentTrace({ steps: [{ action: "a", observation: "x" }, 7, "text", { other: 1 }] });
    expect(steps).toHaveLength(1);
    expect(notes).toEqual(["3 of 4 entries of the trace are no steps and are left out"]);
    expect(readAgentTrace("nothing").notes).toEqual(["the trace has no list of steps"]);
  });

  test("a long text is cut and says how much is missing", () => {
    const steps = [{ action: "a", observation: "x".repeat(100_007) }];
    expect(callsOf({ steps })[0]?.content.slice(-30)).toMatch(/x … \(7 characters left out\)$/);
  });

  test("whatever JSON a trace is, reading it ends well and every step can be written", () => {
    const part = fc.dictionary(
      fc.constantFrom(
        "action",
        "observation",
        "node",
        "tool_calls",
        "tool_results",
        "args",
        "name",
        "id",
        "content",
        "ok",
        "steps",
        "result",
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(
        fc.oneof(part, fc.array(part), fc.record({ steps: fc.array(fc.oneof(part, fc.jsonValue())) })),
        (value) => {
          const { steps } = readAgentTrace(value);
          expect(JSON.parse(JSON.stringify(steps))).toEqual(steps);
        },
      ),
    );
  });
});
