import { DIFFICULTIES } from "../../../core/task.js";
import type { ArmSummary } from "../../arm-summary.js";
import { groupBy } from "../../counting.js";
import { half, percent, score3, seconds } from "../../numbers.js";
import type { TaskClass, TaskSummary, TrialMark } from "../../task-summary.js";
import type { RunPage, TrialRow } from "../page-data.js";
import { type Child, h, scrollable } from "./dom.js";
import { formatRoute } from "./route.js";
import { phrase, t } from "./strings.js";

export const DOTS: Readonly<Record<TrialMark, string>> = {
  pass: "●",
  miss: "○",
  infra: "!",
  "not-run": "·",
  unscored: "?",
};
const CLASSES: readonly TaskClass[] = ["solid", "flaky", "broken", "incomplete", "unscored"];

/** From more rows on the table is laid out only when it comes near the screen. */
const MANY_ROWS = 200;

/** A task with what its trials say. */
interface TaskRow {
  readonly task: TaskSummary;
  readonly claims: number | null;
  readonly discipline: number | null;
  /** Empty where nothing was checked. */
  readonly validation: string;
  readonly notes: string;
}

interface Column {
  readonly name: string;
  /** What the rows are sorted by; null where it is not known. */
  readonly key: (row: TaskRow) => number | string | null;
  readonly cell: (row: TaskRow) => Child;
  /** Left out where it says nothing of any task. */
  readonly optional?: true;
}

interface Place {
  readonly run: number;
  /** Null: the run's first, which a link need not name. */
  readonly arm: string | null;
}

/** The tasks of one arm: sorted by a header's button, filtered by words and class. */
export function taskTable(page: RunPage, run: number, arm: ArmSummary, isFirstArm: boolean): HTMLElement {
  const trials = groupBy(
    page.trials.filter((trial) => trial.arm === arm.arm),
    ({ task_id }) => task_id,
  );
  const rows = arm.tasks.map((task) => taskRow(task, trials.get(task.task_id) ?? []));
  const columns = columnsOf({ run, arm: isFirstArm ? null : arm.arm }).filter(
    ({ key, optional }) => optional === undefined || rows.some((row) => (key(row) ?? "") !== ""),
  );
  const lines = rows.map((row) => ({ row, words: wordsOf(row), element: lineOf(row, columns) }));
  const body = h(
    "tbody",
    { role: "rowgroup" },
    lines.map(({ element }) => element),
  );
  const table = h("table", { class: "tasks", role: "table" }, tableHead(columns, lines, body), body);
  const section = h(
    "section",
    { "aria-labelledby": "tasks", class: rows.length > MANY_ROWS ? "many" : null },
    h("h2", { id: "tasks" }, t("tasks")),
    filters(lines),
    h("p", { class: "faint" }, t("dots")),
    scrollable(t("tasks"), table),
  );
  section.style.setProperty("--rows", String(rows.length));
  return section;
}

interface TaskLine {
  readonly row: TaskRow;
  /** All words that the filter looks in, lower case. */
  readonly words: string;
  readonly element: HTMLTableRowElement;
}

function filters(lines: readonly TaskLine[]): HTMLElement {
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
    const shown = lines.filter(({ row, words: own, element }) => {
      const inClass = classes.value === "" || row.task.class === classes.value;
      const fits = inClass && wanted.every((word) => own.includes(word));
      element.hidden = !fits;
      return fits;
    });
    count.textContent = `${shown.length} / ${lines.length} ${t("shown")}`;
  };
  words.addEventListener("input", filter);
  classes.addEventListener("change", filter);
  filter();
  return h(
    "div",
    { class: "filters" },
    h("label", {}, t("filter"), " ", words),
    h("label", {}, t("class"), " ", classes),
    count,
  );
}

function tableHead(columns: readonly Column[], lines: readonly TaskLine[], body: HTMLElement): HTMLElement {
  const cells = columns.map((column) => {
    const cell = h("th", { scope: "col", role: "columnheader", "aria-sort": "none" });
    const sort = () => {
      const direction = cell.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const other of cells) other.setAttribute("aria-sort", "none");
      cell.setAttribute("aria-sort", direction);
      const sorted = lines.toSorted((a, b) =>
        compare(column.key(a.row), column.key(b.row), direction === "descending"),
      );
      body.append(...sorted.map(({ element }) => element));
    };
    cell.append(h("button", { type: "button", onclick: sort }, column.name));
    return cell;
  });
  return h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, cells));
}

function columnsOf(place: Place): readonly Column[] {
  return [
    {
      name: t("task"),
      key: ({ task }) => task.task_id,
      cell: ({ task }) => h("span", { class: "name" }, breakable(task.task_id)),
    },
    {
      name: t("trials"),
      key: ({ task }) => task.passes,
      cell: ({ task }) =>
        h(
          "span",
          { class: "dots" },
          task.marks.map((mark, index) => dot(task, mark, index + 1, place)),
        ),
    },
    {
      name: t("class"),
      key: ({ task }) => CLASSES.indexOf(task.class),
      cell: ({ task }) => h("span", { class: `class ${task.class}` }, t(task.class)),
    },
    {
      name: t("difficulty"),
      key: ({ task }) => difficultyOrder(task),
      cell: ({ task }) => (task.difficulty === "unknown" ? "" : phrase(task.difficulty)),
      optional: true,
    },
    { name: t("score"), key: ({ task }) => task.mean_score, cell: ({ task }) => score3(task.mean_score) },
    { name: t("claims"), key: ({ claims }) => claims, cell: ({ claims }) => percent(claims), optional: true },
    {
      name: t("discipline"),
      key: ({ discipline }) => discipline,
      cell: ({ discipline }) => percent(discipline),
      optional: true,
    },
    {
      name: t("validation"),
      key: ({ validation }) => validation,
      cell: ({ validation }) => validation,
      optional: true,
    },
    { name: t("steps"), key: ({ task }) => task.median_steps, cell: ({ task }) => half(task.median_steps) },
    { name: t("seconds"), key: ({ task }) => task.median_seconds, cell: ({ task }) => seconds(task.median_seconds) },
    { name: t("notes"), key: ({ task }) => task.notes[0]?.note ?? null, cell: ({ notes }) => notes, optional: true },
  ];
}

/** Null where nobody said how difficult the task is. */
function difficultyOrder({ difficulty }: TaskSummary): number | null {
  const position = DIFFICULTIES.indexOf(difficulty);
  return position === -1 || difficulty === "unknown" ? null : position;
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

function taskRow(task: TaskSummary, trials: readonly TrialRow[]): TaskRow {
  return {
    task,
    claims: meanOf(trials, "claims"),
    discipline: meanOf(trials, "line-format"),
    validation: validationWords(trials),
    notes: [
      ...(task.failures === null ? [] : [phrase(task.failures)]),
      ...task.notes.map(({ note, trials: count }) => `${phrase(note)} ×${count}`),
    ].join("; "),
  };
}

function wordsOf({ task, notes, validation }: TaskRow): string {
  const names = [
    ...(task.failures === null ? [] : [task.failures]),
    task.task_id,
    task.class,
    t(task.class),
    task.difficulty,
    phrase(task.difficulty),
    ...task.tags,
  ];
  return [...names, ...task.notes.map(({ note }) => note), notes, validation].join(" ").toLowerCase();
}

/** A row; on narrow screens a card, in which each cell says what it is. */
function lineOf(row: TaskRow, columns: readonly Column[]): HTMLTableRowElement {
  return h(
    "tr",
    { role: "row" },
    columns.map(({ name, cell }, index) =>
      index === 0
        ? h("th", { scope: "row", role: "rowheader" }, cell(row))
        : h("td", { role: "cell", "data-name": name }, cell(row)),
    ),
  );
}

/** A name that may be broken after its underscores. */
function breakable(name: string): Child[] {
  return name.split(/(?<=_)/).flatMap((word) => [word, h("wbr", {})]);
}

/** A trial's dot: a link to its trajectory where it ran. */
export function dot(task: Pick<TaskSummary, "task_id">, mark: TrialMark, k: number, place: Place): HTMLElement {
  const label = `${task.task_id} #${k}: ${t(mark)}`;
  if (mark === "not-run") return h("span", { class: `dot ${mark}`, role: "img", "aria-label": label }, DOTS[mark]);
  const href = formatRoute({ ...place, trial: { task_id: task.task_id, k, seq: null }, beside: null });
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
  return [...counts].map(([status, count]) => `${phrase(status)} ×${count}`).join(", ");
}
