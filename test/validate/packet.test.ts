import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolReturned, TrialEventBody } from "../../src/core/event.js";
import { evidencePacket, type PacketLimits } from "../../src/validate/packet.js";
import { candidate, respond, started, toolReturned } from "../support/events.js";
import { stateAfter } from "../support/trial.js";

const LIMITS: PacketLimits = { max_items: 100, max_string_tokens: 10_000, max_list_items: 200 };

/** One step a return; each call's id is a, b, c, … */
function packetOf(returns: readonly (Partial<ToolReturned> | "candidate")[], limits: Partial<PacketLimits> = {}) {
  const bodies = returns.flatMap((more, index): TrialEventBody[] => {
    const id = String.fromCharCode(97 + index);
    const returned = more === "candidate" ? candidate(id) : toolReturned(id, { args: { n: index }, ...more });
    return [respond({ calls: [id] }), returned];
  });
  return evidencePacket(stateAfter(started(), ...bodies).trajectory, { ...LIMITS, ...limits });
}
const ids = (packet: ReturnType<typeof packetOf>) => packet.evidence_items.map(({ id }) => id);
const reasons = (packet: ReturnType<typeof packetOf>) => packet.omitted_or_unusable.map(({ reason }) => reason);

describe("an evidence packet", () => {
  it("is empty, with its version, where nothing was done", () => {
    expect(packetOf([])).toEqual({ schema_version: 2, evidence_items: [], omitted_or_unusable: [] });
  });

  it("has an item a successful observation, oldest first, each with all that the format has", () => {
    const content = JSON.stringify({ columns: ["company"], rows: [["A"], ["B"]] });
    const packet = packetOf([{ args: { queries: ["SELECT company FROM t"] }, content }, {}]);
    expect(packet.evidence_items[0]).toEqual({
      id: "step_1:call_a",
      trace_step_index: 1,
      tool_call_id: "a",
      tool: "execute_probe_query",
      capabilities: ["source_row_observation"],
      source: { kind: "tool_result", name: "execute_probe_query" },
      request: { queries: ["SELECT company FROM t"] },
      observation: {
        status: "complete",
        truncated: false,
        locator: { kind: "tool_result", name: "execute_probe_query" },
        evidence_excerpt: { columns: ["company"], rows: [["A"], ["B"]] },
      },
    });
    expect(ids(packet)).toEqual(["step_1:call_a", "step_2:call_b"]);
  });

  it("gives the reason that comes first: not successful before truncated before the budget", () => {
    const bad = { ok: false, truncated: true };
    expect(reasons(packetOf([bad], { max_items: 0 }))).toEqual(["not_successful"]);
    expect(reasons(packetOf([{ truncated: true }], { max_items: 0 }))).toEqual(["truncated_result"]);
    expect(reasons(packetOf([{}], { max_items: 0 }))).toEqual(["evidence_budget"]);
  });

  it("skips a duplicate silently, keeps its newest, and does so before it looks at the budget", () => {
    const same = { args: { queries: ["SELECT 1"], limit: 5 }, content: '{"a":1,"b":2}' };
    const reordered = { args: { limit: 5, queries: ["SELECT 1"] }, content: '{ "b": 2, "a": 1 }' };
    const packet = packetOf([same, {}, reordered], { max_items: 2 });
    expect(ids(packet)).toEqual(["step_2:call_b", "step_3:call_c"]);
    expect(packet.omitted_or_unusable).toEqual([]);
    expect(
      ids(packetOf([same, { ...same, args: { queries: ["SELECT 2"] } }, { ...same, content: "{}" }])),
    ).toHaveLength(3);
  });

  it("takes no failed or truncated twin for a duplicate: it is named", () => {
    const same = { args: {}, content: "x" };
    expect(reasons(packetOf([{ ...same, ok: false }, same, { ...same, truncated: true }]))).toEqual([
      "not_successful",
      "truncated_result",
    ]);
  });

  it("keeps the newest when the budget is full, and both lists are chronological", () => {
    const packet = packetOf([{}, { ok: false }, {}, {}, { truncated: true }, {}], { max_items: 2 });
    expect(ids(packet)).toEqual(["step_4:call_d", "step_6:call_f"]);
    expect(reasons(packet)).toEqual(["evidence_budget", "not_successful", "evidence_budget", "truncated_result"]);
  });

  it("names a document by its path, with the heading as locator, a picture by its frame, a table by its name", () => {
    const packet = packetOf([
      {
        tool: "read_doc",
        args: { path: "knowledge.md", heading: "Rates" },
        content: '{"text":"a rate is a fraction"}',
      },
      { tool: "read_doc", args: { path: "doc/big.md" }, truncated: true },
      { tool: "read_context_image", args: { path: "video/frame_3.png" } },
      { tool: "get_table_profile", args: { table: "batch_records" } },
    ]);
    expect(packet.evidence_items.map(({ source, observation }) => [source, observation.locator])).toEqual([
      [
        { kind: "document", path: "knowledge.md" },
        { kind: "document", path: "knowledge.md", heading: "Rates" },
      ],
      [{ kind: "image", path: "video/frame_3.png" }, { frame_path: "video/frame_3.png" }],
      [
        { kind: "table", name: "batch_records" },
        { kind: "table", name: "batch_records" },
      ],
    ]);
    expect(packet.omitted_or_unusable).toEqual([
      { tool: "read_doc", source: "doc/big.md", reason: "truncated_result" },
    ]);
  });

  it.each([
    ["get_table_profile", {}, ["table_schema"]],
    ["get_field_profile", {}, ["field_definition"]],
    ["get_column_distinct_values", {}, ["value_domain"]],
    ["get_table_relationships", {}, ["join_candidate"]],
    ["execute_probe_query", {}, ["source_row_observation"]],
    ["execute_python", {}, ["programmatic_observation"]],
    ["read_doc", { path: "doc/a.md" }, ["document_fact"]],
    ["read_doc", { path: "video/q3_video_summary.md" }, ["video_narrative_context"]],
    ["inspect_doc_structure", { path: "video/q3_video_summary.md" }, ["video_narrative_context"]],
    ["extract_structured_doc", { path: "video/q3_video_summary.md" }, ["video_narrative_context"]],
    ["read_doc", { path: "video/q3_timeline.md" }, ["document_fact"]],
    ["lookup_doc_outline", {}, ["source_discovery"]],
    ["search_doc", {}, ["source_discovery"]],
    ["search_semantic_catalog", {}, ["source_discovery"]],
    ["list_context", {}, ["source_discovery"]],
    ["inspect_doc_structure", {}, ["document_structure"]],
    ["extract_structured_doc", {}, ["structured_record"]],
    ["read_context_image", {}, ["visual_fact"]],
    ["record_visual_evidence", {}, ["visual_fact_receipt"]],
  ])("labels %s %j with %j", (tool, args, capabilities) => {
    expect(packetOf([{ tool, args }]).evidence_items[0]?.capabilities).toEqual(capabilities);
  });

  it("holds no successful submission, which is what is audited, but says that one failed", () => {
    const failed = { tool: "submit_tool_result", ok: false };
    expect(packetOf(["candidate", failed])).toEqual({
      schema_version: 2,
      evidence_items: [],
      omitted_or_unusable: [{ tool: "submit_tool_result", source: "submit_tool_result", reason: "not_successful" }],
    });
  });

  it("cuts long texts and lists at every depth and then says so", () => {
    const content = JSON.stringify({ results: [{ rows: [[1], [2], [3]], note: "word ".repeat(50) }], n: 7 });
    const [item] = packetOf([{ content }], { max_list_items: 2, max_string_tokens: 10 }).evidence_items;
    expect(item?.observation.excerpt_cut).toBe(true);
    expect(item?.observation.evidence_excerpt).toEqual({
      results: [{ rows: [[1], [2]], note: "word ".repeat(10).trim() }],
      n: 7,
    });
    const [whole] = packetOf([{ content }]).evidence_items;
    expect(whole?.observation).not.toHaveProperty("excerpt_cut");
    expect(whole?.observation.evidence_excerpt).toEqual(JSON.parse(content));
  });

  it("reads the same in whatever order the results of one turn came in", () => {
    const turn = respond({ calls: ["a", "b", "c"] });
    const packet = (order: readonly string[]) =>
      evidencePacket(
        stateAfter(started(), turn, ...order.map((id) => toolReturned(id, { args: { id } }))).trajectory,
        LIMITS,
      );
    fc.assert(
      fc.property(fc.shuffledSubarray(["a", "b", "c"], { minLength: 3 }), (order) => {
        expect(packet(order)).toEqual(packet(["a", "b", "c"]));
      }),
    );
  });

  it("accounts for every observation once, whatever they are", () => {
    const returned = fc.record({
      ok: fc.boolean(),
      truncated: fc.boolean(),
      args: fc.record({ n: fc.integer({ min: 0, max: 2 }) }),
      content: fc.constantFrom("x", "y", '{"a":[1,2]}'),
    });
    fc.assert(
      fc.property(fc.array(returned, { maxLength: 12 }), fc.integer({ min: 0, max: 5 }), (returns, max_items) => {
        const packet = packetOf(returns, { max_items });
        const usable = returns.filter(({ ok, truncated }) => ok && !truncated);
        const distinct = new Set(usable.map(({ args, content }) => `${args.n} ${content}`));
        expect(packet.evidence_items.length).toBe(Math.min(max_items, distinct.size));
        expect(reasons(packet).filter((reason) => reason !== "evidence_budget")).toHaveLength(
          returns.length - usable.length,
        );
        const order = packet.evidence_items.map(({ trace_step_index }) => trace_step_index);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }),
    );
  });
});
