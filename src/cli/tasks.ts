import path from "node:path";
import { loadSuite } from "../config/load-suite.js";
import { compileContext } from "../context/compile.js";
import { listContextFiles } from "../context/context-files.js";
import type { Catalog } from "../core/catalog.js";
import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { Suite, Task } from "../core/task.js";
import { bytes, counted, grouped } from "../report/numbers.js";
import { formatTable, type TableColumn } from "../report/text-table.js";
import { oneLine, wrapParts } from "../report/text-width.js";
import { loadGold } from "../score/gold.js";
import { EXIT } from "./exit.js";
import { cacheFolder } from "./surroundings.js";
import { lintSuite } from "./task-lint.js";
import { printJson, printLines, stdoutStyle } from "./text.js";

interface TasksOptions {
  readonly lint?: boolean;
  readonly cacheDir?: string;
  readonly json?: boolean;
}

/** `daw-eval tasks`: the tasks of a suite, one of them whole, or what is wrong with them. */
export async function tasks(dir: string, taskId: string | undefined, options: TasksOptions): Promise<number> {
  const json = options.json === true;
  if (options.lint === true) return lintSuite(dir, taskId ?? null, json);
  const suite = await loadSuite(dir);
  return taskId === undefined ? list(suite, json) : inspect(taskOf(suite, taskId), cacheFolder(options.cacheDir), json);
}

/** Throws UsageError with the nearest id. */
function taskOf(suite: Suite, taskId: string): Task {
  const found = suite.tasks.find((task) => task.task_id === taskId);
  if (found !== undefined) return found;
  const ids = suite.tasks.map((task) => task.task_id);
  const [meant] = nearest(taskId, ids);
  throw new UsageError(
    `${taskId}: no such task in ${suite.path}${meant === undefined ? ` (it has ${counted(ids.length, "task")})` : `; did you mean ${meant}?`}`,
  );
}

async function list(suite: Suite, json: boolean): Promise<number> {
  const rows = [];
  for (const task of suite.tasks) {
    const { files } = await listContextFiles(task.context_dir);
    rows.push({
      task_id: task.task_id,
      difficulty: task.difficulty,
      tags: task.tags,
      formats: formatsOf(files.map((file) => file.path)),
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      gold: await hasGold(task),
      question: task.question,
    });
  }
  if (json) {
    printJson({ suite: suite.name, path: suite.path, tasks: rows });
    return EXIT.fine;
  }
  const { columns, paint } = stdoutStyle();
  const table: readonly TableColumn[] = [
    { header: "task", align: "left", min: 10, cut: "middle" },
    { header: "difficulty", align: "left", drop: 4 },
    { header: "tags", align: "left", min: 4, drop: 3 },
    { header: "formats", align: "left", min: 6, drop: 2 },
    { header: "size", align: "right" },
    { header: "gold", align: "left" },
    { header: "question", align: "left", min: 16, drop: 5 },
  ];
  const cells = rows.map((row) => [
    { text: oneLine(row.task_id) },
    { text: row.difficulty },
    { text: oneLine(row.tags.join(",")) },
    { text: oneLine(row.formats.join(",")) },
    { text: bytes(row.bytes) },
    { text: row.gold ? "yes" : "no", paint: row.gold ? paint.good : paint.middling },
    { text: oneLine(row.question) },
  ]);
  const without = rows.filter((row) => !row.gold).length;
  printLines([
    ...formatTable(table, cells, columns ?? 120),
    "",
    `${counted(rows.length, "task")}, ${bytes(rows.reduce((sum, row) => sum + row.bytes, 0))}${without > 0 ? `, ${without} without gold: they run and stay unscored` : ""}`,
  ]);
  return EXIT.fine;
}

/** Whether there is something to score with. Checks that cannot be read count: `--lint` says what is wrong with them. */
async function hasGold(task: Task): Promise<boolean> {
  try {
    return (await loadGold(task)).file !== null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return true;
  }
}

/** File endings, most frequent first. */
function formatsOf(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const ending = path.extname(file).slice(1).toLowerCase() || "none";
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([ending]) => ending);
}

async function inspect(task: Task, cacheDir: string, json: boolean): Promise<number> {
  const { files } = await listContextFiles(task.context_dir);
  const { catalog } = await compileContext(task.context_dir, { cache_dir: cacheDir });
  const gold = await hasGold(task);
  if (json) {
    const { task_id, difficulty, tags, question, folder, extra } = task;
    const listed = files.map((file) => ({ path: file.path, bytes: file.bytes }));
    printJson({ task_id, difficulty, tags, question, folder, extra, gold, files: listed, catalog });
    return EXIT.fine;
  }
  const { columns, paint } = stdoutStyle();
  const head = [task.task_id, task.difficulty, ...task.tags, gold ? "gold" : "no gold: stays unscored"].map(oneLine);
  printLines([
    ...wrapParts(head, " · ", columns).map(paint.strong),
    "",
    ...task.question.split("\n").flatMap((line) => wrapParts([oneLine(line)], " ", columns)),
    "",
    ...formatTable(
      [
        { header: "file", align: "left", min: 12, cut: "middle" },
        { header: "size", align: "right" },
      ],
      files.map((file) => [{ text: oneLine(file.path) }, { text: bytes(file.bytes) }]),
      columns,
    ),
    ...catalogLines(catalog, columns),
  ]);
  return EXIT.fine;
}

function catalogLines(catalog: Catalog, columns: number | null): string[] {
  const wrapped = (text: string) => wrapParts([oneLine(text)], " ", columns);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.flatMap((line) => wrapped(`- ${line}`))];
  return [
    ...section(
      counted(catalog.tables.length, "table"),
      catalog.tables.map(
        (table) =>
          `${table.name} (${grouped(table.rows)} rows, from ${table.source}): ${table.columns.map((column) => `${column.name} ${column.type}`).join(", ")}`,
      ),
    ),
    ...section(
      counted(catalog.relationships.length, "relationship"),
      catalog.relationships.map(
        (one) =>
          `${one.from_table}.${one.from_column} → ${one.to_table}.${one.to_column} (${one.kind}: ${one.evidence})`,
      ),
    ),
    ...section(
      counted(catalog.documents.length, "document"),
      catalog.documents.map(
        (one) => `${one.path} (${grouped(one.characters)} characters, ${counted(one.headings.length, "heading")})`,
      ),
    ),
    ...section(
      counted(catalog.media.length, "media file"),
      catalog.media.map((one) => `${one.path} (${one.type}, ${bytes(one.bytes)})`),
    ),
    ...section(
      `${catalog.uncertainties.length} uncertain`,
      catalog.uncertainties.map((one) => `${one.source}: ${one.code}: ${one.detail}`),
    ),
  ];
}
