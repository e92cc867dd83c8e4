import type { ArmSummary } from "../arm-summary.js";
import { score3 } from "../numbers.js";
import { passesOf, whatWentWrong } from "../render-terminal.js";
import type { RunSummary } from "../summary.js";
import type { TaskSummary } from "../task-summary.js";
import { type JUnitCase, type JUnitSuite, junitXml } from "./junit.js";

/**
 * Runs as JUnit: a suite an arm, a case a task. A task that does not pass every time is a failure (`flaky`, `broken`); one that lacks valid trials
 * is an error, as it may be nobody's fault; one with nothing to compare its answers with is skipped.
 */
export function junitOfRuns(summaries: readonly RunSummary[]): string {
  return junitXml(summaries.flatMap((summary) => summary.arms.map((arm) => suiteOf(summary, arm))));
}

function suiteOf(summary: RunSummary, arm: ArmSummary): JUnitSuite {
  const name = summary.arms.length > 1 ? `${summary.run_id} ${arm.arm}` : summary.run_id;
  return { name, cases: arm.tasks.map((task) => caseOf(task, name)) };
}

function caseOf(task: TaskSummary, class_name: string): JUnitCase {
  const seconds = (task.median_seconds ?? 0) * task.valid;
  return {
    name: task.task_id,
    class_name,
    seconds,
    result: resultOf(task),
    output: `mean score ${score3(task.mean_score)}`,
  };
}

function resultOf(task: TaskSummary): JUnitCase["result"] {
  const message = `${passesOf(task)} passed; ${whatWentWrong(task)}`;
  switch (task.class) {
    case "solid":
      return { kind: "passed" };
    case "flaky":
    case "broken":
      return { kind: "failure", type: task.class, message };
    case "incomplete":
      return { kind: "error", type: task.class, message };
    case "unscored":
      return { kind: "skipped", message };
  }
}
