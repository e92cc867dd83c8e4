import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { digestFolder } from "../../context/digest-folder.js";
import { UsageError } from "../../core/errors.js";
import { isSafeName } from "../../core/identity.js";
import { naturalOrder } from "../../core/natural-order.js";
import { type AgentTrace, readAgentTrace } from "./agent-trace.js";
import { readJsonFile } from "./read-json-file.js";

/** A run of the starter kit as its folder tells it: `summary.json`, `task_<id>/{trace.json, prediction.csv}`. */
export interface KitRun {
  readonly run_id: string;
  /** Absolute. */
  readonly folder: string;
  /** SHA-256 over the folder's files. */
  readonly digest: string;
  /** When it began; null where neither its name nor its files tell. */
  readonly began: number | null;
  readonly tasks: ReadonlyMap<string, KitTask>;
  /** What was amiss, and what was made of it. */
  readonly notes: readonly string[];
}

export interface KitTask {
  readonly trace: AgentTrace | null;
  /** Absolute path of the prediction; null where there is none, or one that this run did not write. */
  readonly prediction: string | null;
  /** What the run says of a task without an answer. */
  readonly failure_reason: string | null;
  /** It was begun and not ended, or never begun: there is no outcome. */
  readonly open: boolean;
}

const entrySchema = z.looseObject({
  task_id: z.string(),
  succeeded: z.boolean().nullish().catch(null),
  failure_reason: z.string().nullish().catch(null),
  prediction_csv_path: z.string().nullish().catch(null),
});
type Entry = z.infer<typeof entrySchema>;
const summarySchema = z.looseObject({
  run_id: z.string().nullish().catch(null),
  tasks: z.array(z.unknown()).nullish().catch(null),
});

/** Reads a run's folder. Throws UsageError where it is none; whatever is wrong with single files is a note. */
export async function readKitRun(given: string): Promise<KitRun> {
  const folder = path.resolve(given);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError(`${given}: no such folder`);
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((one) => one.isDirectory())
    .map((one) => one.name);
  const notes: string[] = [];
  const summary = await readSummary(folder, notes);
  const listed = new Map(summary.entries.map((entry) => [entry.task_id, entry]));
  const folders = await taskFolders(folder, names, listed);
  const ids = [...new Set([...folders, ...listed.keys()])].sort(naturalOrder);
  if (ids.length === 0) throw new UsageError(noTasks(given, await runsIn(folder, names)));
  const tasks = new Map<string, KitTask>();
  for (const id of ids) {
    if (!isSafeName(id)) notes.push(`${JSON.stringify(id)} cannot be a task's id: left out`);
    else tasks.set(id, await readKitTask(path.join(folder, id), id, listed.get(id) ?? null, notes));
  }
  const run_id = summary.run_id ?? path.basename(folder);
  return { run_id, folder, digest: await digestFolder(folder), began: beganAt(run_id), tasks, notes };
}

async function readSummary(
  folder: string,
  notes: string[],
): Promise<{ readonly run_id: string | null; readonly entries: readonly Entry[] }> {
  const read = await readJsonFile(path.join(folder, "summary.json"));
  if (!read.ok) {
    const what = read.missing ? "there is no summary.json (the run did not end)" : `summary.json ${read.reason}`;
    notes.push(`${what}: the task folders alone are read`);
    return { run_id: null, entries: [] };
  }
  if (read.note !== null) notes.push(`summary.json ${read.note}`);
  const summary = summarySchema.safeParse(read.value).data;
  const entries = (summary?.tasks ?? []).flatMap((item) => entrySchema.safeParse(item).data ?? []);
  return { run_id: summary?.run_id ?? null, entries };
}

/** Folders of tasks: those that the summary lists, and those with a trace or a prediction. */
async function taskFolders(
  folder: string,
  names: readonly string[],
  listed: ReadonlyMap<string, Entry>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    if (listed.has(name) || name.startsWith("task_") || (await hasOutput(path.join(folder, name)))) found.push(name);
  }
  return found;
}

async function hasOutput(folder: string): Promise<boolean> {
  const names = await namesIn(folder);
  return names.includes("trace.json") || names.includes("prediction.csv");
}

/** Nothing where the folder cannot be read. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

/** Names of subfolders that are runs themselves. */
async function runsIn(folder: string, names: readonly string[]): Promise<string[]> {
  const runs: string[] = [];
  for (const name of names) {
    const inside = await namesIn(path.join(folder, name));
    if (inside.includes("summary.json") || inside.some((one) => one.startsWith("task_"))) runs.push(name);
  }
  return runs.sort(naturalOrder);
}

function noTasks(given: string, runs: readonly string[]): string {
  if (runs.length === 0) return `${given}: no run of the starter kit: neither summary.json nor task folders are in it`;
  const shown = runs.map((name) => path.join(given, name)).join(" ");
  return `${given}: holds runs and is none: name those that are repeats of each other, e.g. daw-eval import ${shown}`;
}

async function readKitTask(folder: string, id: string, entry: Entry | null, notes: string[]): Promise<KitTask> {
  const trace = await readTrace(folder, id, notes);
  const file = path.join(folder, "prediction.csv");
  const there = (await stat(file).catch(() => null))?.isFile() === true;
  const succeeded = trace?.succeeded ?? entry?.succeeded ?? null;
  const failure_reason = trace?.failure_reason ?? entry?.failure_reason ?? null;
  const known = trace?.names_answer === true || Boolean(entry?.prediction_csv_path);
  const stale = there && succeeded === false && !known;
  if (stale) notes.push(`${id}: prediction.csv is not of this run, which brought no answer: not taken`);
  if (!there && succeeded === true) notes.push(`${id}: said to have succeeded, but there is no prediction.csv`);
  const prediction = there && !stale ? file : null;
  const open = prediction === null && (trace?.status === "running" || (trace === null && succeeded === null));
  if (open) notes.push(`${id}: has not ended: counted as not run`);
  return { trace, prediction, failure_reason, open };
}

async function readTrace(folder: string, id: string, notes: string[]): Promise<AgentTrace | null> {
  const read = await readJsonFile(path.join(folder, "trace.json"));
  if (!read.ok) {
    notes.push(
      `${id}: ${read.missing ? "there is no trace.json" : `trace.json ${read.reason}`}: its steps are not known`,
    );
    return null;
  }
  if (read.note !== null) notes.push(`${id}: trace.json ${read.note}`);
  const trace = readAgentTrace(read.value);
  if (trace.task_id !== null && trace.task_id !== id) {
    notes.push(`${id}: trace.json is of ${JSON.stringify(trace.task_id)}: not taken`);
    return null;
  }
  notes.push(...trace.notes.map((note) => `${id}: ${note}`));
  return trace;
}

/** The kit names its runs after the time at which they begin: `20260401T120000Z`. */
function beganAt(run_id: string): number | null {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(run_id) ?? [];
  if (year === undefined) return null;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : at;
}
