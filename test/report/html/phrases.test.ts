import { describe, expect, it } from "vitest";
import { MODEL_FAILURE_CLASSES } from "../../../src/core/message.js";
import type { TrialOutcome } from "../../../src/core/outcome.js";
import type { RunRecord } from "../../../src/core/run-record.js";
import { DIFFICULTIES } from "../../../src/core/task.js";
import { inChinese } from "../../../src/report/html/client/phrases.js";
import { pageComparison } from "../../../src/report/html/page-comparison.js";
import { outcomeSentence } from "../../../src/report/outcome-sentence.js";
import { gatherFacts } from "../../../src/report/run-facts.js";
import { summariseRun } from "../../../src/report/summary.js";
import { runOf, scoreRecord, trialEnd } from "../../support/run-records.js";

/** Words of the English sentence that its Chinese still has, but for names. */
function leftInEnglish(text: string): string[] {
  const names = /gold\.csv|Wilson|Holm|CI\b|SE\b|kdd-columns|task_\d+|run-\d|\bp\b|p_|sign-flip|ECONNREFUSED|Error/g;
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

  it("leaves what is not the report's own as it is", () => {
    expect(inChinese("TypeError: x is not a function")).toBe("TypeError: x is not a function");
    expect(inChinese("infra-error: connection: connect ECONNREFUSED 10.0.0.1")).toBe(
      "基础设施故障：连接失败（connect ECONNREFUSED 10.0.0.1）",
    );
  });
});
