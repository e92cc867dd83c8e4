import { describe, expect, it } from "vitest";
import { parseProcessReply } from "../../src/validate/process-reply.js";
import { parseReply } from "../../src/validate/reply-json.js";
import { LEDGER } from "../support/validation-events.js";

const read = (content: string | null) => parseProcessReply(content, LEDGER, "en");
const reply = (value: object) => read(JSON.stringify(value));

describe("a process validator's reply", () => {
  it("is a JSON object with valid; what is missing is an empty list and the ledger of before", () => {
    expect(reply({ valid: true })).toEqual({
      ok: true,
      reply: { valid: true, issues: [], required_next_actions: [], ledger: LEDGER, inconsistent: false },
    });
  });

  it("may stand in a code fence, with words around it", () => {
    const fenced = 'My verdict:\n```json\n{"valid": false, "issues": ["a"]}\n```\nThat is all.';
    expect(read(fenced)).toMatchObject({ ok: true, reply: { valid: false, issues: ["a"] } });
    expect(read('```\n{"valid": true}\n```')).toMatchObject({ ok: true });
  });

  it.each([
    ["nothing", null],
    ["nothing but spaces", "  "],
    ["prose", "valid: true"],
    ["a list", "[true]"],
    ["a JSON null", "null"],
    ["torn JSON", '{"valid": tr'],
    ["no valid", '{"issues": []}'],
    ["a valid that is neither true nor false", '{"valid": "yes"}'],
  ])("that is %s is a technical failure, no verdict", (_, content) => {
    expect(read(content)).toMatchObject({ ok: false, error: expect.any(String) });
  });

  it("ignores unknown keys, blank items and lists that are none", () => {
    expect(
      reply({ valid: false, mood: "fine", issues: "none", required_next_actions: ["look", " ", { table: "t" }] }),
    ).toMatchObject({
      reply: { issues: [], required_next_actions: ["look", '{"table":"t"}'] },
    });
  });

  it.each([
    ["text", "a ledger"],
    ["a list", []],
    ["one with a claim for a list", { verified_claims: "fruit" }],
    ["one with a list for an intent", { intent_summary: [] }],
  ])("keeps the ledger of before where its own is %s", (_, semantic_ledger) => {
    expect(reply({ valid: true, semantic_ledger })).toMatchObject({ reply: { ledger: LEDGER } });
  });

  it("brings its own ledger, missing lists empty", () => {
    expect(reply({ valid: true, semantic_ledger: { intent_summary: "count" } })).toMatchObject({
      reply: {
        ledger: {
          intent_summary: "count",
          verified_claims: [],
          unverified_assumptions: [],
          unresolved_ambiguities: [],
          drift_risks: [],
        },
      },
    });
  });

  it("contradicts itself where it is valid with an unverified assumption, but not with a word for none", () => {
    const valid = (assumption: string) =>
      reply({ valid: true, semantic_ledger: { unverified_assumptions: [assumption] } });
    expect(valid("the rate is a fraction")).toMatchObject({
      reply: { inconsistent: true, issues: ["not verified: the rate is a fraction"] },
    });
    for (const none of ["none", "None.", "N/A", "无", "（无）"])
      expect(valid(none)).toMatchObject({ reply: { inconsistent: false } });
    const rejected = reply({ valid: false, semantic_ledger: { unverified_assumptions: ["x"] } });
    expect(rejected).toMatchObject({ reply: { inconsistent: false } });
  });

  it("quotes itself in the error, cut", () => {
    const parsed = parseReply(`no ${"x".repeat(1000)}`);
    expect(!parsed.ok && parsed.error.length).toBeLessThan(300);
  });
});
