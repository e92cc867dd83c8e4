import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { RunLogError, UsageError } from "../core/errors.js";
import type { ArmSummary } from "../report/arm-summary.js";
import { bytes, counted, percent, UNDEFINED } from "../report/numbers.js";
import { summariseRun } from "../report/summary.js";
import { formatTable, type TableColumn } from "../report/text-table.js";
import { oneLine } from "../report/text-width.js";
import { runLogFile } from "../run/log/run-folder.js";
import { lockRun, processAtWork } from "../run/log/run-lock.js";
import { readRunLog } from "../run/log/run-log.js";
import { EXIT } from "./exit.js";
import { folderSize } from "./folder-size.js";
import { wholeNumber } from "./option-values.js";
import { systemClock } from "./surroundings.js";
import { printJson, printLines, stdoutStyle } from "./text.js";

/** Runs of CI that are kept in git: `clean` never touches them. */
const BASELINES = "baselines";

const DAY_MS = 24 * 60 * 60 * 1000;

interface RunRow {
  readonly id: string;
  readonly folder: string;
  /** When it started; of an unreadable log, when it was last written. ISO 8601. */
  readonly started_at: string;
  /** `running`: a process of this host is at work on it. */
  readonly status: "completed" | "running" | "interrupted" | "failed" | "unreadable";
  /** Why the log is unreadable; null otherwise. */
  readonly problem: string | null;
  readonly suite: string | null;
  readonly tasks: number | null;
  readonly repeats: number | null;
  readonly planned_trials: number | null;
  readonly ended_trials: number | null;
  /** By arm: mean pass rate, null where nothing is scored. */
  readonly pass_rates: Readonly<Record<string, number | null>>;
  readonly bytes: number;
}

interface ListOptions {
  readonly dir: string;
  readonly json?: boolean;
}

/** `daw-eval runs list`: the runs of a folder, newest first. */
export async function listRuns({ dir, json }: ListOptions): Promise<number> {
  const rows = await runsIn(dir);
  if (json === true) printJson({ dir: path.resolve(dir), runs: rows, bytes: totalBytes(rows) });
  else if (rows.length === 0) printLines([`no runs in ${dir}`]);
  else printRuns(rows);
  return EXIT.fine;
}

interface CleanOptions extends ListOptions {
  readonly keep?: string;
  readonly olderThan?: string;
  readonly yes?: boolean;
}

/**
 * `daw-eval runs clean`: says what it would delete and how large that is; deletes only with `--yes`. What is deleted has to be selected: by id, all
 * but the newest `--keep`, or by age; with several of these, what all of them select.
 */
export async function cleanRuns(ids: readonly string[], options: CleanOptions): Promise<number> {
  const { dir, json, yes } = options;
  const keep = options.keep === undefined ? null : wholeNumber("--keep", options.keep, 0);
  const days = options.olderThan === undefined ? null : wholeNumber("--older-than", options.olderThan, 0);
  if (ids.length === 0 && keep === null && days === null) {
    throw new UsageError("nothing is selected: name run ids, or say --keep N or --older-than DAYS");
  }
  const all = await runsIn(dir);
  const unknown = ids.filter((id) => !all.some((row) => row.id === id));
  if (unknown.length > 0)
    throw new UsageError(unknown.map((id) => `${id}: no such run in ${dir} (runs list shows them)`));
  const selected = all
    .filter((row) => ids.length === 0 || ids.includes(row.id))
    .filter((row) => keep === null || all.indexOf(row) >= keep)
    .filter((row) => days === null || Date.now() - Date.parse(row.started_at) > days * DAY_MS);

  const size = bytes(totalBytes(selected));
  if (json !== true) {
    if (selected.length > 0) printRuns(selected);
    printLines([
      `${counted(selected.length, "run")}, ${size}${yes === true || selected.length === 0 ? "" : ": nothing deleted yet, pass --yes to delete"}`,
    ]);
  }
  if (yes === true) await deleteRuns(selected);
  if (json === true)
    printJson({ dir: path.resolve(dir), runs: selected, bytes: totalBytes(selected), deleted: yes === true });
  else if (yes === true && selected.length > 0) printLines([`deleted ${counted(selected.length, "run")}, ${size}`]);
  return EXIT.fine;
}

/** Takes the lock of each first, so that nothing is deleted while a process is at work on one of them. */
async function deleteRuns(rows: readonly RunRow[]): Promise<void> {
  const unlocks: (() => Promise<void>)[] = [];
  try {
    for (const row of rows) unlocks.push(await lockRun(row.folder, systemClock.iso()));
    for (const row of rows) await rm(row.folder, { recursive: true });
  } finally {
    for (const unlock of unlocks) await unlock();
  }
}

const totalBytes = (rows: readonly RunRow[]): number => rows.reduce((sum, row) => sum + row.bytes, 0);

/** Every folder with a run.jsonl, newest first. */
async function runsIn(dir: string): Promise<RunRow[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => {
    throw new UsageError(`${dir}: no such folder: nothing has been run here yet, or --dir says where`);
  });
  const rows: RunRow[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name === BASELINES) continue;
    const folder = path.resolve(dir, entry.name);
    const log = await stat(runLogFile(folder)).catch(() => null);
    if (log !== null) rows.push(await runRow(entry.name, folder, log.mtime));
  }
  return rows.sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at) || (a.id < b.id ? -1 : 1));
}

async function runRow(id: string, folder: string, written: Date): Promise<RunRow> {
  const size = await folderSize(folder);
  try {
    const summary = await summariseRun(
      readRunLog(runLogFile(folder), () => {}),
      { metric: "pass_rate", min_pass: null },
    );
    const [arm] = summary.arms;
    const sum = (of: (one: ArmSummary) => number) => summary.arms.reduce((total, one) => total + of(one), 0);
    return {
      id,
      folder,
      started_at: summary.started_at,
      status: (await processAtWork(folder)) === null ? summary.status : "running",
      problem: null,
      suite: summary.suite,
      tasks: arm?.tasks.length ?? 0,
      repeats: arm?.repeats ?? 0,
      planned_trials: sum((one) => one.planned_trials),
      ended_trials: sum((one) => one.valid_trials + one.infra),
      pass_rates: Object.fromEntries(summary.arms.map((one) => [one.arm, one.mean])),
      bytes: size,
    };
  } catch (error) {
    if (!(error instanceof RunLogError)) throw error;
    return {
      id,
      folder,
      started_at: written.toISOString(),
      status: "unreadable",
      problem: error.message,
      suite: null,
      tasks: null,
      repeats: null,
      planned_trials: null,
      ended_trials: null,
      pass_rates: {},
      bytes: size,
    };
  }
}

function printRuns(rows: readonly RunRow[]): void {
  const { paint, columns } = stdoutStyle();
  const table: readonly TableColumn[] = [
    { header: "run", align: "left", min: 12, cut: "middle" },
    { header: "status", align: "left" },
    { header: "tasks", align: "right", drop: 1 },
    { header: "trials", align: "right", drop: 2 },
    { header: "pass rate", align: "right" },
    { header: "size", align: "right" },
    { header: "started", align: "left", drop: 3 },
    { header: "problem", align: "left", min: 10, drop: 4 },
  ];
  const cells = rows.map((row) => [
    { text: oneLine(row.id) },
    { text: row.status, paint: row.status === "completed" ? paint.good : paint.middling },
    { text: row.tasks === null ? UNDEFINED : `${row.tasks} × ${row.repeats}` },
    { text: row.planned_trials === null ? UNDEFINED : `${row.ended_trials}/${row.planned_trials}` },
    { text: Object.values(row.pass_rates).map(percent).join(", ") || UNDEFINED },
    { text: bytes(row.bytes) },
    { text: row.started_at.slice(0, 16).replace("T", " ") },
    { text: oneLine(row.problem ?? "") },
  ]);
  printLines(formatTable(table, cells, columns));
}
