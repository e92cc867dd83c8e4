import type { ArmSummary } from "./arm-summary.js";
import { CONFUSION_HEADERS, confusionNotes, confusionRows } from "./confusion-table.js";
import { doseSentences, doseTable } from "./dose-response.js";
import { half, seconds, UNDEFINED } from "./numbers.js";
import { CLAIM_CHECK_HEADERS, claimCheckRow, LINE_FORMAT_HEADERS, lineFormatRow } from "./own-checks.js";
import { STOPPED_HEADERS, stoppedRows } from "./plan-sentences.js";
import { armSentences, originParts, reservations } from "./sentences.js";
import { armTable, type SplitTable, splitTables } from "./split-tables.js";
import type { RunSummary } from "./summary.js";
import type { TaskClass, TaskSummary, TrialMark } from "./task-summary.js";
import { formatTable, type TableCell, type TableColumn } from "./text-table.js";
import { oneLine, wrapParts } from "./text-width.js";

/** Colours of a terminal; all of them return the text as it is where there are none. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly middling: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

export interface TerminalStyle {
  readonly paint: Paint;
  /** Cells of a line; null where nothing limits it (a pipe, a file): sentences then stay on one line each. */
  readonly columns: number | null;
}

/** Table width where nothing limits the line: as in a plain terminal. */
const DEFAULT_COLUMNS = 80;

/** Repeats up to which each has a dot. */
const MOST_DOTS = 8;

const COLUMNS: readonly TableColumn[] = [
  { header: "task", align: "left", min: 17, cut: "middle" },
  { header: "difficulty", align: "left", drop: 8 },
  { header: "trials", align: "left" },
  { header: "class", align: "left", drop: 1 },
  { header: "score", align: "right", drop: 3 },
  { header: "steps", align: "right", drop: 6 },
  { header: "s", align: "right", drop: 5 },
  { header: "what went wrong", align: "left", min: 16, wrap: true, drop: 7 },
];

const DOTS: Readonly<Record<TrialMark, string>> = { pass: "●", miss: "○", infra: "!", "not-run": "·", unscored: "?" };

/** A run for people: a line a task, then the numbers that matter, each with its n. Ends with a line break. */
export function renderTerminal(summary: RunSummary, style: TerminalStyle): string {
  const { paint, columns } = style;
  const head = [
    `run ${summary.run_id}`,
    summary.suite,
    summary.model,
    summary.strategy,
    `seed ${summary.seed}`,
    summary.status,
    ...originParts(summary),
  ].map(oneLine);
  const lines = [
    ...wrapParts(head, " · ", columns).map(paint.strong),
    ...reservations(summary).flatMap((sentence) => wrapParts([oneLine(sentence)], " ", columns).map(paint.bad)),
    ...summary.arms.flatMap((arm) => ["", ...armLines(summary, arm, style)]),
    ...splitLines(armTable(summary), columns ?? DEFAULT_COLUMNS),
    ...doseLines(summary, style),
  ];
  return `${lines.join("\n")}\n`;
}

function armLines(summary: RunSummary, arm: ArmSummary, { paint, columns }: TerminalStyle): string[] {
  const width = columns ?? DEFAULT_COLUMNS;
  const sentences = armSentences(summary, arm).map((parts, index) => {
    const lines = wrapParts(parts.map(oneLine), " · ", columns);
    return index === 0 ? lines.map(paint.strong) : lines;
  });
  return [
    ...(summary.arms.length > 1 ? [paint.strong(`arm ${oneLine(arm.arm)}`)] : []),
    ...formatTable(COLUMNS, taskRows(arm.tasks, paint), columns),
    "",
    ...sentences.flat(),
    ...splitTables(arm).flatMap((table) => splitLines(table, width)),
    ...countLines(LINE_FORMAT_HEADERS, arm.line_formats.map(lineFormatRow), width),
    ...countLines(CLAIM_CHECK_HEADERS, arm.claim_checks.map(claimCheckRow), width),
    ...confusionLines(arm.validation, width),
    ...countLines(STOPPED_HEADERS, stoppedRows(arm.plans), width),
  ];
}

function doseLines({ dose_response }: RunSummary, { columns }: TerminalStyle): string[] {
  if (dose_response === null) return [];
  const { headers, rows } = doseTable(dose_response);
  const sentences = doseSentences(dose_response).flatMap((sentence) => wrapParts([oneLine(sentence)], " · ", columns));
  return [...countLines(headers, rows, columns ?? DEFAULT_COLUMNS), ...sentences];
}

/** Made as they are asked for: of 10,000 tasks one is in memory at a time. */
const taskRows = (tasks: readonly TaskSummary[], paint: Paint): Iterable<TableCell[]> => ({
  *[Symbol.iterator]() {
    for (const task of tasks) yield taskRow(task, paint);
  },
});

function taskRow(task: TaskSummary, paint: Paint): TableCell[] {
  const dots = task.marks.length <= MOST_DOTS ? `${task.marks.map((mark) => DOTS[mark]).join("")} ` : "";
  const byClass: Readonly<Record<TaskClass, (text: string) => string>> = {
    solid: paint.good,
    flaky: paint.middling,
    broken: paint.bad,
    incomplete: paint.middling,
    unscored: paint.bad,
  };
  return [
    { text: oneLine(task.task_id) },
    { text: task.difficulty === "unknown" ? "" : task.difficulty, paint: paint.faint },
    { text: `${dots}${passesOf(task)}` },
    { text: task.class, paint: byClass[task.class] },
    { text: task.mean_score === null ? UNDEFINED : task.mean_score.toFixed(2) },
    { text: half(task.median_steps) },
    { text: seconds(task.median_seconds) },
    { text: oneLine(whatWentWrong(task)), paint: paint.faint },
  ];
}

/** Passes of scored trials: `2/3`. */
export function passesOf(task: TaskSummary): string {
  return task.passes === null ? `${UNDEFINED}/${task.marks.length}` : `${task.passes}/${task.scored}`;
}

/** `valid 1/3; 2× infra: connection`, `stable; 3× 1/2 columns`. */
export function whatWentWrong(task: TaskSummary): string {
  const valid = task.class === "incomplete" ? [`valid ${task.valid}/${task.marks.length}`] : [];
  const stability = task.failures === null ? [] : [task.failures];
  return [...valid, ...stability, ...task.notes.map(({ note, trials }) => `${trials}× ${note}`)].join("; ");
}

function confusionLines(validation: ArmSummary["validation"], width: number): string[] {
  if (validation === null || validation.confusion.length === 0) return [];
  const table = countLines(CONFUSION_HEADERS, confusionRows(validation.confusion), width);
  return [...table, ...confusionNotes(validation).flatMap((note) => wrapParts(note.split(" "), " ", width))];
}

/** A name and its counts a line; nothing where there are none. */
function countLines(headers: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  if (rows.length === 0) return [];
  const columns = headers.map(
    (header, index): TableColumn =>
      index === 0 ? { header, align: "left", min: 13, cut: "middle" } : { header, align: "right" },
  );
  const cells = rows.map((row) => row.map((text) => ({ text: oneLine(text) })));
  return ["", ...formatTable(columns, cells, width)];
}

function splitLines({ columns, rows }: SplitTable, width: number): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => row.map((text) => ({ text: oneLine(text) })));
  return ["", ...formatTable(columns, cells, width)];
}
