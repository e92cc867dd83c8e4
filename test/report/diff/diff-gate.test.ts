import { describe, expect, it } from "vitest";
import { decideGate, type GateResult, type GateRule } from "../../../src/report/diff/diff-gate.js";

type Marks = Readonly<Record<string, readonly [base: string, head: string]>>;

const DEFAULT: GateRule = { fail_on: "worse", margin: 0, must_pass: [] };
const passes = (marks: string) => [...marks].filter((mark) => mark === "1").length;
const counts = (marks: string) => ({ passes: passes(marks), scored: marks.length });

/** Of tasks written as `{ a: ["111", "110"] }`; `extra` are tasks that head has alone. */
function gate(marks: Marks, rule: Partial<GateRule> = {}, extra: Readonly<Record<string, string>> = {}): GateResult {
  const tasks = Object.entries(marks).map(([task_id, [base, head]]) => ({
    task_id,
    base: counts(base),
    head: counts(head),
    base_mean: passes(base) / base.length,
    change: passes(head) / head.length - passes(base) / base.length,
  }));
  const heads = [...Object.entries(marks).map(([id, [, head]]) => [id, head] as const), ...Object.entries(extra)];
  const head = new Map(heads.map(([id, one]) => [id, counts(one)]));
  return decideGate({ tasks, head }, { ...DEFAULT, ...rule });
}

/** n tasks that all go from one to the other. */
const all = (n: number, base: string, head: string): Marks =>
  Object.fromEntries(Array.from({ length: n }, (_, index) => [`task_${index + 1}`, [base, head] as const]));

describe("the default gate", () => {
  it("fails where the drop is beyond chance: the upper bound of Δ below 0, or sign-flip p at most 5 %", () => {
    expect(gate(all(5, "111", "000"))).toMatchObject({ failed: true, decided: true, failing_tasks: [] });
    const thirty: Marks = { ...all(30, "111", "110"), task_1: ["111", "111"], task_2: ["111", "000"] };
    expect(gate(thirty).failed).toBe(true);
    expect(gate(thirty).reason).toMatch(/^head is worse \(one-sided t p < .001, 95 % upper bound −/);
  });

  it("lets a drop pass that chance alone would make", () => {
    const { failed, decided, reason } = gate({ ...all(11, "111", "111"), task_12: ["111", "000"] });
    expect({ failed, decided }).toEqual({ failed: false, decided: true });
    expect(reason).toMatch(/^head is not shown to be worse \(one-sided sign-flip p .500/);
  });

  it("passes and says that it cannot decide where even a total loss could be chance", () => {
    for (const marks of [
      all(4, "111", "000"),
      { ...all(4, "111", "000"), b: ["000", "000"], c: ["000", "111"] } as const,
    ]) {
      const { failed, decided, reason } = gate(marks);
      expect({ failed, decided }).toEqual({ failed: false, decided: false });
      expect(reason).toBe(
        `cannot decide: had head missed all of the ${Object.keys(marks).length} common tasks, that could still be chance`,
      );
    }
    expect(gate({})).toMatchObject({ failed: false, decided: false });
  });

  it("lets a drop up to the margin pass", () => {
    const marks = all(12, "111", "110");
    expect(gate(marks).failed).toBe(true);
    expect(gate(marks, { margin: 0.3 }).failed).toBe(true);
    expect(gate(marks, { margin: 0.4 }).failed).toBe(false);
    expect(gate(marks, { margin: 0.4 }).reason).toContain("not shown to be worse by more than 40.0 points");
  });
});

describe("the other gates", () => {
  it("any-drop fails for the least drop of the mean, and with a margin from that drop on", () => {
    const marks: Marks = { ...all(19, "111", "111"), task_20: ["111", "000"] };
    expect(gate(marks, { fail_on: "any-drop" })).toMatchObject({ failed: true, reason: "a drop (Δ −5.0)" });
    expect(gate(marks, { fail_on: "any-drop", margin: 0.05 }).failed).toBe(true);
    expect(gate(marks, { fail_on: "any-drop", margin: 0.051 })).toMatchObject({
      failed: false,
      reason: "no drop of at least 5.1 points (Δ −5.0)",
    });
    expect(gate(all(3, "110", "110"), { fail_on: "any-drop" }).failed).toBe(false);
    expect(gate(all(3, "110", "111"), { fail_on: "any-drop" }).failed).toBe(false);
    expect(gate({}, { fail_on: "any-drop" })).toMatchObject({ failed: false, decided: false });
  });

  it("task-regression fails for each task whose majority flipped, and names them", () => {
    const marks: Marks = { a: ["111", "110"], b: ["110", "100"], c: ["100", "000"], d: ["000", "111"] };
    expect(gate(marks, { fail_on: "task-regression" })).toMatchObject({
      failed: true,
      failing_tasks: ["b"],
      reason: "regressed: b 2/3 → 1/3",
    });
    expect(gate({ a: ["11", "10"] }, { fail_on: "task-regression" }).failed).toBe(true);
    expect(gate({ a: ["10", "00"] }, { fail_on: "task-regression" }).failed).toBe(false);
  });

  it("never never fails", () => {
    expect(gate(all(9, "111", "000"), { fail_on: "never", must_pass: ["task_1"] })).toMatchObject({ failed: false });
  });
});

describe("tasks that must pass", () => {
  it("fail the gate where one trial misses, where head has none, and for tasks that base has not", () => {
    const marks = all(6, "110", "111");
    expect(gate(marks, { must_pass: ["task_1", "task_2"] }).failed).toBe(false);
    const flaky = gate({ ...marks, task_2: ["111", "110"] }, { must_pass: ["task_1", "task_2"] });
    expect(flaky).toMatchObject({ failed: true, failing_tasks: ["task_2"] });
    expect(flaky.reason).toMatch(/^task_2 must pass: 2\/3; head is not shown to be worse/);
    expect(gate(marks, { must_pass: ["gone"] }).reason).toMatch(/^gone must pass: not in head; /);
    expect(gate(marks, { must_pass: ["new"] }, { new: "011" }).reason).toMatch(/^new must pass: 2\/3; /);
    expect(gate(marks, { must_pass: ["new"] }, { new: "111" }).failed).toBe(false);
    expect(gate(marks, { must_pass: ["new"] }, { new: "" }).reason).toMatch(/^new must pass: 0\/0; /);
  });

  it("decide also where the rest cannot", () => {
    expect(gate(all(1, "111", "000"), { must_pass: ["task_1"] })).toMatchObject({ failed: true, decided: true });
  });
});
