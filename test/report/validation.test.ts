import { describe, expect, it } from "vitest";
import type { CandidateScore, RunRecord } from "../../src/core/run-record.js";
import type { EndedCheck } from "../../src/core/validation-state.js";
import { renderMarkdown } from "../../src/report/render-markdown.js";
import { renderTerminal } from "../../src/report/render-terminal.js";
import { summariseRun } from "../../src/report/summary.js";
import { ANSWERED, runEnd, runStart, scoreRecord, trialEnd } from "../support/run-records.js";

const PLAIN = { good: String, middling: String, bad: String, faint: String, strong: String };

function check(more: Partial<EndedCheck> & { file?: string } = {}): EndedCheck {
  const { file = "candidate-a.csv", ...rest } = more;
  return {
    seq: 7,
    validator: "process",
    trigger: "candidate",
    mode: "enforce",
    verdict: "passed",
    by: "model",
    step: 3,
    candidate: { file, signature: file },
    findings: [],
    inconsistent: false,
    ...rest,
  };
}

function candidateScore(
  task_id: string,
  k: number,
  candidate: string,
  right: boolean,
  more: Partial<CandidateScore> = {},
): CandidateScore {
  const { record: _record, ...score } = scoreRecord(
    task_id,
    k,
    right ? { status: "perfect", value: 1 } : { status: "none", value: 0 },
  );
  return { ...score, record: "candidate-score", candidate, ...more };
}

async function validationOf(...records: RunRecord[]) {
  const tasks = { a: {}, b: {} };
  const all = [runStart({ repeats: 2, tasks }), ...records, runEnd()];
  const summary = await summariseRun(all, { metric: "pass_rate", min_pass: null });
  return { summary, validation: summary.arms[0]?.validation ?? null };
}

describe("a report on checks", () => {
  it("has none where no trial was checked", async () => {
    const { summary, validation } = await validationOf(trialEnd("a", 1), scoreRecord("a", 1));
    expect(validation).toBeNull();
    expect(renderTerminal(summary, { paint: PLAIN, columns: 80 })).not.toContain("checks:");
  });

  it("counts checks by validator, trigger, mode and verdict, skipped ones by their reason", async () => {
    const checks = [
      check({ trigger: "periodic", candidate: null }),
      check({ verdict: "rejected", inconsistent: true }),
      check(),
      check({ validator: "answer" }),
      check({ validator: "answer", verdict: "retry-limit", by: null }),
    ];
    const { summary, validation } = await validationOf(
      trialEnd("a", 1, { checks }),
      trialEnd("a", 2, { checks: [check()] }),
    );
    expect(validation?.checks).toEqual([
      { validator: "process", trigger: "periodic", mode: "enforce", verdict: "passed", count: 1 },
      { validator: "process", trigger: "candidate", mode: "enforce", verdict: "rejected", count: 1 },
      { validator: "process", trigger: "candidate", mode: "enforce", verdict: "passed", count: 2 },
      { validator: "answer", trigger: "candidate", mode: "enforce", verdict: "passed", count: 1 },
      { validator: "answer", trigger: "candidate", mode: "enforce", verdict: "retry-limit", count: 1 },
    ]);
    expect(validation?.inconsistent).toBe(1);
    const text = renderTerminal(summary, { paint: PLAIN, columns: null });
    expect(text).toContain(
      "checks: process periodic passed 1 · process candidate rejected 1, passed 2 · answer candidate".slice(0, 70),
    );
    expect(text).toContain("answer passed 1, retry-limit 1");
    expect(text).toContain("1 inconsistent verdict");
  });

  it("counts released trials loudly", async () => {
    const outcome = { ...ANSWERED, validation: { process: "released", answer: "passed" } } as const;
    const { summary, validation } = await validationOf(
      trialEnd("a", 1, { outcome, checks: [check({ verdict: "released" })] }),
    );
    expect(validation?.released_trials).toBe(1);
    expect(renderTerminal(summary, { paint: PLAIN, columns: null })).toContain("1 trial RELEASED");
  });

  it("says what came of candidates that were taken back: another answer or not, a better score or a worse one", async () => {
    const rejected = (file: string) => check({ verdict: "rejected", file });
    const { validation } = await validationOf(
      trialEnd("a", 1, { signature: "other", checks: [rejected("c1.csv"), check({ file: "c2.csv" })] }),
      scoreRecord("a", 1, { status: "perfect", value: 1 }),
      candidateScore("a", 1, "c1.csv", false),
      trialEnd("a", 2, { signature: "c1.csv", checks: [rejected("c1.csv")] }),
      scoreRecord("a", 2, { status: "none", value: 0 }),
      candidateScore("a", 2, "c1.csv", false),
      trialEnd("b", 1, { signature: "other", checks: [rejected("c1.csv")] }),
      scoreRecord("b", 1, { status: "none", value: 0 }),
      candidateScore("b", 1, "c1.csv", true),
      trialEnd("b", 2, {
        signature: null,
        prediction: null,
        outcome: { kind: "no-answer", reason: "max-steps" },
        checks: [rejected("c1.csv"), check({ mode: "observe", verdict: "rejected" })],
      }),
    );
    expect(validation?.rejections).toEqual({
      candidates: 4,
      changed: 2,
      unchanged: 1,
      without_answer: 1,
      better: 1,
      worse: 1,
      same_score: 1,
    });
  });

  it("sums a validator's calls, tokens and seconds, and findings by rule and level", async () => {
    const row = { model: "m", cached_tokens: null, reasoning_tokens: null };
    const usage = [
      { ...row, purpose: "agent", calls: 9, ms: 9000, input_tokens: 1, output_tokens: 1 },
      { ...row, purpose: "process-validator", calls: 2, ms: 1500, input_tokens: 1000, output_tokens: null },
    ];
    const findings = [{ rule: "unasked-limit", level: "warn" } as const];
    const { validation } = await validationOf(
      trialEnd("a", 1, { usage, checks: [check({ findings })] }),
      trialEnd("a", 2, { usage, checks: [check({ findings })] }),
    );
    expect(validation?.spent).toEqual([
      { validator: "process", calls: 4, input_tokens: 2000, output_tokens: null, seconds: 3 },
    ]);
    expect(validation?.findings).toEqual([{ rule: "unasked-limit", level: "warn", count: 2 }]);
  });
});

describe("the confusion table", () => {
  it("sets verdicts against scores, per validator and per rule, with Wilson's intervals", async () => {
    const limit = [{ rule: "unasked-limit", level: "warn" } as const];
    const observed = (file: string, verdict: "passed" | "rejected", findings: EndedCheck["findings"] = []) =>
      check({ file, verdict, findings, mode: "observe" });
    const { summary, validation } = await validationOf(
      trialEnd("a", 1, { checks: [observed("w.csv", "rejected", limit), observed("r.csv", "passed")] }),
      candidateScore("a", 1, "w.csv", false),
      candidateScore("a", 1, "r.csv", true),
      trialEnd("a", 2, { checks: [observed("w.csv", "passed", limit), observed("r.csv", "rejected")] }),
      candidateScore("a", 2, "w.csv", false),
      candidateScore("a", 2, "r.csv", true),
      trialEnd("b", 1, { checks: [observed("gone.csv", "passed"), check({ verdict: "released" })] }),
    );
    const process = validation?.confusion.find(({ judge }) => judge === "process");
    expect(process).toMatchObject({
      rejected_wrong: 1,
      accepted_wrong: 1,
      rejected_right: 1,
      accepted_right: 1,
      unscored: 1,
    });
    expect(process?.caught.rate).toBe(0.5);
    expect(process?.caught.ci95?.map((end) => Math.round(end * 1000))).toEqual([95, 905]);
    const rule = validation?.confusion.find(({ judge }) => judge.startsWith("unasked-limit"));
    expect(rule).toMatchObject({
      judge: "unasked-limit (process)",
      rejected_wrong: 2,
      accepted_wrong: 0,
      rejected_right: 0,
      accepted_right: 2,
    });
    expect(rule?.false_alarms.rate).toBe(0);
    const text = renderTerminal(summary, { paint: PLAIN, columns: null });
    // `document-ignored` looked at each of these candidates too, and no other check of form than the process's was made.
    expect(validation?.silent_rules).toContain("document-ignored");
    expect(validation?.silent_rules).not.toContain("unasked-limit (process)");
    expect(validation?.silent_rules).not.toContain("empty-table");
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/rejected nothing: unseen-table, .*document-ignored/);
    expect(text).toMatch(/process +1 +1 +1 +1 +1 +50 % \(9–91\) +50 % \(9–91\)/);
    expect(renderMarkdown(summary)).toContain("| process | 1 | 1 | 1 | 1 | 1 | 50 % (9–91) | 50 % (9–91) |");
  });

  it("takes the newest score of a candidate and none of an older attempt", async () => {
    const { validation } = await validationOf(
      trialEnd("a", 1, { attempt: 2, checks: [check({ file: "c.csv" })] }),
      candidateScore("a", 1, "c.csv", true, { attempt: 1 }),
      candidateScore("a", 1, "c.csv", true, { attempt: 2 }),
      candidateScore("a", 1, "c.csv", false, { attempt: 2 }),
    );
    expect(validation?.confusion).toMatchObject([{ judge: "process", accepted_wrong: 1, accepted_right: 0 }]);
  });
});
