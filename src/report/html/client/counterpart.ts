import type { PageData, TrialRow } from "../page-data.js";
import type { Route } from "./route.js";

/** The trial of the run beside that has the same task and repeat, in the arm that the two runs were compared by; null where it has none. */
export function counterpart(
  { runs, comparison }: PageData,
  { run, beside }: Pick<Route, "run" | "beside">,
  { task_id, k, arm }: TrialRow,
): { readonly row: TrialRow; readonly run: number } | null {
  const other = beside === null || beside === run ? undefined : runs[beside];
  if (beside === null || other === undefined) return null;
  const compared = comparison?.comparisons.find((one) => (run === 0 ? one.base_arm : one.head_arm) === arm);
  const otherArm = (run === 0 ? compared?.head_arm : compared?.base_arm) ?? other.summary.arms[0]?.arm;
  const row = other.trials.find((one) => one.task_id === task_id && one.k === k && one.arm === otherArm);
  return row === undefined ? null : { row, run: beside };
}
