import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/core/run-record.js";
import type { ArmSummary } from "../../src/report/arm-summary.js";
import { type RunSummary, summariseRun } from "../../src/report/summary.js";
import type { Metric } from "../../src/report/task-summary.js";
import {
  ANSWERED,
  NO_CONNECTION,
  PERFECT,
  runEnd,
  runOf,
  runStart,
  scoreRecord,
  trialEnd,
  UNSCORED,
  WRONG,
} from "../support/run-records.js";

const VECTOR_A = { task_1: "111", task_2: "110", task_3: "100", task_4: "000", task_5: "111" };

function summary(
  records: readonly RunRecord[],
  metric: Metric = "pass_rate",
  min_pass: number | null = null,
): Promise<RunSummary> {
  return summariseRun(records, { metric, min_pass });
}

async function armOf(records: readonly RunRecord[], metric: Metric = "pass_rate"): Promise<ArmSummary> {
  const [arm] = (await summary(records, metric)).arms;
  if (arm === undefined) throw new Error("no arm");
  return arm;
}

describe("the numbers of vector A (spec/statistics.md)", () => {
  it("are the published ones", async () => {
    const arm = await armOf(runOf(VECTOR_A));
    expect(arm).toMatchObject({
      arm: "main",
      metric: "pass_rate",
      repeats: 3,
      solid: 2,
      flaky: 2,
      broken: 1,
      incomplete: 0,
      infra: 0,
    });
    expect(arm.mean).toBeCloseTo(0.6, 12);
    expect(arm.stderr).toBeCloseTo(0.1943650632, 9);
    expect(arm.ci95?.[0]).toBeCloseTo(0.0603560718, 9);
    expect(arm.ci95?.[1]).toBe(1);
    expect(arm.pass_at_k["1"]).toBeCloseTo(0.6, 12);
    expect(arm.pass_at_k["2"]).toBeCloseTo(0.7333333, 6);
    expect(arm.pass_at_k["3"]).toBeCloseTo(0.8, 12);
    expect(arm.pass_hat_k["2"]).toBeCloseTo(0.4666667, 6);
    expect(arm.pass_hat_k["3"]).toBeCloseTo(0.4, 12);
    expect(arm).toMatchObject({
      stderr_method: "task-cluster",
      pass_hat_k_method: "without-replacement",
      ci95_method: "t",
    });
  });

  it("stand beside each task's passes, class and scores by repeat", async () => {
    const { tasks } = await armOf(runOf(VECTOR_A));
    expect(tasks.map(({ passes, valid, class: name }) => `${passes}/${valid} ${name}`)).toEqual([
      "3/3 solid",
      "2/3 flaky",
      "1/3 flaky",
      "0/3 broken",
      "3/3 solid",
    ]);
    expect(tasks[1]).toMatchObject({ scores: [1, 1, 0], marks: ["pass", "pass", "miss"], mean_score: 2 / 3 });
    expect(tasks[1]?.notes).toEqual([{ note: "0/2 columns, 2 extra", trials: 1 }]);
  });

  it("have a Wilson interval where every task does the same", async () => {
    const arm = await armOf(runOf({ a: "111", b: "111", c: "111" }));
    expect(arm).toMatchObject({ mean: 1, stderr: 0, ci95_method: "wilson" });
    expect(arm.ci95?.[0]).toBeCloseTo(0.4385, 4);
  });

  it("have no error and no interval for a single task", async () => {
    expect(await armOf(runOf({ a: "110" }))).toMatchObject({ stderr: null, ci95: null, ci95_method: null });
  });
});

describe("trials that are not valid", () => {
  it("two infra-errors of three: valid 1/3, pass^3 null, both brackets", async () => {
    const arm = await armOf(runOf({ a: "1!!" }));
    expect(arm.tasks[0]).toMatchObject({ valid: 1, passes: 1, class: "incomplete", infra: 2, scores: [1, null, null] });
    expect(arm.pass_hat_k["3"]).toBeNull();
    expect(arm.pass_at_k["3"]).toBeNull();
    expect(arm.pass_k_tasks["3"]).toBe(0);
    expect(arm.mean).toBe(1);
    expect(arm.mean_errors_as_misses).toBeCloseTo(1 / 3, 12);
    expect(arm).toMatchObject({ infra: 2, infra_classes: { connection: 2 }, incomplete: 1, solid: 0 });
  });

  it("an unbalanced run has the published brackets", async () => {
    const arm = await armOf(runOf({ a: "111", b: "10!", c: "000" }));
    expect(arm.mean).toBeCloseTo(0.5, 12);
    expect(arm.mean_errors_as_misses).toBeCloseTo(0.4444444, 6);
    expect(arm.pass_k_tasks).toEqual({ "1": 3, "2": 3, "3": 2 });
    expect(arm.pass_hat_k["3"]).toBeCloseTo(1 / 2, 12);
  });

  it("a task that never ran is incomplete, in the lower bracket only", async () => {
    const arm = await armOf(runOf({ a: "11", b: ".." }));
    expect(arm.tasks[1]).toMatchObject({ class: "incomplete", valid: 0, not_run: 2, mean_score: null });
    expect(arm).toMatchObject({ mean: 1, rated_tasks: 1, mean_errors_as_misses: 0.5, not_run: 2 });
  });

  it("all down: no rate at all, never 0", async () => {
    const arm = await armOf(runOf({ a: "!!!", b: "!!!" }));
    expect(arm).toMatchObject({
      mean: null,
      mean_score: null,
      stderr: null,
      ci95: null,
      infra: 6,
      mean_errors_as_misses: 0,
    });
  });
});

describe("unscored tasks", () => {
  it("are counted with their reasons and are in no rate", async () => {
    const arm = await armOf(runOf({ a: "111", b: "???" }, { tasks: { b: { gold: null } } }));
    expect(arm.tasks[1]).toMatchObject({
      class: "unscored",
      passes: null,
      valid: 3,
      mean_score: null,
      scores: [null, null, null],
    });
    expect(arm).toMatchObject({
      mean: 1,
      mean_score: 1,
      mean_errors_as_misses: 1,
      unscored: 1,
      unscored_trials: 3,
      unscored_reasons: { "no gold": 3 },
      broken: 0,
    });
    expect(arm.scorers[0]).toMatchObject({
      scorer: "kdd-columns",
      scored_trials: 3,
      unscored_trials: 3,
      perfect_rate: 1,
    });
  });

  it("stay out of the lower bracket too, whatever their other trials did", async () => {
    expect(await armOf(runOf({ a: "111", b: "?!." }))).toMatchObject({
      mean: 1,
      mean_errors_as_misses: 1,
      unscored: 1,
    });
  });

  it("without a score record say that the log has none", async () => {
    const arm = await armOf([runStart({ repeats: 1, tasks: { a: {} } }), trialEnd("a", 1), runEnd()]);
    expect(arm).toMatchObject({ unscored: 1, unscored_reasons: { "no score by kdd-columns in the log": 1 } });
  });

  it("stay unscored where no trial of a task without gold ran", async () => {
    const arm = await armOf([runStart({ repeats: 1, tasks: { a: { gold: null } } }), runEnd("interrupted")]);
    expect(arm.tasks[0]).toMatchObject({ class: "unscored", passes: null, not_run: 1 });
  });
});

describe("which records count", () => {
  const start = runStart({ repeats: 1, tasks: { a: {} } });

  it("the newest attempt of a trial, and scores of that attempt only", async () => {
    const arm = await armOf([
      start,
      trialEnd("a", 1, { outcome: NO_CONNECTION, prediction: null }),
      trialEnd("a", 1, { attempt: 2 }),
      scoreRecord("a", 1, { ...PERFECT, attempt: 2 }),
      scoreRecord("a", 1, { ...WRONG, attempt: 1 }),
      runEnd(),
    ]);
    expect(arm.tasks[0]).toMatchObject({ passes: 1, valid: 1, infra: 0 });
  });

  it("a new attempt leaves the scores of the old one behind", async () => {
    const arm = await armOf([
      start,
      trialEnd("a", 1),
      scoreRecord("a", 1, PERFECT),
      trialEnd("a", 1, { attempt: 2 }),
      runEnd(),
    ]);
    expect(arm).toMatchObject({ unscored_trials: 1, mean: null });
  });

  it("the newest score of a scorer", async () => {
    const arm = await armOf([
      start,
      trialEnd("a", 1),
      scoreRecord("a", 1, UNSCORED),
      scoreRecord("a", 1, { ...WRONG, scorer_version: "2" }),
      runEnd(),
    ]);
    expect(arm.tasks[0]).toMatchObject({ passes: 0, class: "broken" });
    expect(arm.scorers[0]?.versions).toEqual(["2"]);
  });

  it("a log without run-end, or with a resume after it, is interrupted", async () => {
    expect((await summary([start])).status).toBe("interrupted");
    expect(
      await summary([start, runEnd(), { record: "run-resume", at: "", forced: ["x changed"], added: [], argv: [] }]),
    ).toMatchObject({
      status: "interrupted",
      forced: ["x changed"],
    });
  });

  it("refuses records without a run-start", async () => {
    await expect(summary([runEnd()])).rejects.toThrow("without run-start");
  });
});

describe("what a pass is", () => {
  const partial = scoreRecord("a", 1, { status: "partial", value: 0.8 });

  it("the primary scorer's perfect", async () => {
    const arm = await armOf([runStart({ repeats: 1, tasks: { a: {} } }), trialEnd("a", 1), partial, runEnd()]);
    expect(arm).toMatchObject({ mean: 0, mean_score: 0.8, broken: 1 });
  });

  it("or a least score, where the profile sets one", async () => {
    const start = runStart({ repeats: 1, tasks: { a: {} }, scoring: { pass_min_score: 0.8 } });
    expect(await armOf([start, trialEnd("a", 1), partial, runEnd()])).toMatchObject({ mean: 1, solid: 1 });
  });

  it("and none where a claim check that was made a gate is red, whatever else is right", async () => {
    const claims = { scorer: "claims", status: "none", value: 0, details: { gate_failed: true } } as const;
    const gate = (failed: boolean) => scoreRecord("a", 1, { ...claims, details: { gate_failed: failed } });
    const records = [runStart({ repeats: 1, tasks: { a: {} } }), trialEnd("a", 1), scoreRecord("a", 1, PERFECT)];
    const failed = await armOf([...records, gate(true), runEnd()]);
    expect(failed.mean).toBe(0);
    expect(failed.tasks[0]?.notes).toEqual([{ note: "gate: claims", trials: 1 }]);
    expect((await armOf([...records, gate(false), runEnd()])).mean).toBe(1);
  });

  it("is no matter of a line format or a claim check, which have counts of their own", async () => {
    const line = (complied: boolean) => ({ rules: [{ name: "sources", required: true, complied, line: null }] });
    const claims = (state: string) => ({ checks: [{ check: "teams", state }] });
    const own = (task: string, k: number, complied: boolean, state: string) => [
      trialEnd(task, k),
      scoreRecord(task, k, PERFECT),
      scoreRecord(task, k, { scorer: "line-format", value: complied ? 1 : 0, details: line(complied) }),
      scoreRecord(task, k, { scorer: "claims", value: 0, details: claims(state) }),
    ];
    const arm = await armOf([
      runStart({ repeats: 2, tasks: { a: {}, b: {} } }),
      ...own("a", 1, true, "passed"),
      ...own("a", 2, false, "red"),
      ...own("b", 1, true, "unchecked"),
      ...own("b", 2, true, "passed"),
      runEnd(),
    ]);
    expect(arm.mean).toBe(1);
    expect(arm.line_formats).toMatchObject([
      { rule: "sources", required: true, trials: 4, complied: 3, rated_tasks: 2, mean: 0.75 },
    ]);
    expect(arm.claim_checks).toEqual([{ check: "teams", passed: 2, red: 1, unchecked: 1 }]);
  });

  it("another scorer's score never makes one, and stands beside it", async () => {
    const records = [
      runStart({ repeats: 1, tasks: { a: {} } }),
      trialEnd("a", 1),
      scoreRecord("a", 1, { ...PERFECT, scorer: "cell-f1" }),
      scoreRecord("a", 1, WRONG),
      runEnd(),
    ];
    const arm = await armOf(records);
    expect(arm.mean).toBe(0);
    expect(arm.scorers.map(({ scorer, mean_score }) => [scorer, mean_score])).toEqual([
      ["kdd-columns", 0],
      ["cell-f1", 1],
    ]);
  });

  it("--metric score takes the mean score for the headline and says so", async () => {
    const records = [
      runStart({ repeats: 1, tasks: { a: {}, b: {} } }),
      trialEnd("a", 1),
      partial,
      trialEnd("b", 1),
      scoreRecord("b", 1, { status: "partial", value: 0.4 }),
      runEnd(),
    ];
    const arm = await armOf(records, "score");
    expect(arm.metric).toBe("score");
    expect(arm.mean).toBeCloseTo(0.6, 12);
    expect(arm.stderr).toBeCloseTo(0.2, 12);
  });
});

describe("what a run cost", () => {
  it("is summed over all attempts, with unknown counts left out and counted", async () => {
    const usage = (input_tokens: number | null) => [
      {
        purpose: "agent",
        model: "m",
        calls: 1,
        ms: 9,
        input_tokens,
        output_tokens: 10,
        cached_tokens: null,
        reasoning_tokens: null,
      },
    ];
    const arm = await armOf([
      runStart({ repeats: 2, tasks: { a: {} } }),
      trialEnd("a", 1, {
        outcome: NO_CONNECTION,
        usage: usage(100),
        cost_usd: 0.5,
        requests: { ok: 1, connection: 3 },
      }),
      trialEnd("a", 1, { attempt: 2, usage: usage(200), cost_usd: 0.25, requests: { ok: 2 } }),
      trialEnd("a", 2, { usage: usage(null), cost_usd: null, requests: { ok: 1, "rate-limit": 1 } }),
      runEnd(),
    ]);
    expect(arm.usage).toMatchObject({ input_tokens: 300, output_tokens: 30, cached_tokens: null });
    expect(arm.usage.by_purpose).toMatchObject([{ purpose: "agent", calls: 3, ms: 27, input_tokens: 300 }]);
    expect(arm).toMatchObject({ cost_usd: 0.75, unpriced_trials: 1, trials_with_failed_requests: 1 });
    expect(arm.requests).toEqual({ ok: 4, connection: 3, "rate-limit": 1 });
  });
});

describe("how trials went", () => {
  it("counts outcomes, forced answers, missing and invalid predictions", async () => {
    const arm = await armOf([
      runStart({ repeats: 3, tasks: { a: {} } }),
      trialEnd("a", 1, { outcome: { kind: "no-answer", reason: "max-steps" }, prediction: null, signature: null }),
      scoreRecord("a", 1, { status: "missing", value: 0, reason: "no prediction" }),
      trialEnd("a", 2, { outcome: { ...ANSWERED, forced: true } }),
      scoreRecord("a", 2, { status: "invalid", value: 0, reason: "line 3 has 2 cells" }),
      trialEnd("a", 3, { outcome: { kind: "limit-reached", limit: "tokens" } }),
      scoreRecord("a", 3, { status: "missing", value: 0, reason: "no prediction" }),
      runEnd(),
    ]);
    expect(arm.outcomes).toEqual({ "no-answer: max-steps": 1, answered: 1, "limit-reached: tokens": 1 });
    expect(arm).toMatchObject({ forced_answers: 1, missing: 2, invalid: 1, broken: 1 });
    expect(arm.tasks[0]?.notes.map(({ note }) => note)).toEqual([
      "no answer: max-steps",
      "invalid: line 3 has 2 cells",
      "limit reached: tokens",
    ]);
  });

  it("takes the median of steps and seconds over valid trials", async () => {
    const arm = await armOf([
      runStart({ repeats: 3, tasks: { a: {} } }),
      trialEnd("a", 1, { steps: 2, wall_ms: 1000 }),
      trialEnd("a", 2, { steps: 5, wall_ms: 2000 }),
      trialEnd("a", 3, { outcome: NO_CONNECTION, steps: 99, wall_ms: 99_000 }),
      runEnd(),
    ]);
    expect(arm).toMatchObject({ median_steps: 3.5, median_seconds: 1.5 });
  });

  it("says how often repeats gave the same answer", async () => {
    const arm = await armOf(runOf({ a: "111", b: "110", c: "1!!" }));
    expect(arm.agreement).toBeCloseTo((1 + 1 / 3) / 2, 12);
    expect(arm.agreement_tasks).toBe(2);
  });

  it("groups by difficulty, easy first, and by tag", async () => {
    const arm = await armOf(
      runOf(
        { a: "11", b: "10", c: "00" },
        {
          tasks: {
            a: { difficulty: "hard", tags: ["join"] },
            b: { difficulty: "easy" },
            c: { difficulty: "hard", tags: ["join", "date"] },
          },
        },
      ),
    );
    expect(arm.by_difficulty.map(({ name, mean, rated_tasks }) => [name, mean, rated_tasks])).toEqual([
      ["easy", 0.5, 1],
      ["hard", 0.5, 2],
    ]);
    expect(arm.by_tag.map(({ name, mean, valid_trials }) => [name, mean, valid_trials])).toEqual([
      ["date", 0, 2],
      ["join", 0.5, 4],
    ]);
  });
});

describe("the gate", () => {
  it("fails below the least rate and says both numbers", async () => {
    expect((await summary(runOf(VECTOR_A), "pass_rate", 0.61)).gate).toEqual({
      min_pass: 0.61,
      must_pass: [],
      failed: true,
      reason: "pass rate 60.0 % is below the least of 61.0 %",
    });
    expect((await summary(runOf(VECTOR_A), "pass_rate", 0.6)).gate?.failed).toBe(false);
  });

  it("is the profile's where the call has none, and null where neither has", async () => {
    expect((await summary(runOf(VECTOR_A, { gate: { min_pass: 0.9 } }))).gate?.failed).toBe(true);
    expect((await summary(runOf(VECTOR_A))).gate).toBeNull();
  });

  it("fails for a task that must pass and did not each time, or was not there to pass", async () => {
    const gate = async (must_pass: string[], min_pass: number | null = null) =>
      (
        await summary(
          runOf({ ...VECTOR_A, down: "1!!", lost: "!!!", unscored: "???" }, { gate: { must_pass } }),
          "pass_rate",
          min_pass,
        )
      ).gate;
    expect(await gate(["task_1", "task_5"])).toMatchObject({
      failed: false,
      reason: "2 tasks that must pass: all passed",
    });
    expect(await gate(["task_1", "task_2", "unscored", "gone"], 0.5)).toMatchObject({
      failed: true,
      reason:
        "task_2 must pass: 2/3; unscored must pass: 0/0; gone must pass: not in the run; pass rate 66.7 % reaches the least of 50.0 %",
    });
    // What infrastructure cost is no miss; that the run is not whole is said apart (exit 3).
    expect(await gate(["down"])).toMatchObject({ failed: false });
    expect(await gate(["lost"])).toMatchObject({ failed: true, reason: "lost must pass: 0/0" });
  });

  it("leaves a task that must pass to the shard that has it", async () => {
    const [start, ...others] = runOf({ a: "1" }, { gate: { must_pass: ["a", "b"] } });
    if (start?.record !== "run-start") throw new Error("no run-start");
    const [task] = start.tasks;
    const tasks = task === undefined ? [] : [task, { ...task, task_id: "b" }];
    expect((await summary([{ ...start, shard: { index: 1, count: 2, tasks } }, ...others])).gate).toMatchObject({
      failed: false,
      reason: "1 task that must pass: all passed",
    });
  });

  it("fails where nothing is scored", async () => {
    expect((await summary(runOf({ a: "???" }), "pass_rate", 0)).gate).toMatchObject({ failed: true });
  });

  it("knows whether the run is whole: completed, and no more infra-errors than allowed", async () => {
    expect((await summary(runOf({ a: "11!" }))).whole).toBe(false);
    expect((await summary(runOf({ a: "11!" }, { gate: { max_infra: 1 } }))).whole).toBe(true);
    expect((await summary(runOf({ a: "11." }))).whole).toBe(false);
  });
});

describe("arms", () => {
  it("are summarised apart", async () => {
    const start = { ...runStart({ repeats: 1, tasks: { a: {} } }), arms: ["one", "two"] };
    const { arms } = await summary([
      start,
      trialEnd("a", 1, { arm: "one" }),
      scoreRecord("a", 1, { ...PERFECT, arm: "one" }),
      trialEnd("a", 1, { arm: "two" }),
      scoreRecord("a", 1, { ...WRONG, arm: "two" }),
      runEnd(),
    ]);
    expect(arms.map(({ arm, mean }) => [arm, mean])).toEqual([
      ["one", 1],
      ["two", 0],
    ]);
  });
});

describe("whatever happened to the trials", () => {
  const marks = fc.array(fc.array(fc.constantFrom("1", "0", "!", "?", "."), { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 8,
  });

  it("classes and trials add up to the plan, rates are 0 … 1 or null, misses only lower them, and the JSON holds no NaN", async () => {
    await fc.assert(
      fc.asyncProperty(marks, async (all) => {
        const run = runOf(Object.fromEntries(all.map((one, index) => [`task_${index}`, one.join("")])));
        const arm = await armOf(run);
        expect(arm.solid + arm.flaky + arm.broken + arm.incomplete + arm.unscored).toBe(all.length);
        expect(arm.valid_trials + arm.infra + arm.not_run).toBe(all.length * 3);
        expect(Object.values(arm.outcomes).reduce((sum, count) => sum + count, 0)).toBe(arm.valid_trials + arm.infra);
        for (const rate of [arm.mean, arm.mean_score, arm.mean_errors_as_misses, ...Object.values(arm.pass_hat_k)]) {
          if (rate !== null) expect(rate >= 0 && rate <= 1).toBe(true);
        }
        expect(arm.mean_errors_as_misses ?? 0).toBeLessThanOrEqual((arm.mean ?? 0) + 1e-12);
        expect(JSON.parse(JSON.stringify(arm))).toEqual(arm);
      }),
    );
  });
});
