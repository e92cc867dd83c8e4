import { describe, expect, it } from "vitest";
import type { TrialEventBody } from "../../../src/core/event.js";
import { type TraceLine, traceLines } from "../../../src/report/trace/trace.js";
import { respond } from "../../support/events.js";
import { eventsOf } from "../../support/trial.js";

/** The trace of one event. */
function lineOf(body: TrialEventBody): Pick<TraceLine, "what" | "bad" | "rows"> {
  const [line] = traceLines(eventsOf([body]));
  if (line === undefined) throw new Error("no line");
  const { what, bad, rows } = line;
  return { what, bad, rows };
}

describe("the trace of checks", () => {
  it("says what a check of the evidence came to, what code found and what it asks for", () => {
    const line = lineOf({
      type: "process-validated",
      trigger: "candidate",
      step: 3,
      mode: "enforce",
      verdict: "rejected",
      by: "code",
      inconsistent: false,
      findings: [{ rule: "unseen-value", level: "red", evidence: [], detail: "never read" }],
      validator_error: null,
      issues: ["the value was never read"],
      required_next_actions: ["query it"],
      message: "…",
      ledger: null,
      packet_digest: "d",
      candidate: "candidate-1.csv",
    });
    expect(line).toEqual({
      what: "candidate check rejected by code (enforce) [red unseen-value]: the value was never read; query it",
      bad: true,
      rows: null,
    });
  });

  it("says why an answer's check was released or skipped, and which table was cleared", () => {
    const judgement = {
      step: 3,
      mode: "observe",
      findings: [],
      issues: [],
      required_next_actions: [],
      message: null,
    } as const;
    expect(
      lineOf({
        type: "answer-validated",
        ...judgement,
        verdict: "released",
        by: "model",
        validator_error: "timeout",
        candidate: "c.csv",
      }),
    ).toEqual({ what: "answer check released by model (observe): timeout", bad: true, rows: null });
    expect(
      lineOf({
        type: "answer-validated",
        ...judgement,
        verdict: "passed",
        by: "model",
        validator_error: null,
        candidate: "c.csv",
      }),
    ).toMatchObject({ what: "answer check passed by model (observe)", bad: false });
    expect(
      lineOf({
        type: "validation-skipped",
        validator: "process",
        trigger: "candidate",
        mode: "enforce",
        reason: "forced-answer",
        step: 3,
        findings: [],
        candidate: "c.csv",
      }).what,
    ).toBe("process check skipped: forced-answer");
    expect(lineOf({ type: "candidate-cleared", by: "answer", candidate: "c.csv" }).what).toBe(
      "by the answer check: c.csv",
    );
  });

  it("counts the rows that a check read, and none for syntax trees", () => {
    const query = {
      type: "data-queried",
      validator: "process",
      why: "the join",
      queries: ["SELECT 1"],
      ms: 3,
    } as const;
    const table = { columns: ["n"], types: ["BIGINT"], rows: [["1"], ["2"]] };
    expect(lineOf({ ...query, answer: "rows", results: [{ ok: true, table, truncated: false, ms: 1 }] })).toEqual({
      what: "process check: the join: SELECT 1",
      bad: false,
      rows: 2,
    });
    expect(
      lineOf({ ...query, answer: "signature", results: [{ ok: true, columns: ["n"], rows: 7, signature: "s" }] }).rows,
    ).toBe(7);
    expect(lineOf({ ...query, answer: "tree", results: [{ ok: true, tree: {} }] }).rows).toBeNull();
  });
});

describe("the trace of model calls", () => {
  it("numbers the agent's steps and names the other roles", () => {
    const validator = { ...respond({ content: "fine" }), purpose: "answer-validator" } as const;
    const lines = traceLines(eventsOf([respond({ calls: ["a"] }), validator, respond({ content: null, input: null })]));
    expect(lines.map(({ what }) => what)).toEqual([
      "step 1: execute_probe_query({})",
      'answer-validator: "fine"',
      "step 2: an empty reply",
    ]);
    expect(lines.map(({ tokens }) => tokens)).toEqual(["10→5", "10→5", "?→5"]);
  });
});

describe("the trace of tools", () => {
  it.each([
    ['{"results":[{"ok":true,"row_count":2},{"ok":true,"row_count":3}]}', 5],
    ['{"row_count":4}', 4],
    ['{"tables":[]}', null],
    ["plain text", null],
  ])("%s has %s rows", (content, rows) => {
    const tool = {
      type: "tool-returned",
      call_id: "a",
      tool: "t",
      args: {},
      ok: true,
      truncated: false,
      error: null,
      ms: 1,
    } as const;
    expect(lineOf({ ...tool, content }).rows).toBe(rows);
  });

  it.each([
    ['{"error":"sql-error","message":"no such table"}', "t {} → sql-error: no such table"],
    ['{"results":[{"ok":true},{"ok":false,"error":"bad column"}]}', "t {} → sql-error: bad column"],
    ["not JSON", "t {} → sql-error: not JSON"],
  ])("%s fails with its sentence", (content, what) => {
    const tool = {
      type: "tool-returned",
      call_id: "a",
      tool: "t",
      args: {},
      ok: false,
      truncated: false,
      error: "sql-error",
      ms: 1,
    } as const;
    expect(lineOf({ ...tool, content })).toMatchObject({ what, bad: true });
  });
});
