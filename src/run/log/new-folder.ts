import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../../core/errors.js";
import type { Clock } from "../../core/ports/clock.js";
import type { RunStart } from "../../core/run-record.js";
import type { RunState } from "../run-state.js";
import { runLogFile } from "./run-folder.js";
import { lockRun } from "./run-lock.js";
import { openRunLog, type RunLogWriter } from "./run-log.js";

/**
 * Makes a run's folder, locks it, writes its run-start, and works on it. Throws UsageError where the folder exists, unless it is what a
 * kill before the first record left: then nothing was asked yet, and the same command begins again.
 */
export async function inNewFolder<Value>(
  runFolder: string,
  start: RunStart,
  clock: Clock,
  work: (state: RunState, log: RunLogWriter) => Promise<Value>,
): Promise<Value> {
  await mkdir(path.dirname(runFolder), { recursive: true });
  if (!(await neverBegan(runFolder))) await createFolder(runFolder);
  const unlock = await lockRun(runFolder, clock.iso());
  try {
    // Between the look and the lock another process may have begun it.
    if (await neverBegan(runFolder)) await rm(runLogFile(runFolder), { force: true });
    else throw alreadyThere(runFolder);
    const log = openRunLog(runFolder);
    try {
      await log.append(start);
      return await work({ start, ends: new Map(), scores: new Map(), candidateScores: new Map(), end: null }, log);
    } finally {
      await log.close();
    }
  } finally {
    await unlock();
  }
}

/** Throws UsageError where the folder exists. */
export async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw alreadyThere(folder);
    throw error;
  }
}

function alreadyThere(folder: string): UsageError {
  return new UsageError(`${folder} exists: a run id is used once; continue that run with: daw-eval resume ${folder}`);
}

/** Whether a folder is there and holds nothing of a run but a lock and at most a torn first record. */
async function neverBegan(folder: string): Promise<boolean> {
  const log = runLogFile(folder);
  try {
    const names = await readdir(folder);
    if (!names.every((name) => name === path.basename(log) || name.startsWith("run.lock"))) return false;
    return !names.includes(path.basename(log)) || !(await readFile(log, "utf8")).includes("\n");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return false;
    throw error;
  }
}
