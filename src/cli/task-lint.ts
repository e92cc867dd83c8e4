import { readFile } from "node:fs/promises";
import path from "node:path";
import { normaliseCell } from "../answer/cell.js";
import { CsvError, csvReader } from "../answer/csv-reader.js";
import { loadSuite } from "../config/load-suite.js";
import { listContextFiles } from "../context/context-files.js";
import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { Suite, Task } from "../core/task.js";
import { counted } from "../report/numbers.js";
import { oneLine } from "../report/text-width.js";
import { type Gold, loadGold } from "../score/gold.js";
import { EXIT } from "./exit.js";
import { printJson, printLines, stdoutStyle } from "./text.js";

interface Problem {
  /** An error keeps the task from running or from being scored. */
  readonly level: "error" | "warning";
  /** Null for what the loader found before there were tasks; its message has the path. */
  readonly task_id: string | null;
  readonly message: string;
}

/** Cells that a person reads as a number or a date, and the scorers as text: no other spelling of the value matches them. */
const ODD_CELLS: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/, what: "numbers with thousands separators" },
  { pattern: /^[+-]?\d[\d,]*(\.\d+)?\s*%$/, what: "percentages with their sign" },
  { pattern: /^[+-]?[$€£¥]\s*\d[\d,]*(\.\d+)?$/, what: "amounts with a currency sign" },
  { pattern: /^\d{1,4}[/.]\d{1,2}[/.]\d{1,4}$/, what: "dates that are not YYYY-MM-DD" },
];

const TASK_KEYS = ["task_id", "question", "difficulty", "tags"];

/** `daw-eval tasks --lint`: prints what is wrong with a suite's tasks, or with one. Returns 2 where there is an error. */
export async function lintSuite(dir: string, taskId: string | null, json: boolean): Promise<number> {
  const { problems, tasks } = await problemsOf(dir, taskId);
  const errors = problems.filter((problem) => problem.level === "error").length;
  const warnings = problems.length - errors;
  if (json) printJson({ tasks, errors, warnings, problems });
  else {
    const { paint } = stdoutStyle();
    const lines = problems.map(({ level, task_id, message }) => {
      const where = task_id === null ? "" : `${oneLine(task_id)}: `;
      return `${level === "error" ? paint.bad("error  ") : paint.middling("warning")} ${where}${oneLine(message)}`;
    });
    printLines([...lines, `${counted(tasks, "task")}: ${counted(errors, "error")}, ${counted(warnings, "warning")}`]);
  }
  return errors > 0 ? EXIT.usage : EXIT.fine;
}

async function problemsOf(dir: string, taskId: string | null): Promise<{ problems: Problem[]; tasks: number }> {
  let suite: Suite;
  try {
    suite = await loadSuite(dir);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problems: error.lines.map((message) => ({ level: "error", task_id: null, message })), tasks: 0 };
  }
  const tasks = suite.tasks.filter((task) => taskId === null || task.task_id === taskId);
  if (tasks.length === 0) throw new UsageError(`${taskId}: no such task in ${suite.path}`);
  const problems: Problem[] = [];
  for (const task of tasks) {
    const found = [...descriptionProblems(task), ...(await contextProblems(task)), ...(await goldProblems(task))];
    problems.push(...found.map((problem) => ({ ...problem, task_id: task.task_id })));
  }
  return { problems, tasks: tasks.length };
}

type Found = Omit<Problem, "task_id">;

function descriptionProblems(task: Task): Found[] {
  return Object.keys(task.extra).flatMap((key) => {
    const [meant] = nearest(key, TASK_KEYS);
    return meant === undefined ? [] : [warning(`task.json: unknown key "${key}"; did you mean "${meant}"?`)];
  });
}

async function contextProblems(task: Task): Promise<Found[]> {
  const { files, refused } = await listContextFiles(task.context_dir);
  const hidden = files.filter(({ path: file }) => /.\/knowledge\.md$/i.test(file));
  return [
    ...(files.length === 0 ? [warning("context/ has no files: there is nothing to work on")] : []),
    ...files.filter(({ bytes }) => bytes === 0).map((file) => warning(`context/${file.path} is empty`)),
    ...refused.map((one) => warning(`context/${one.source}: ${one.detail}`)),
    ...hidden.map((file) =>
      warning(`context/${file.path}: only a knowledge.md at the top of context/ is part of the first message`),
    ),
  ];
}

async function goldProblems(task: Task): Promise<Found[]> {
  let gold: Gold;
  try {
    gold = await loadGold(task);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.lines.map((message) => ({ level: "error", message }));
  }
  if (gold.file === null) return [warning("no gold.csv: the task runs and stays unscored")];
  const table = await readGold(gold.file);
  if (typeof table === "string")
    return [{ level: "error", message: `${gold.file}: ${table}: the task stays unscored` }];
  if (table.rows.length === 0) return [warning(`${gold.file} has a header and no rows`)];
  return table.header.flatMap((name, column) =>
    oddCells(
      path.basename(gold.file ?? ""),
      name,
      table.rows.map((row) => row[column] ?? ""),
      gold.checks.scoring?.thousands ?? false,
    ),
  );
}

function oddCells(file: string, column: string, cells: readonly string[], thousands: boolean): Found[] {
  return ODD_CELLS.flatMap(({ pattern, what }) => {
    const odd = cells
      .map((cell) => cell.trim())
      .filter((cell) => pattern.test(cell) && normaliseCell(cell, { thousands }) === cell);
    const [first] = odd;
    if (first === undefined) return [];
    return [
      warning(
        `${file}: column "${column}" has ${what} (${counted(odd.length, "cell")}, e.g. ${first}): they are compared as text`,
      ),
    ];
  });
}

interface GoldTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The table as the scorers read it, or why they cannot. */
async function readGold(file: string): Promise<GoldTable | string> {
  let header: readonly string[] = [];
  const rows: (readonly string[])[] = [];
  const reader = csvReader({
    header: (cells) => {
      header = cells;
    },
    row: (cells) => {
      rows.push(cells);
    },
  });
  try {
    reader.push(await readFile(file));
    reader.end();
    return { header, rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return error.message;
  }
}

function warning(message: string): Found {
  return { level: "warning", message };
}
