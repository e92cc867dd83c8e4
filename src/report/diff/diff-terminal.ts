import { chance, counted, percent, score3 } from "../numbers.js";
import { COMPARED_STOPS_HEADERS, comparedStops } from "../plan-sentences.js";
import type { Paint, TerminalStyle } from "../render-terminal.js";
import { formatTable, type TableCell, type TableColumn } from "../text-table.js";
import { oneLine, wrapParts } from "../text-width.js";
import type { ComparedTask, Comparison } from "./diff.js";
import {
  classChange,
  classParts,
  countsOf,
  deltaText,
  groupParts,
  headlineParts,
  labelParts,
  leftOutLines,
  powerSentence,
  profileParts,
  SECONDARY_HEADERS,
  secondaryCells,
  sideName,
} from "./diff-sentences.js";

/** Table width where nothing limits the line: as in a plain terminal. */
const DEFAULT_COLUMNS = 80;

/** Changed tasks that get a line: more is for --json and --md. */
const MOST_TASKS = 60;

/** Comparisons for people: one at full length, several as a table against the base. Ends with a line break. */
export function renderDiff(comparisons: readonly Comparison[], style: TerminalStyle): string {
  const [first, ...others] = comparisons;
  if (first === undefined) return "";
  const lines = others.length === 0 ? comparisonLines(first, style) : tableLines(first, comparisons, style);
  return `${lines.join("\n")}\n`;
}

function comparisonLines(comparison: Comparison, { paint, columns }: TerminalStyle): string[] {
  const width = columns ?? DEFAULT_COLUMNS;
  const wrap = (parts: readonly string[]) => wrapParts(parts.map(oneLine), " · ", columns);
  const { base, head, base_arm, head_arm, base_run, head_run } = comparison;
  const profile = profileParts(comparison);
  return [
    ...wrap([`base ${sideName(base, base_arm, comparison)}`, ...labelParts(base_run)]),
    ...wrap([`head ${sideName(head, head_arm, comparison)}`, ...labelParts(head_run)]),
    ...(profile.length === 0 ? [] : wrap([`profile: ${profile[0]}`, ...profile.slice(1)])),
    ...taskLines(comparison, width, paint),
    "",
    ...wrap(headlineParts(comparison)).map(paintOf(comparison, paint)),
    ...wrap([powerSentence(comparison)]),
    ...wrap([...groupParts(comparison), ...classParts(comparison)]),
    ...leftOutLines(comparison).flatMap((line) => wrap([line])),
    ...secondaryLines(comparison, width),
    ...stopLines(comparison, width),
    "",
    ...wrap([gateText(comparison)]).map(comparison.gate.failed ? paint.bad : paint.strong),
  ];
}

/** `gate failed: …`. */
function gateText({ gate }: Comparison): string {
  return `gate ${gate.failed ? "failed" : "passed"}: ${gate.reason}`;
}

function paintOf({ verdict }: Pick<Comparison, "verdict">, paint: Paint): (text: string) => string {
  if (verdict === "worse" || verdict === "likely worse") return paint.bad;
  return verdict === "better" || verdict === "likely better" ? paint.good : paint.strong;
}

function taskLines(comparison: Comparison, width: number, paint: Paint): string[] {
  const changed = comparison.tasks.filter(isChanged);
  const same = comparison.tasks.length - changed.length;
  const columns: readonly TableColumn[] = [
    { header: "task", align: "left", min: 8, cut: "middle" },
    { header: "base", align: "right" },
    { header: "head", align: "right" },
    { header: "Δ", align: "right", drop: 1 },
    { header: "class", align: "left", drop: 2 },
  ];
  const rows = changed
    .slice(0, MOST_TASKS)
    .map(({ task_id, base, head, change }): TableCell[] => [
      { text: oneLine(task_id) },
      { text: countsOf(base) },
      { text: countsOf(head) },
      { text: deltaText(comparison, change), paint: change < 0 ? paint.bad : change > 0 ? paint.good : paint.faint },
      { text: classChange(base, head) },
    ]);
  const more = changed.length - rows.length;
  const table = formatTable(columns, rows, width);
  return [
    ...(table.length > 0 ? ["", ...table] : []),
    ...(more > 0 ? [`… ${counted(more, "more changed task")}`] : []),
    ...(same > 0 && changed.length > 0 ? [paint.faint(`${counted(same, "task")} as before`)] : []),
  ];
}

/** Whether a task has something to show: another rate, or another class at the same rate. */
export function isChanged({ base, head, change }: ComparedTask): boolean {
  return change !== 0 || base.class !== head.class;
}

/** Where verification stopped, where one side has plans. */
function stopLines({ plans }: Comparison, width: number): string[] {
  const rows = comparedStops(plans.base, plans.head).map((row) => row.map((text) => ({ text: oneLine(text) })));
  const columns = COMPARED_STOPS_HEADERS.map(
    (header, index): TableColumn => (index === 0 ? { header, align: "left", min: 12 } : { header, align: "right" }),
  );
  return rows.length === 0 ? [] : ["", ...formatTable(columns, rows, width)];
}

function secondaryLines({ secondary }: Comparison, width: number): string[] {
  const columns = SECONDARY_HEADERS.map(
    (header, index): TableColumn =>
      index === 0
        ? { header, align: "left", min: 12 }
        : { header, align: "right", ...(index >= 4 && { drop: index === 6 ? 3 : index - 3 }) },
  );
  const rows = secondary.map((row) => secondaryCells(row).map((text) => ({ text })));
  return rows.length === 0 ? [] : ["", ...formatTable(columns, rows, width)];
}

const AGAINST: readonly TableColumn[] = [
  { header: "run", align: "left", min: 10, cut: "middle" },
  { header: "tasks", align: "right", drop: 3 },
  { header: "mean", align: "right", drop: 2 },
  { header: "Δ", align: "right" },
  { header: "95 % CI", align: "right", drop: 4 },
  { header: "p", align: "right", drop: 5 },
  { header: "verdict", align: "left" },
  { header: "gate", align: "left", drop: 1 },
];

function tableLines(
  first: Comparison,
  comparisons: readonly Comparison[],
  { paint, columns }: TerminalStyle,
): string[] {
  const wrap = (parts: readonly string[]) => wrapParts(parts.map(oneLine), " · ", columns);
  const show = first.metric === "score" ? score3 : percent;
  const rows = comparisons.map((one): TableCell[] => [
    { text: oneLine(againstName(one)) },
    { text: String(one.common) },
    { text: `${show(one.base_mean)} → ${show(one.head_mean)}` },
    { text: deltaText(one, one.delta) },
    { text: one.ci95 === null ? "–" : one.ci95.map((end) => deltaText(one, end)).join(" … ") },
    { text: chance(one.p_sign_flip) },
    { text: one.verdict, paint: paintOf(one, paint) },
    { text: one.gate.failed ? "failed" : "passed", paint: one.gate.failed ? paint.bad : paint.good },
  ]);
  const notes = comparisons.flatMap((one) =>
    [...leftOutLines(one), gateText(one)].map((line) => `${againstName(one)}: ${line}`),
  );
  return [
    ...wrap([`base ${first.base}`, ...labelParts(first.base_run)]).map(paint.strong),
    "",
    ...formatTable(AGAINST, rows, columns ?? DEFAULT_COLUMNS),
    "",
    ...notes.flatMap((note) => wrap([note])),
  ];
}

/** What stands against the base in one line: head's run, its arm, and base's where that is another. */
function againstName({ base_arm, head, head_arm }: Comparison): string {
  if (base_arm === "main" && head_arm === "main") return head;
  return base_arm === head_arm ? `${head} ${head_arm}` : `${head} ${head_arm} (base: ${base_arm})`;
}
