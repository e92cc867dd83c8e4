import type { ComparedTask, Comparison } from "../diff/diff.js";
import { classChange, countsOf, deltaText, headlineParts, leftOutLines } from "../diff/diff-sentences.js";
import { type JUnitCase, type JUnitSuite, junitXml } from "./junit.js";

/**
 * Comparisons as JUnit: a suite a comparison, a case a task, and a last case for the gate, so that the file fails exactly where the gate does.
 * A task fails only where the gate fails for it; that it dropped by itself says too little (spec/statistics.md) and stands in its output.
 */
export function junitOfDiff(comparisons: readonly Comparison[]): string {
  return junitXml(comparisons.map(suiteOf));
}

function suiteOf(comparison: Comparison): JUnitSuite {
  const { base, head, base_arm, head_arm, tasks, only_in_base, only_in_head, incomparable } = comparison;
  const name =
    base_arm === head_arm && base_arm === "main" ? `${base} → ${head}` : `${base} ${base_arm} → ${head} ${head_arm}`;
  const skipped = (task_id: string, message: string): JUnitCase => ({
    name: task_id,
    class_name: name,
    seconds: 0,
    result: { kind: "skipped", message },
    output: null,
  });
  return {
    name,
    cases: [
      ...tasks.map((task) => caseOf(task, comparison, name)),
      ...incomparable.map(({ task_id, why }) => skipped(task_id, `not comparable: ${why}`)),
      ...only_in_base.map((task_id) => skipped(task_id, "only in base")),
      ...only_in_head.map((task_id) => skipped(task_id, "only in head")),
      gateCase(comparison, name),
    ],
  };
}

function caseOf(task: ComparedTask, comparison: Comparison, class_name: string): JUnitCase {
  const { task_id, base, head, change } = task;
  const message = `${countsOf(base)} → ${countsOf(head)} (${classChange(base, head)}, Δ ${deltaText(comparison, change)})`;
  const failed = comparison.gate.failing_tasks.includes(task_id);
  return {
    name: task_id,
    class_name,
    seconds: 0,
    result: failed ? { kind: "failure", type: comparison.gate.fail_on, message } : { kind: "passed" },
    output: message,
  };
}

function gateCase(comparison: Comparison, class_name: string): JUnitCase {
  const { failed, fail_on, reason } = comparison.gate;
  return {
    name: `gate: ${fail_on}`,
    class_name,
    seconds: 0,
    result: failed ? { kind: "failure", type: fail_on, message: reason } : { kind: "passed" },
    output: [...headlineParts(comparison), reason, ...leftOutLines(comparison)].join("\n"),
  };
}
