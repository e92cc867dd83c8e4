import type { ArmSummary } from "../../arm-summary.js";
import { half, percent, score3, seconds } from "../../numbers.js";
import type { TaskClass, TaskSummary, TrialMark } from "../../task-summary.js";
import type { RunPage, TrialRow } from "../page-data.js";
import { type Child, h, scrollable } from "./dom.js";
import { formatRoute } from "./route.js";
import { t } from "./strings.js";

export const DOTS: Readonly<Record<TrialMark, string>> = {
  pass: "●",
  miss: "○",
  infra: "!",
  "not-run": "·",
  unscored: "?",
};
const CLASSES: readonly TaskClass[] = ["solid", "flaky", "broken", "incomplete", "unscored"];

interface TaskRow {
  readonly task: TaskSummary;
  readonly claims: number | null;
  readonly discipline: number | null;
  readonly validation: string;
  /** All words that the filter looks in, lower case. */
  readonly words: string;
  readonly element: HTMLTableRowElement;
}

interface Column {
  readonly name: string;
  readonly key: (row: TaskRow) => number | string | null;
}

/** The tasks of one arm: sorted by a header's button, filtered by words and class. */
export function taskTable(page: RunPage, run: number, arm: ArmSummary, isFirstArm: boolean): HTMLElement {
  const rows = arm.tasks.map((task) => taskRow(page, task, { run, arm: isFirstArm ? null : arm.arm, name: arm.arm }));
  const body = h(
    "tbody",
    {},
    rows.map(({ element }) => element),
  );
  const count = h("p", { class: "faint", "aria-live": "polite" });
  const words = h("input", { id: "filter", type: "search", placeholder: t("filter_hint"), autocomplete: "off" });
  const classes = h(
    "select",
    { id: "class" },
    h("option", { value: "" }, t("all")),
    CLASSES.map((name) => h("option", { value: name }, t(name))),
  );
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter(({ task, words: own, element }) => {
      const fits = (classes.value === "" || task.class === classes.value) && wanted.every((word) => own.includes(word));
      element.hidden = !fits;
      return fits;
    });
    count.textContent = `${shown.length} / ${rows.length} ${t("shown")}`;
  };
  words.addEventListener("input", filter);
  classes.addEventListener("change", filter);
  filter();
  return h(
    "section",
    { "aria-labelledby": "tasks" },
    h("h2", { id: "tasks" }, t("tasks")),
    h(
      "div",
      { class: "filters" },
      h("label", {}, t("filter"), " ", words),
      h("label", {}, t("class"), " ", classes),
      count,
    ),
    h("p", { class: "faint" }, t("dots")),
    scrollable(t("tasks"), h("table", { class: "tasks" }, tableHead(rows, body), body)),
  );
}

function tableHead(rows: readonly TaskRow[], body: HTMLElement): HTMLElement {
  const cells = COLUMNS().map((column) => {
    const cell = h("th", { scope: "col", "aria-sort": "none" });
    const sort = () => {
      const direction = cell.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const other of cells) other.setAttribute("aria-sort", "none");
      cell.setAttribute("aria-sort", direction);
      const sorted = rows.toSorted((a, b) => compare(column.key(a), column.key(b), direction === "descending"));
      body.append(...sorted.map(({ element }) => element));
    };
    cell.append(h("button", { type: "button", onclick: sort }, column.name));
    return cell;
  });
  return h("thead", {}, h("tr", {}, cells));
}

function COLUMNS(): readonly Column[] {
  return [
    { name: t("task"), key: ({ task }) => task.task_id },
    { name: t("trials"), key: ({ task }) => task.passes },
    { name: t("class"), key: ({ task }) => CLASSES.indexOf(task.class) },
    { name: t("difficulty"), key: ({ task }) => task.difficulty },
    { name: t("score"), key: ({ task }) => task.mean_score },
    { name: t("claims"), key: ({ claims }) => claims },
    { name: t("discipline"), key: ({ discipline }) => discipline },
    { name: t("validation"), key: ({ validation }) => validation },
    { name: t("steps"), key: ({ task }) => task.median_steps },
    { name: t("seconds"), key: ({ task }) => task.median_seconds },
    { name: t("notes"), key: ({ task }) => task.notes[0]?.note ?? null },
  ];
}

/** What is unknown stands last, whichever way. */
function compare(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), "en", { numeric: true });
  return descending ? -order : order;
}

function taskRow(
  page: RunPage,
  task: TaskSummary,
  place: { readonly run: number; readonly arm: string | null; readonly name: string },
): TaskRow {
  const trials = page.trials.filter((trial) => trial.task_id === task.task_id && trial.arm === place.name);
  const claims = meanOf(trials, "claims");
  const discipline = meanOf(trials, "line-format");
  const validation = validationWords(trials);
  const notes = task.notes.map(({ note, trials: count }) => `${note} ×${count}`).join("; ");
  const cells: Child[] = [
    h("span", { class: "name" }, breakable(task.task_id)),
    h(
      "span",
      { class: "dots" },
      task.marks.map((mark, index) => dot(task, mark, index + 1, place)),
    ),
    h("span", { class: `class ${task.class}` }, t(task.class)),
    task.difficulty,
    score3(task.mean_score),
    percent(claims),
    percent(discipline),
    validation,
    half(task.median_steps),
    seconds(task.median_seconds),
    notes,
  ];
  return {
    task,
    claims,
    discipline,
    validation,
    words: [task.task_id, task.class, t(task.class), task.difficulty, ...task.tags, notes, validation]
      .join(" ")
      .toLowerCase(),
    element: h(
      "tr",
      {},
      cells.map((cell, index) => (index === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell))),
    ),
  };
}

/** A name that may be broken after its underscores. */
function breakable(name: string): Child[] {
  return name.split(/(?<=_)/).flatMap((word) => [word, h("wbr", {})]);
}

/** A trial's dot: a link to its trajectory where it ran. */
export function dot(
  task: Pick<TaskSummary, "task_id">,
  mark: TrialMark,
  k: number,
  place: { readonly run: number; readonly arm: string | null },
): HTMLElement {
  const label = `${task.task_id} #${k}: ${t(mark)}`;
  if (mark === "not-run") return h("span", { class: `dot ${mark}`, role: "img", "aria-label": label }, DOTS[mark]);
  const href = formatRoute({ ...place, trial: { task_id: task.task_id, k, seq: null } });
  return h("a", { class: `dot ${mark}`, href, "aria-label": label, title: label }, DOTS[mark]);
}

function meanOf(trials: readonly TrialRow[], scorer: string): number | null {
  const known = trials.flatMap(({ scores }) => scores[scorer] ?? []);
  return known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0) / known.length;
}

/** `passed ×2, exhausted ×1`: the worse of the two checks of each answer; empty where checks were off. */
function validationWords(trials: readonly TrialRow[]): string {
  const order = ["off", "skipped", "observe", "passed", "released", "exhausted"];
  const counts = new Map<string, number>();
  for (const { validation } of trials) {
    if (validation === null) continue;
    const worse = order[Math.max(order.indexOf(validation.process), order.indexOf(validation.answer))] ?? "off";
    if (worse !== "off") counts.set(worse, (counts.get(worse) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${status} ×${count}`).join(", ");
}
