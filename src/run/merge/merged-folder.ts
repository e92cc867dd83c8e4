import { constants } from "node:fs";
import { appendFile, cp, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import type { RunEnd, RunRecord, RunStart } from "../../core/run-record.js";
import { runLogFile } from "../log/run-folder.js";
import { readRunLog } from "../log/run-log.js";

/** A shard as it was when its log was first read: what a process may still append to it is not merged. */
export interface MergedShard {
  /** As a person gave it. */
  readonly name: string;
  readonly folder: string;
  readonly log: string;
  /** How many of the log's records to take. */
  readonly records: number;
}

const LABELS = "claim-labels.jsonl";

/** Traces, answers and labels; a lone log has none. Trials' folders are named by their identities, so that shards never meet in one. */
export async function copyTrials(
  { folder, log, name }: MergedShard,
  runFolder: string,
  onWarning: (message: string) => void,
): Promise<void> {
  if (log !== runLogFile(folder)) return onWarning(`${name}: a lone log: its trials come without traces and answers`);
  const trials = path.join(folder, "trials");
  await unlessAbsent(cp(trials, path.join(runFolder, "trials"), { recursive: true, mode: constants.COPYFILE_FICLONE }));
  const labels = await unlessAbsent(readFile(path.join(folder, LABELS)));
  if (labels !== null) await appendFile(path.join(runFolder, LABELS), labels);
}

async function unlessAbsent<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

const BUFFERED = 1 << 20;

/** Writes the log of the joined run; it appears whole or not at all. */
export async function writeMergedLog(
  runFolder: string,
  start: RunStart,
  end: RunEnd,
  shards: readonly MergedShard[],
): Promise<void> {
  const file = runLogFile(runFolder);
  const handle = await open(`${file}.new`, "w");
  try {
    let text = "";
    for await (const record of joined(start, end, shards)) {
      text += `${JSON.stringify(record)}\n`;
      if (text.length < BUFFERED) continue;
      await handle.write(text);
      text = "";
    }
    await handle.write(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/** Scores that were given after a run's end come after the end again: only they may rest on another gold than the plan's. */
async function* joined(start: RunStart, end: RunEnd, shards: readonly MergedShard[]): AsyncGenerator<RunRecord> {
  yield start;
  for (const shard of shards) yield* recordsOf(shard, false);
  yield end;
  for (const shard of shards) yield* recordsOf(shard, true);
}

/** A shard's records in its order but for its start and ends: those of the run, or the scores given after its end. */
async function* recordsOf({ log, records }: MergedShard, afterEnd: boolean): AsyncGenerator<RunRecord> {
  let left = records;
  let ended = false;
  for await (const record of readRunLog(log, () => {})) {
    if (left-- === 0) return;
    if (record.record === "run-end") ended = true;
    if (record.record === "run-resume") ended = false;
    if (ended !== afterEnd || record.record === "run-start" || record.record === "run-end") continue;
    if (record.record === "run-resume" && record.forced.length === 0) continue;
    yield record;
  }
}
