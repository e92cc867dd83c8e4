import { RunLogError } from "../../core/errors.js";
import { type RunRecord, type RunStart, SCHEMA_VERSION } from "../../core/run-record.js";
import { openJsonLines, readLinesByChunk } from "./json-lines.js";
import { plainRecord } from "./plain-record.js";
import { recordSchema } from "./record-schema.js";
import { runLogFile } from "./run-folder.js";
import { upgradeRecord, versionOf } from "./upgrade-record.js";

/** Appends records to a run's log; each is on disk before `append` returns, and calls may overlap. */
export interface RunLogWriter {
  append(record: RunRecord): Promise<void>;
  close(): Promise<void>;
}

export function openRunLog(runFolder: string): RunLogWriter {
  return openJsonLines(runLogFile(runFolder));
}

/**
 * Streams the records of a run.jsonl. The first must be a run-start of a schema version that we know. A torn last line is left out and
 * `onWarning` is told; any other unreadable line throws a RunLogError that names it. Records of older versions come as today's.
 */
export async function* readRunLog(file: string, onWarning: (message: string) => void): AsyncGenerator<RunRecord> {
  let version: number | null = null;
  for await (const lines of readLinesByChunk(file, onWarning)) {
    for (const { line, value } of lines) {
      const first = version === null;
      version ??= knownVersion(file, value);
      const today = upgradeRecord(value, version);
      const record = plainRecord(today) ?? parsedRecord(today, file, line);
      if (first && record.record !== "run-start")
        throw new RunLogError(`${file}:1: the first record is a ${record.record}, not a run-start`);
      yield record;
    }
  }
  if (version === null) throw new RunLogError(`${file}: no run log here (it is missing or empty)`);
}

function parsedRecord(value: unknown, file: string, line: number): RunRecord {
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RunLogError(`${file}:${line}: not a record of a run log: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** The run-start of a log. Throws RunLogError where there is none. */
export async function readRunStart(file: string): Promise<RunStart> {
  for await (const record of readRunLog(file, () => {})) {
    if (record.record === "run-start") return record;
  }
  throw new RunLogError(`${file}: no run-start`);
}

/** Of a log, by its first line. Throws RunLogError for one that only a newer daw-eval can read, whatever else is in it. */
function knownVersion(file: string, first: unknown): number {
  const version = versionOf(first) ?? SCHEMA_VERSION;
  if (version <= SCHEMA_VERSION) return version;
  throw new RunLogError(
    `${file}:1: written by a newer daw-eval (schema ${version}, this one reads up to ${SCHEMA_VERSION}): update daw-eval`,
  );
}
