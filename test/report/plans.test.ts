import { describe, expect, it } from "vitest";
import type { EndedVerification, PlanRecord } from "../../src/core/plan-record.js";
import { comparedStops, stoppedRows } from "../../src/report/plan-sentences.js";
import { renderMarkdown } from "../../src/report/render-markdown.js";
import { renderTerminal } from "../../src/report/render-terminal.js";
import { summariseRun } from "../../src/report/summary.js";
import { PERFECT, runEnd, runStart, scoreRecord, trialEnd } from "../support/run-records.js";

const PLAIN = { good: String, middling: String, bad: String, faint: String, strong: String };

const verified = (more: Partial<EndedVerification> = {}): EndedVerification => ({
  sub_goal: "s1",
  round: 1,
  passed: true,
  layer: "goal",
  score: 0.9,
  scope: null,
  rules: [],
  ...more,
});

const byCode = (layer: "structure" | "evidence", rule: EndedVerification["rules"][number]): EndedVerification =>
  verified({ passed: false, layer, score: null, scope: "local", rules: [rule, "too-short"] });

const plan = (verdicts: readonly EndedVerification[], more: Partial<PlanRecord> = {}): PlanRecord => ({
  rounds: verdicts.length,
  replans: 0,
  degraded: null,
  verdicts,
  evidence: 10,
  empty_results: 4,
  reused: 0,
  requests: 5,
  shown_tokens: 250,
  full_tokens: 1000,
  ...more,
});

async function summaryOf(...plans: readonly PlanRecord[]) {
  const records = [
    runStart({ repeats: Math.max(1, plans.length), tasks: { a: {} } }),
    ...(plans.length === 0 ? [trialEnd("a", 1), scoreRecord("a", 1, PERFECT)] : []),
    ...plans.flatMap((one, index) => [trialEnd("a", index + 1, { plan: one }), scoreRecord("a", index + 1, PERFECT)]),
    runEnd(),
  ];
  return summariseRun(records, { metric: "pass_rate", min_pass: null });
}

const FAILED = [
  byCode("structure", "no-citation"),
  byCode("structure", "no-citation"),
  byCode("evidence", "number-not-in-evidence"),
  verified({ passed: false, score: 0.6, scope: "local" }),
  verified({ passed: false, score: 0.2, scope: "global" }),
  verified({ passed: false, layer: null, score: null }),
  verified(),
  verified({ sub_goal: null }),
];

describe("a report on plans", () => {
  it("has nothing to say of trials that had none", async () => {
    const summary = await summaryOf();
    expect(summary.arms[0]?.plans).toBeNull();
    expect(renderTerminal(summary, { paint: PLAIN, columns: 100 })).not.toContain("verification");
  });

  it("counts where verification stopped, by layer and reason, with empty tool results beside them", async () => {
    const summary = await summaryOf(plan(FAILED), plan([verified(), verified()], { empty_results: 0 }));
    expect(stoppedRows(summary.arms[0]?.plans ?? null)).toEqual([
      ["structure: no-citation", "2", "20.0 %"],
      ["evidence: number-not-in-evidence", "1", "10.0 %"],
      ["goal: not met", "1", "10.0 %"],
      ["goal: partly met", "1", "10.0 %"],
      ["no verdict", "1", "10.0 %"],
      ["empty tool results", "4", "20.0 %"],
    ]);
    const terminal = renderTerminal(summary, { paint: PLAIN, columns: 100 });
    expect(terminal).toMatch(/structure: no-citation +2 +20\.0 %/);
    expect(terminal).toContain("verification: 4 of 10 verdicts passed");
    expect(renderMarkdown(summary)).toContain("| structure: no-citation | 2 | 20.0 % |");
  });

  it("says what slimming saved, and which answers are not fully verified", async () => {
    const summary = await summaryOf(plan(FAILED, { degraded: "rounds-spent", replans: 1, reused: 2 }));
    const terminal = renderTerminal(summary, { paint: PLAIN, columns: 200 });
    expect(terminal).toContain("earlier work in 5 executor requests: 250 tokens shown for 1,000, 75.0 % saved");
    expect(terminal).toContain("NOT FULLY VERIFIED: rounds-spent 1");
    expect(terminal).toContain("2 outputs reused");
  });

  it("puts two runs side by side, also where one of them had no plans", async () => {
    const [base, head] = [(await summaryOf()).arms[0], (await summaryOf(plan(FAILED))).arms[0]];
    expect(comparedStops(base?.plans ?? null, head?.plans ?? null).slice(0, 2)).toEqual([
      ["verdicts passed", "–", "2 of 8"],
      ["structure: no-citation", "–", "2 (25.0 %)"],
    ]);
    expect(comparedStops(null, null)).toEqual([]);
  });
});
