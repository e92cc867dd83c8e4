import type { ComparedTask, Comparison, TaskSide } from "../../diff/diff.js";
import { countsOf, deltaText, profileParts, SECONDARY_HEADERS, secondaryCells } from "../../diff/diff-sentences.js";
import { chance, grouped, percent, score3 } from "../../numbers.js";
import { COMPARED_STOPS_HEADERS, comparedStops } from "../../plan-sentences.js";
import type { TaskClass, TaskSummary } from "../../task-summary.js";
import type { PageComparison, PageData } from "../page-data.js";
import { type Child, h, plainTable } from "./dom.js";
import { formatRoute } from "./route.js";
import { phrase, t } from "./strings.js";
import { dot } from "./task-table.js";

const CLASSES: readonly TaskClass[] = ["solid", "flaky", "broken", "incomplete"];

/** What `daw-eval diff` says of two runs, then task by task what changed, each dot a link to its trial. */
export function diffView(data: PageData, comparison: PageComparison): HTMLElement {
  const { comparisons, left_out, missing } = comparison;
  return h(
    "section",
    { "aria-labelledby": "diff" },
    h("h2", { id: "diff" }, t("diff")),
    missing.map((sentence) => h("p", { class: "alert" }, phrase(sentence))),
    comparisons.length === 0 ? h("p", {}, t("nothing_compared")) : null,
    left_out.map((sentence) => h("p", { class: "alert" }, phrase(sentence))),
    comparisons.map((one) => comparisonView(data, one)),
  );
}

function comparisonView(data: PageData, comparison: Comparison): HTMLElement {
  const { base, head, base_arm, head_arm } = comparison;
  const side = (run: string, arm: string) => (arm === "main" ? run : `${run} · ${arm}`);
  return h(
    "div",
    { class: "comparison" },
    h("p", { class: "faint" }, `${t("base")} ${side(base, base_arm)} → ${t("head")} ${side(head, head_arm)}`),
    verdict(comparison),
    numbers(comparison),
    gate(comparison),
    changedTasks(data, comparison),
    leftOut(comparison),
    profileChanges(comparison),
    secondary(comparison),
    stops(comparison),
  );
}

/** A sign for each direction, so that colour is not needed. */
function signOf(change: number): string {
  return change > 0 ? "▲" : change < 0 ? "▼" : "=";
}

function kindOf(change: number): string {
  return change > 0 ? "good" : change < 0 ? "bad" : "faint";
}

function verdict({ verdict: word, delta, metric, base_mean, head_mean }: Comparison): HTMLElement {
  const show = metric === "score" ? score3 : percent;
  const sure = word === "within noise" || word === "no change" ? 0 : (delta ?? 0);
  return h(
    "p",
    { class: "verdict" },
    h("strong", { class: `mark ${kindOf(sure)}` }, `${word === "within noise" ? "≈" : signOf(sure)} ${phrase(word)}`),
    ` ${metric === "score" ? t("mean_score") : t("pass_rate")} ${show(base_mean)} → ${show(head_mean)}`,
  );
}

function numbers(comparison: Comparison): HTMLElement {
  const { delta, stderr, ci95, common, p_sign_flip, metric, min_visible_effect } = comparison;
  const size = (value: number) => (metric === "score" ? value.toFixed(3) : (value * 100).toFixed(1));
  const unit = metric === "score" ? "" : ` ${t("points")}`;
  const interval = ci95 === null ? "–" : ci95.map((end) => deltaText(comparison, end)).join(" … ");
  const error = stderr === null ? "" : ` · ± ${size(stderr)} ${t("standard_error")}`;
  return h(
    "dl",
    { class: "numbers" },
    number(t("delta"), `${deltaText(comparison, delta)}${unit}`, `${t("interval")} ${interval}${error}`),
    number(t("chance"), chance(p_sign_flip), `${grouped(common)} ${t("common_tasks")}`),
    number(
      t("visible"),
      min_visible_effect === null ? t("unknown") : `${size(min_visible_effect)}${unit}`,
      t("visible_note"),
    ),
    number(t("classes"), classesOf(comparison, "base"), `→ ${classesOf(comparison, "head")}`),
    groups(comparison),
  );
}

function number(name: string, value: string, more: string): HTMLElement {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "big" }, value), h("dd", { class: "faint" }, more));
}

function groups({ both_passed, both_missed, only_base, only_head }: Comparison): HTMLElement {
  const lines = [
    [t("both_passed"), both_passed],
    [t("both_missed"), both_missed],
    [t("only_base"), only_base],
    [t("only_head"), only_head],
  ] as const;
  return h(
    "div",
    {},
    h("dt", {}, t("tasks")),
    lines.map(([name, count]) => h("dd", {}, `${name} ${grouped(count)}`)),
  );
}

/** `3 · 1 · 9`, and what is incomplete where anything is. */
function classesOf({ tasks }: Comparison, side: "base" | "head"): string {
  const counts = CLASSES.map((name) => tasks.filter((task) => task[side].class === name).length);
  const [solid = 0, flaky = 0, broken = 0, incomplete = 0] = counts;
  return `${solid} · ${flaky} · ${broken}${incomplete > 0 ? ` (${t("incomplete")} ${incomplete})` : ""}`;
}

function gate({ gate: { failed, decided, reason } }: Comparison): HTMLElement {
  const words = failed ? `✗ ${t("gate_failed")}` : decided ? `✓ ${t("gate_passed")}` : `– ${t("gate_undecided")}`;
  return h("p", { class: failed ? "alert" : "note" }, h("strong", {}, `${words}: `), phrase(reason));
}

function changedTasks(data: PageData, comparison: Comparison): Child {
  const isChanged = ({ change, base, head }: ComparedTask) => change !== 0 || base.class !== head.class;
  const changed = comparison.tasks.filter(isChanged);
  const same = comparison.tasks.filter((task) => !isChanged(task));
  const rows = bySize(changed);
  return [
    h("h3", {}, t("changed_tasks")),
    rows.length === 0 ? h("p", {}, t("no_changed")) : taskTable(t("changed_tasks"), data, comparison, rows),
    same.length === 0
      ? null
      : h(
          "details",
          {},
          h("summary", {}, `${t("same_tasks")}: ${grouped(same.length)}`),
          taskTable(t("same_tasks"), data, comparison, same),
        ),
  ];
}

/** The largest change first, drops before rises of the same size. */
function bySize(tasks: readonly ComparedTask[]): readonly ComparedTask[] {
  return tasks.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.change - b.change);
}

function taskTable(label: string, data: PageData, comparison: Comparison, tasks: readonly ComparedTask[]): HTMLElement {
  const dotsOf = (run: number, arm: string) => {
    const page = data.runs[run];
    const found = page?.summary.arms.find((one) => one.arm === arm);
    const byId = new Map(found?.tasks.map((task) => [task.task_id, task]));
    const linked = page?.summary.arms[0]?.arm === arm ? null : arm;
    return (task_id: string) => dots(byId.get(task_id), run, linked);
  };
  const [before, after] = [dotsOf(0, comparison.base_arm), dotsOf(1, comparison.head_arm)];
  const arm = data.runs[0]?.summary.arms[0]?.arm === comparison.base_arm ? null : comparison.base_arm;
  const beside = (task_id: string) =>
    h(
      "a",
      {
        href: formatRoute({ run: 0, arm, trial: { task_id, k: 1, seq: null }, beside: 1 }),
        "aria-label": `${task_id}: ${t("side_by_side")}`,
      },
      t("side_by_side"),
    );
  return plainTable(
    label,
    [
      t("task"),
      t("base"),
      t("head"),
      t("change"),
      t("class"),
      `${t("base")}: ${t("score")}`,
      `${t("head")}: ${t("score")}`,
      "",
    ],
    tasks.map(({ task_id, base, head, change }): Child[] => [
      h("strong", {}, task_id),
      [before(task_id), ` ${countsOf(base)}`],
      [after(task_id), ` ${countsOf(head)}`],
      h("span", { class: `mark ${kindOf(change)}` }, `${signOf(change)} ${deltaText(comparison, change)}`),
      classChange(base, head),
      score3(base.mean_score),
      score3(head.mean_score),
      beside(task_id),
    ]),
  );
}

function classChange(base: TaskSide, head: TaskSide): string {
  return base.class === head.class ? t(base.class) : `${t(base.class)} → ${t(head.class)}`;
}

function dots(task: TaskSummary | undefined, run: number, arm: string | null): Child {
  if (task === undefined) return "–";
  return h(
    "span",
    { class: "dots" },
    task.marks.map((mark, index) => dot(task, mark, index + 1, { run, arm })),
  );
}

function leftOut({ only_in_base, only_in_head, incomparable }: Comparison): Child {
  const rows = [
    ...incomparable.map(({ task_id, why }) => [task_id, phrase(why)]),
    ...only_in_base.map((task_id) => [task_id, t("only_in_base")]),
    ...only_in_head.map((task_id) => [task_id, t("only_in_head")]),
  ];
  if (rows.length === 0) return null;
  return [h("h3", {}, t("left_out")), plainTable(t("left_out"), [t("task"), t("why")], rows)];
}

function profileChanges(comparison: Comparison): Child {
  if (comparison.profile_changes.length === 0) return null;
  return [
    h("h3", {}, t("profile_changes")),
    h(
      "ul",
      {},
      profileParts(comparison).map((part) => h("li", {}, part)),
    ),
  ];
}

/** Where verification stopped, where one side has plans. */
function stops({ plans }: Comparison): Child {
  const rows = comparedStops(plans.base, plans.head);
  if (rows.length === 0) return null;
  return [
    h("h3", {}, t("plans")),
    plainTable(
      t("plans"),
      COMPARED_STOPS_HEADERS.map(phrase),
      rows.map((row) => row.map(phrase)),
    ),
  ];
}

function secondary({ secondary: rows }: Comparison): Child {
  if (rows.length === 0) return null;
  return [
    h("h3", {}, t("beside_it")),
    plainTable(
      t("beside_it"),
      SECONDARY_HEADERS.map(phrase),
      rows.map((row) => {
        const [name = "", ...cells] = secondaryCells(row);
        return [phrase(name), ...cells];
      }),
    ),
  ];
}
