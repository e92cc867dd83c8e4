import type { ArmSummary } from "../../arm-summary.js";
import { score3 } from "../../numbers.js";
import type { TaskSummary } from "../../task-summary.js";
import type { RunPage } from "../page-data.js";
import { type Child, h, plainTable } from "./dom.js";
import { t } from "./strings.js";
import { dot } from "./task-table.js";

/** Two runs side by side, task by task: what changed first. */
export function diffView(base: RunPage, head: RunPage): HTMLElement | null {
  const [before, after] = [base.summary.arms[0], head.summary.arms[0]];
  if (before === undefined || after === undefined) return null;
  const rows = pairs(before, after).map(({ task_id, left, right, change }): Child[] => [
    task_id,
    dots(left, 0),
    dots(right, 1),
    score3(left?.mean_score ?? null),
    score3(right?.mean_score ?? null),
    changeWords(change),
  ]);
  return h(
    "section",
    { "aria-labelledby": "diff" },
    h("h2", { id: "diff" }, t("diff")),
    h("p", { class: "faint" }, `${t("base")} ${base.summary.run_id} → ${t("head")} ${head.summary.run_id}`),
    plainTable(
      t("diff"),
      [t("task"), t("base"), t("head"), `${t("base")}: ${t("score")}`, `${t("head")}: ${t("score")}`, t("change")],
      rows,
    ),
  );
}

interface Pair {
  readonly task_id: string;
  readonly left: TaskSummary | undefined;
  readonly right: TaskSummary | undefined;
  /** Head's share of passes minus base's; null where either has none. */
  readonly change: number | null;
}

function pairs(before: ArmSummary, after: ArmSummary): Pair[] {
  const left = new Map(before.tasks.map((task) => [task.task_id, task]));
  const right = new Map(after.tasks.map((task) => [task.task_id, task]));
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((task_id) => {
      const [one, other] = [left.get(task_id), right.get(task_id)];
      const [from, to] = [shareOf(one), shareOf(other)];
      return { task_id, left: one, right: other, change: from === null || to === null ? null : to - from };
    })
    .sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0));
}

function shareOf(task: TaskSummary | undefined): number | null {
  return task === undefined || task.passes === null || task.scored === 0 ? null : task.passes / task.scored;
}

function dots(task: TaskSummary | undefined, run: number): Child {
  if (task === undefined) return "–";
  return h(
    "span",
    { class: "dots" },
    task.marks.map((mark, index) => dot(task, mark, index + 1, { run, arm: null })),
  );
}

function changeWords(change: number | null): string {
  if (change === null) return "–";
  if (change === 0) return "=";
  return `${change > 0 ? "▲ +" : "▼ −"}${Math.abs(change * 100).toFixed(0)} %`;
}
