import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { TrialEvent } from "../../src/core/event.js";
import type { RunRecord } from "../../src/core/run-record.js";
import { readRunLog } from "../../src/run/log/run-log.js";
import { readEvents } from "../../src/run/log/trial-log.js";

/** All records of a run's log. */
export async function recordsOf(runFolder: string): Promise<RunRecord[]> {
  const found: RunRecord[] = [];
  for await (const record of readRunLog(path.join(runFolder, "run.jsonl"), () => {})) found.push(record);
  return found;
}

/** The events of the first attempt of a trial. */
export function trialEventsOf(runFolder: string, taskId: string, k: number, attempt = 1): Promise<TrialEvent[]> {
  return readEvents(path.join(runFolder, "trials", "main", taskId, String(k), String(attempt), "events.jsonl"));
}

/** The bytes of all files below a folder, as one text: for what may stand in none of them. */
export async function allTextBelow(root: string): Promise<string> {
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name), "latin1")),
  );
  return texts.join("\n");
}
