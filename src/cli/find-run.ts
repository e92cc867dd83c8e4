import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { runLogFile } from "../run/log/run-folder.js";
import { processAtWork } from "../run/log/run-lock.js";
import { BASELINES_FOLDER, RUNS_FOLDER } from "./places.js";

export interface RunPlace {
  readonly folder: string;
  /** run.jsonl, or the log file that was named. */
  readonly log: string;
}

/** A run given as its folder, as its log file (also a lone one, like a baseline), or as an id under runs/. Throws UsageError where there is none. */
export async function findRun(given: string): Promise<RunPlace> {
  const here = path.resolve(given);
  const place =
    (await placeAt(here)) ??
    (await placeAt(path.resolve(RUNS_FOLDER, given))) ??
    (await placeAt(path.resolve(BASELINES_FOLDER, `${given}.jsonl`)));
  if (place !== null) return place;
  const ids = await readdir(RUNS_FOLDER).catch(() => []);
  const [meant] = nearest(given, ids);
  throw new UsageError(
    `${given}: no such run; give its folder, its run.jsonl, or its id under ${RUNS_FOLDER}/${meant === undefined ? "" : `; did you mean ${meant}?`}`,
  );
}

/**
 * Runs as a shell's `runs/*` names them: of several, a folder without run.jsonl is passed over, and `onLeftOut` is told. Throws UsageError for
 * anything else that is no run, and where none is left.
 */
export async function findRuns(given: readonly string[], onLeftOut: (message: string) => void): Promise<RunPlace[]> {
  if (given.length === 1) return Promise.all(given.map(findRun));
  const places: RunPlace[] = [];
  for (const one of given) {
    if (await isOtherFolder(one)) onLeftOut(`${one}: not a run (there is no run.jsonl in it), left out`);
    else places.push(await findRun(one));
  }
  if (places.length === 0) throw new UsageError(`none of ${given.join(", ")} is a run`);
  return places;
}

/** A sentence for each run that is still running: what is said of it is said of the trials so far. */
export async function stillRunning(places: readonly RunPlace[]): Promise<string[]> {
  const sentences: string[] = [];
  for (const { folder, log } of places) {
    const pid = log === runLogFile(folder) ? await processAtWork(folder) : null;
    if (pid !== null)
      sentences.push(`${path.basename(folder)} is still running (process ${pid}): these are its trials so far`);
  }
  return sentences;
}

async function isOtherFolder(given: string): Promise<boolean> {
  const found = await stat(given).catch(() => null);
  return found?.isDirectory() === true && (await stat(runLogFile(given)).catch(() => null)) === null;
}

async function placeAt(file: string): Promise<RunPlace | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if (!found.isDirectory()) return { folder: path.dirname(file), log: file };
  const log = runLogFile(file);
  const isRun = await stat(log).then(
    () => true,
    () => false,
  );
  if (!isRun) throw new UsageError(`${file}: not a run: there is no run.jsonl in it`);
  return { folder: file, log };
}
