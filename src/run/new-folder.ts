import { mkdir } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../core/errors.js";
import type { Clock } from "../core/ports/clock.js";
import type { RunStart } from "../core/run-record.js";
import { lockRun } from "./run-lock.js";
import { openRunLog, type RunLogWriter } from "./run-log.js";
import type { RunState } from "./run-state.js";

/** Makes a run's folder, locks it, writes its run-start, and works on it. Throws UsageError where the folder exists. */
export async function inNewFolder<Value>(
  runFolder: string,
  start: RunStart,
  clock: Clock,
  work: (state: RunState, log: RunLogWriter) => Promise<Value>,
): Promise<Value> {
  await mkdir(path.dirname(runFolder), { recursive: true });
  await createFolder(runFolder);
  const unlock = await lockRun(runFolder, clock.iso());
  try {
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
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new UsageError(
        `${folder} exists: a run id is used once; continue that run with: daw-eval resume ${folder}`,
      );
    }
    throw error;
  }
}
