import { describe, expect, it } from "vitest";
import type { RunRecord, RunStart } from "../../../src/core/run-record.js";
import { type Comparison, compareRuns, type DiffOptions, whatIsMissing } from "../../../src/report/diff/diff.js";
import { gatherFacts } from "../../../src/report/run-facts.js";
import { runEnd, runOf, scoreRecord, trialEnd } from "../../support/run-records.js";
import { usageLines } from "../../support/usage-lines.js";

const A = { task_1: "111", task_2: "110", task_3: "100", task_4: "000", task_5: "111" };
const B = { task_1: "111", task_2: "111", task_3: "110", task_4: "000", task_5: "110" };
const OPTIONS: DiffOptions = { metric: "pass_rate", fail_on: "worse", margin: 0, arms: [] };

async function compare(
  base: readonly RunRecord[],
  head: readonly RunRecord[],
  options: Partial<DiffOptions> = {},
): Promise<Comparison[]> {
  const both = [await gatherFacts(base), await gatherFacts(head)] as const;
  return [...compareRuns(...both, { ...OPTIONS, ...options }).comparisons];
}

async function one(...args: Parameters<typeof compare>): Promise<Comparison> {
  const [comparison, ...others] = await compare(...args);
  if (comparison === undefined || others.length > 0) throw new Error("not one comparison");
  return comparison;
}

/** The run with another start. */
const started = (records: readonly RunRecord[], change: (start: RunStart) => Partial<RunStart>): RunRecord[] =>
  records.map((record) => (record.record === "run-start" ? { ...record, ...change(record) } : record));

/** The run with what the plan knows of a task changed. */
const replanned = (
  records: readonly RunRecord[],
  task_id: string,
  change: Partial<RunStart["tasks"][number]>,
): RunRecord[] =>
  started(records, ({ tasks }) => ({
    tasks: tasks.map((task) => (task.task_id === task_id ? { ...task, ...change } : task)),
  }));

/** The run with a task's scores changed. */
const rescored = (
  records: readonly RunRecord[],
  task_id: string,
  change: Partial<Extract<RunRecord, { record: "score" }>>,
) =>
  records.map((record) =>
    record.record === "score" && record.task_id === task_id ? { ...record, ...change } : record,
  );

describe("the comparison of two runs", () => {
  it("of the specification's vectors A and B has its numbers", async () => {
    expect(await one(runOf(A, { run_id: "a" }), runOf(B, { run_id: "b" }))).toMatchObject({
      base: "a",
      head: "b",
      metric: "pass_rate",
      common: 5,
      base_mean: expect.closeTo(0.6, 12),
      delta: expect.closeTo(0.0666667, 7),
      stderr: expect.closeTo(0.1247219, 7),
      stderr_method: "task-cluster",
      t: expect.closeTo(0.5345225, 7),
      p_sign_flip: 1,
      sign_flip: { flips: 32, exact: true, seed: null },
      bootstrap: { ci95: [expect.closeTo(-0.1333333, 7), expect.closeTo(0.2666667, 7)], seed: 42 },
      min_visible_effect: expect.closeTo(2.8016 * 0.1247219, 6),
      verdict: "within noise",
      p_mcnemar: null,
      both_passed: 4,
      both_missed: 1,
      only_base: 0,
      only_head: 0,
    });
  });

  it("sorts tasks by change, drops first, with counts and classes of both sides", async () => {
    const { tasks } = await one(runOf(A), runOf(B));
    expect(tasks.map(({ task_id, change }) => [task_id, Math.round(change * 3)])).toEqual([
      ["task_5", -1],
      ["task_1", 0],
      ["task_4", 0],
      ["task_2", 1],
      ["task_3", 1],
    ]);
    expect(tasks[0]).toMatchObject({
      base: { passes: 3, valid: 3, scored: 3, class: "solid" },
      head: { passes: 2, valid: 3, scored: 3, class: "flaky" },
    });
  });

  it("of a run with itself is Δ 0, no change, without an interval", async () => {
    expect(await one(runOf(A), runOf(A))).toMatchObject({
      delta: 0,
      ci95: null,
      bootstrap: null,
      p_sign_flip: 1,
      min_visible_effect: null,
      verdict: "no change",
      gate: { failed: false },
    });
  });

  it("does not depend on the order of tasks or of records", async () => {
    const straight = await one(runOf(A), runOf(B));
    const [start, ...rest] = runOf(B);
    if (start?.record !== "run-start") throw new Error("no start");
    const ends = rest.filter(({ record }) => record === "trial-end").toReversed();
    const scores = rest.filter(({ record }) => record === "score").toReversed();
    const shuffled = [{ ...start, tasks: start.tasks.toReversed() }, ...ends, ...scores, runEnd()];
    expect(await one(runOf(A), shuffled)).toEqual(straight);
  });

  it("takes tasks with unequal numbers of valid trials by their rates", async () => {
    const { delta } = await one(runOf({ a: "1!!", b: "110" }), runOf({ a: "100", b: "11!" }));
    expect(delta).toBeCloseTo((-2 / 3 + 1 / 3) / 2);
  });

  it("has McNemar's exact p where every task ran once", async () => {
    const marks = (text: string) => Object.fromEntries([...text].map((mark, index) => [`t${index}`, mark]));
    expect((await one(runOf(marks("11111100")), runOf(marks("00000011")))).p_mcnemar).toBeCloseTo(0.2890625);
    expect((await one(runOf(marks("11111")), runOf(marks("00000")))).p_mcnemar).toBeCloseTo(0.0625);
  });

  it("compares mean scores where that is asked for, and says so", async () => {
    const half = rescored(runOf(A), "task_1", { status: "partial", value: 0.5 });
    const { metric, delta, tasks, verdict } = await one(runOf(A), half, { metric: "score" });
    expect({ metric, verdict }).toEqual({ metric: "score", verdict: "within noise" });
    expect(delta).toBeCloseTo(-0.1);
    expect(tasks[0]).toMatchObject({ task_id: "task_1", change: -0.5, head: { passes: 0, mean_score: 0.5 } });
  });

  it("says what the profiles differ in, but for names and gates", async () => {
    const warm = started(runOf(B), ({ profile }) => ({
      profile: {
        ...profile,
        name: "warm",
        model: { ...profile.model, temperature: 1 },
        gate: { ...profile.gate, max_infra: 9 },
      },
    }));
    expect((await one(runOf(A), warm)).profile_changes).toEqual([{ key: "model.temperature", before: 0.2, after: 1 }]);
  });
});

describe("tasks that are left out of a comparison", () => {
  it("are listed where only one run has them", async () => {
    const { task_2: _gone, ...fewer } = B;
    const comparison = await one(runOf(A), runOf({ ...fewer, task_10: "111", task_9: "000" }));
    expect(comparison).toMatchObject({
      common: 4,
      only_in_base: ["task_2"],
      only_in_head: ["task_9", "task_10"],
      incomparable: [],
    });
  });

  it.each<[string, RunRecord[], string]>([
    ["the input changed", replanned(runOf(B), "task_2", { input_digest: "other" }), "the input changed"],
    [
      "the gold of the plan changed",
      replanned(runOf(B), "task_2", { gold_digest: "other" }),
      "gold or checks changed: score both runs again",
    ],
    [
      "the gold changed, and the scores with it",
      rescored(replanned(runOf(B), "task_2", { gold_digest: "other" }), "task_2", { basis: "other" }),
      "gold or checks changed: score both runs again",
    ],
    [
      "the scorer is of another version",
      rescored(runOf(B), "task_2", { scorer_version: "2", basis: "other" }),
      "kdd-columns is version 2 in head, 1 in base: score both runs again",
    ],
    [
      "the options were others",
      rescored(runOf(B), "task_2", { basis: "other" }),
      "scored with other options, gold or checks: score both runs again",
    ],
    ["head has no valid trial of it", runOf({ ...B, task_2: "!!!" }), "no trial has a score in head"],
    ["head has no score of it", runOf({ ...B, task_2: "???" }), "no trial has a score in head"],
  ])("are not comparable where %s", async (_why, head, why) => {
    expect(await one(runOf(A), head)).toMatchObject({ common: 4, incomparable: [{ task_id: "task_2", why }] });
  });

  it("come back when both runs were scored again with the gold of today", async () => {
    const again = (task_id: string, marks: string) =>
      [...marks].map((mark, index) =>
        scoreRecord(task_id, index + 1, {
          basis: "now",
          status: mark === "1" ? "perfect" : "none",
          value: Number(mark),
        }),
      );
    const head = rescored(replanned(runOf(B), "task_2", { gold_digest: "now" }), "task_2", { basis: "now" });
    expect((await one(runOf(A), head)).incomparable).toHaveLength(1);
    const both = await one([...runOf(A), ...again("task_2", "000")], head);
    expect(both.incomparable).toEqual([]);
    expect(both.tasks.at(-1)).toMatchObject({ task_id: "task_2", change: 1 });
  });

  it("are all tasks where a pass is something else in the other run", async () => {
    const strict = runOf(B, { scoring: { pass_min_score: 0.9 } });
    expect((await usageLines(() => compare(runOf(A), strict)))[1]).toBe(
      "  task_1: a pass is at least 0.9 by kdd-columns in head, perfect by kdd-columns in base",
    );
  });

  it("are those whose gate check failed by other rules", async () => {
    const gated = (basis: string, failed: boolean) => [
      ...runOf(A),
      scoreRecord("task_2", 1, { scorer: "claims", basis, value: 0, status: "none", details: { gate_failed: failed } }),
    ];
    expect((await one(gated("x", true), gated("x", true))).incomparable).toEqual([]);
    expect((await one(gated("x", false), gated("y", false))).incomparable).toEqual([]);
    expect((await one(gated("x", true), gated("y", true))).incomparable).toEqual([
      { task_id: "task_2", why: "scored with other options, gold or checks: score both runs again" },
    ]);
  });

  it("leave an error with the reasons where they are all", async () => {
    expect(
      await usageLines(() => compare(runOf({ a: "1" }, { run_id: "x" }), runOf({ b: "1" }, { run_id: "y" }))),
    ).toEqual([
      "nothing to compare: no task is the same in x and y (1 only in base, 1 only in head, 0 not comparable)",
    ]);
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`task_${index}`, "1"]));
    const moved = started(runOf(many), ({ tasks }) => ({
      tasks: tasks.map((task) => ({ ...task, input_digest: "x" })),
    }));
    const lines = await usageLines(() => compare(runOf(many), moved));
    expect(lines.slice(1, 3)).toEqual(["  task_0: the input changed", "  task_1: the input changed"]);
    expect(lines.at(-1)).toBe("  and 2 more");
  });
});

describe("arms", () => {
  /** One run of two arms: `a` as A, `b` as B. */
  const twoArms = (names: readonly [string, string], run_id = "r"): RunRecord[] => {
    const [first, second] = names;
    const as = (arm: string, records: readonly RunRecord[]) =>
      records.flatMap((record) =>
        record.record === "trial-end" || record.record === "score" ? [{ ...record, arm }] : [],
      );
    return [
      ...started(runOf(A, { run_id }), () => ({ arms: names })).slice(0, 1),
      ...as(first, runOf(A)),
      ...as(second, runOf(B)),
      runEnd(),
    ];
  };

  it("of the same name are compared, in the order of base", async () => {
    const found = await compare(twoArms(["x=1", "x=2"]), twoArms(["x=2", "x=1"], "s"));
    expect(found.map(({ base_arm, head_arm, delta }) => [base_arm, head_arm, Math.sign(delta ?? 0)])).toEqual([
      ["x=1", "x=1", 1],
      ["x=2", "x=2", -1],
    ]);
  });

  it("of one run are compared with each other where they are named", async () => {
    const run = twoArms(["x=1", "x=2"]);
    const pair = await one(run, run, { arms: [{ base: "x=1", head: "x=2" }] });
    expect(pair).toMatchObject({ base_arm: "x=1", head_arm: "x=2", delta: expect.closeTo(0.0666667, 6) });
  });

  it("that do not fit leave an error that names them", async () => {
    expect(await usageLines(() => compare(runOf(A, { run_id: "m" }), twoArms(["x=1", "x=2"])))).toEqual([
      "no arms of the same name: m has main; r has x=1 · x=2; say which to compare with --arm BASE:HEAD",
    ]);
    const named = { arms: [{ base: "main", head: "x=3" }] };
    expect(await usageLines(() => compare(runOf(A), twoArms(["x=1", "x=2"]), named))).toEqual([
      "--arm: head r has no arm x=3; its arms are x=1 · x=2",
    ]);
  });
});

describe("what stands beside the headline", () => {
  /** Every trial of a task spends so much. */
  const spending = (marks: Readonly<Record<string, string>>, tokens: (task: number) => number): RunRecord[] =>
    runOf(marks).map((record) => {
      if (record.record !== "trial-end") return record;
      const used = tokens(Number(record.task_id.replace("task_", "")));
      const usage = { input_tokens: used, output_tokens: 0, cached_tokens: null, reasoning_tokens: null };
      return {
        ...record,
        usage: [{ purpose: "agent", model: "m", calls: 1, ms: 1, ...usage }],
        cost_usd: used / 1000,
        wall_ms: used * 10,
      };
    });
  const rowsOf = async (base: readonly RunRecord[], head: readonly RunRecord[]) =>
    Object.fromEntries((await one(base, head)).secondary.map((row) => [row.measure, row]));

  it("is tokens, cost, seconds and steps over common tasks, with p adjusted for there being several", async () => {
    const rows = await rowsOf(
      spending(A, () => 100),
      spending(B, (task) => 100 + 10 * task),
    );
    expect(rows.tokens).toMatchObject({ tasks: 5, base: 100, head: 130, delta: 30, p: 0.0625, p_holm: 0.1875 });
    expect(rows.cost_usd).toMatchObject({ delta: expect.closeTo(0.03, 12) });
    expect(rows.seconds).toMatchObject({ base: 1, head: expect.closeTo(1.3, 12) });
    expect(rows.steps).toMatchObject({ delta: 0, stderr: 0, p: null, p_holm: null });
  });

  it("has no row for what a side does not know", async () => {
    const rows = await rowsOf(
      runOf(A),
      spending(A, () => 1),
    );
    expect(Object.keys(rows)).toEqual(["seconds", "steps"]);
  });

  it("has claims and discipline of tasks that were checked by the same rules", async () => {
    const checked = (basis: string, red: number, lines: number): RunRecord[] => [
      ...runOf(A),
      ...["task_1", "task_2"].flatMap((id) => [
        scoreRecord(id, 1, {
          scorer: "claims",
          basis: id === "task_2" ? basis : "same",
          value: 1 - red,
          details: { red },
        }),
        scoreRecord(id, 1, { scorer: "line-format", basis: "same", value: lines }),
      ]),
    ];
    const rows = await rowsOf(checked("x", 0, 0), checked("y", 1, 0.5));
    expect(rows.claims).toMatchObject({ tasks: 1, base: 1, head: 0 });
    expect(rows.red_claims).toMatchObject({ tasks: 1, base: 0, head: 1 });
    expect(rows.discipline).toMatchObject({ tasks: 2, base: 0, head: 0.5 });
  });
});

describe("what a run lacks to be compared", () => {
  const missing = async (records: readonly RunRecord[]) => whatIsMissing(await gatherFacts(records));

  it("is nothing where it is whole", async () => {
    expect(await missing(runOf(A))).toEqual([]);
    expect(await missing(runOf({ a: "1!!" }, { gate: { max_infra: 2 } }))).toEqual([]);
  });

  it("is its end, trials, or fewer infrastructure errors", async () => {
    expect(await missing(runOf(A).slice(0, -1))).toEqual(["it was interrupted"]);
    expect(await missing(runOf({ a: "11." }))).toEqual(["it was interrupted", "1 of 3 trials have no end"]);
    expect(await missing([...runOf({ a: "1!!" }), trialEnd("a", 1, { attempt: 2 })])).toEqual([
      "2 trials ended in infrastructure errors",
    ]);
  });
});
