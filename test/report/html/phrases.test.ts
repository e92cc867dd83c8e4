import { describe, expect, it } from "vitest";
import { DEGRADE_REASONS, PAUSE_POINTS, REFUSALS, ROUTES } from "../../../src/core/event-plan.js";
import { INTEGRITY_FLAGS } from "../../../src/core/integrity.js";
import { MODEL_FAILURE_CLASSES } from "../../../src/core/message.js";
import type { TrialOutcome } from "../../../src/core/outcome.js";
import type { PlanRecord } from "../../../src/core/plan-record.js";
import type { RunRecord } from "../../../src/core/run-record.js";
import { DIFFICULTIES } from "../../../src/core/task.js";
import type { EndedCheck } from "../../../src/core/validation-state.js";
import type { ArmSummary } from "../../../src/report/arm-summary.js";
import { inChinese } from "../../../src/report/html/client/phrases.js";
import { planFacts } from "../../../src/report/html/client/plan-facts.js";
import { pageComparison } from "../../../src/report/html/page-comparison.js";
import { outcomeSentence } from "../../../src/report/outcome-sentence.js";
import { comparedStops, planSentences, STOPPED_HEADERS, stoppedRows } from "../../../src/report/plan-sentences.js";
import { gatherFacts } from "../../../src/report/run-facts.js";
import { cautions, originParts, reservations } from "../../../src/report/sentences.js";
import { summariseRun } from "../../../src/report/summary.js";
import { validationSentences } from "../../../src/report/validation-sentences.js";
import { verdict } from "../../support/plan-events.js";
import { runOf, scoreRecord, trialEnd } from "../../support/run-records.js";

/** Words of the English sentence that its Chinese still has, but for names. */
function leftInEnglish(text: string): string[] {
  const names =
    /gold\.csv|Wilson|Holm|CI\b|SE\b|kdd-columns|task_\d+|run-\d|\bp\b|p_|sign-flip|ECONNREFUSED|Error|no-citation|fan-out|docs.security.md|tools.python.sandbox: unsafe-none|Python/g;
  return (
    inChinese(text)
      .replaceAll(names, "")
      .match(/[A-Za-z]{2,}/g) ?? []
  );
}

const OUTCOMES: readonly TrialOutcome[] = [
  { kind: "answered", forced: true, degraded: false, validation: { process: "off", answer: "off" } },
  ...(["max-steps", "refusal", "empty"] as const).map((reason) => ({ kind: "no-answer", reason }) as const),
  ...(["tokens", "cost", "seconds", "context-window"] as const).map(
    (limit) => ({ kind: "limit-reached", limit }) as const,
  ),
  { kind: "agent-error", reason: "repair-limit", message: "" },
  ...MODEL_FAILURE_CLASSES.flatMap((one) =>
    one === "context-window" ? [] : [{ kind: "infra-error", class: one, message: "" } as const],
  ),
];

const RELEASED = { process: "released", answer: "passed" } as const;
const UNSAFE = (arm: ArmSummary): ArmSummary => ({ ...arm, sandbox: { python: "unsafe-none", reason: null } });

describe("the report's sentences in Chinese", () => {
  it("has every way in which a trial ends, also as what went wrong", async () => {
    const records: RunRecord[] = [
      ...runOf({ task_1: "10." }),
      ...OUTCOMES.flatMap((outcome, index) => {
        const end = trialEnd("task_2", index + 1, { outcome });
        return outcome.kind === "infra-error"
          ? [end]
          : [end, scoreRecord("task_2", index + 1, { status: "none", value: 0 })];
      }),
      trialEnd("task_3", 1),
      trialEnd("task_3", 2),
      scoreRecord("task_3", 2, { status: "missing", value: 0, reason: null }),
      trialEnd("task_3", 3),
      scoreRecord("task_3", 3, { status: "unscored", value: null, reason: "there is no gold.csv" }),
    ];
    const { arms } = await summariseRun(records, { metric: "pass_rate", min_pass: null });
    const notes = arms.flatMap(({ tasks }) => tasks.flatMap((task) => task.notes.map(({ note }) => note)));
    expect(notes.length).toBeGreaterThan(18);
    for (const text of [...notes, ...OUTCOMES.map(outcomeSentence), ...DIFFICULTIES]) {
      expect(leftInEnglish(text), text).toEqual([]);
    }
  });

  it("has why runs and tasks cannot be compared, and the gate's reasons", async () => {
    const facts = (marks: Readonly<Record<string, string>>, more: Parameters<typeof runOf>[1] = {}) =>
      gatherFacts(runOf(marks, more));
    const base = await facts({ task_1: "111", task_2: "0.!", task_3: "111" });
    const heads = [
      await facts({ task_1: "000", task_2: "111" }, { run_id: "run-2" }),
      await facts({ task_9: "000" }, { run_id: "run-2" }),
      await facts({ task_1: "000", task_3: "000" }, { run_id: "run-2", tasks: { task_1: { gold: "other" } } }),
      await facts({ task_1: "???" }, { run_id: "run-2" }),
    ];
    for (const head of heads) {
      const { comparisons, left_out, missing } = pageComparison(base, head, "pass_rate");
      const reasons = comparisons.flatMap((one) => [
        one.gate.reason,
        one.verdict,
        ...one.incomparable.map(({ why }) => why),
      ]);
      for (const text of [...left_out, ...missing, ...reasons]) expect(leftInEnglish(text), text).toEqual([]);
    }
  });

  it("has the gate on a rate, missed and reached", async () => {
    for (const min_pass of [0.2, 0.9]) {
      const { gate } = await summariseRun(runOf({ task_1: "110" }), { metric: "pass_rate", min_pass });
      expect(leftInEnglish(gate?.reason ?? "")).toEqual([]);
    }
    const { gate } = await summariseRun(runOf({ task_1: "???" }), { metric: "score", min_pass: 0.2 });
    expect(inChinese(gate?.reason ?? "")).toBe("没有平均得分（没有评分）低于下限 0.200");
    for (const [must_pass, min_pass] of [
      [["task_1"], null],
      [["task_1", "task_9"], 0.2],
      [[], 0.2],
    ] as const) {
      for (const mark of ["11", "10"]) {
        const records = runOf({ task_1: mark }, { gate: { must_pass, min_pass } });
        const found = await summariseRun(records, { metric: "pass_rate", min_pass: null });
        expect(leftInEnglish(found.gate?.reason ?? "")).toEqual([]);
      }
    }
  });

  it("has what checks, plans, integrity and requests say, and their tables", async () => {
    const plan: PlanRecord = {
      ...{ rounds: 4, replans: 1, degraded: "rounds-spent", evidence: 9, empty_results: 2, reused: 1, requests: 3 },
      ...{ shown_tokens: 10, full_tokens: 40 },
      verdicts: (
        [
          ["structure", null, ["no-citation"]],
          ["goal", "local", []],
          ["goal", "global", []],
          [null, null, []],
        ] as const
      ).map(([layer, scope, rules]) => ({ sub_goal: "s1", round: 1, passed: false, layer, score: null, scope, rules })),
    };
    const checks: readonly EndedCheck[] = (["rejected", "passed", "retry-limit"] as const).flatMap((verdict) =>
      (["process", "answer"] as const).map((validator) => ({
        ...({ seq: 7, validator, trigger: "candidate", mode: "observe", verdict, by: "model", step: 3 } as const),
        ...{ candidate: null, inconsistent: true, findings: [{ rule: "fan-out", level: "warn" } as const] },
      })),
    );
    const spent = { model: "m", input_tokens: 5, output_tokens: 2, cached_tokens: null, reasoning_tokens: null };
    const end = trialEnd("task_1", 1, {
      ...{ plan, checks, integrity: INTEGRITY_FLAGS, requests: { ok: 3, cached: 2, timeout: 9 } },
      outcome: { ...OUTCOMES[0], kind: "answered", degraded: true, forced: true, validation: RELEASED },
      usage: (["process-validator", "extractor"] as const).map((purpose) => ({ ...spent, purpose, calls: 1, ms: 2 })),
    });
    const records = runOf({ task_1: "000", task_2: "100", task_4: "???" }).map((one) => {
      if (one.record === "trial-end" && one.task_id === "task_1" && one.k === 1) return end;
      return one.record === "score" && one.value === null ? { ...one, reason: "there is no gold.csv" } : one;
    });
    const summary = await summariseRun(records, { metric: "pass_rate", min_pass: null });
    const [arm] = summary.arms;
    if (arm === undefined) throw new Error("no arm");
    const sentences = [...cautions(arm), ...validationSentences(arm.validation), ...planSentences(arm.plans)].flat();
    const cells = [STOPPED_HEADERS, ...stoppedRows(arm.plans), ...comparedStops(null, arm.plans)].flat();
    const origin = originParts({ ...summary, replay_of: "run-1", imported_from: ["run-2"] });
    expect(sentences.length).toBeGreaterThan(25);
    for (const text of [...sentences, ...cells, ...origin, ...reservations({ ...summary, arms: [UNSAFE(arm)] })]) {
      expect(leftInEnglish(text), text).toEqual([]);
    }
    expect(inChinese("checks: process candidate observed rejected 1, retry-limit 2")).toBe(
      "校验：过程 候选答案 只观察 驳回 1、驳回次数用尽 2",
    );
    expect(inChinese("NOT FULLY VERIFIED: rounds-spent 1, no-plan 2")).toBe("未完全核验：轮次用尽 1、没有计划 2");
  });

  it("has the facts of every event of a plan", () => {
    const verified = { type: "step-verified", sub_goal: "s1", round: 2, error: null } as const;
    const facts = [
      ...REFUSALS.map((reason) => ({ type: "reply-refused", purpose: "planner", reason, message: "" }) as const),
      ...ROUTES.map((to) => ({ type: "route-taken", to, degraded: null }) as const),
      ...DEGRADE_REASONS.map((degraded) => ({ type: "route-taken", to: "finalize", degraded }) as const),
      ...PAUSE_POINTS.map((pause) => ({ type: "person-decided", pause, decision: { kind: "approve" } }) as const),
      { ...verified, verdict: verdict({ passed: false, scope: "global" }) },
      { ...verified, verdict: null },
    ].flatMap(planFacts);
    for (const text of facts) expect(leftInEnglish(text), text).toEqual([]);
  });

  it("leaves what is not the report's own as it is", () => {
    expect(inChinese("TypeError: x is not a function")).toBe("TypeError: x is not a function");
    expect(inChinese("infra-error: connection: connect ECONNREFUSED 10.0.0.1")).toBe(
      "基础设施故障：连接失败（connect ECONNREFUSED 10.0.0.1）",
    );
  });
});
