import { mkdirSync } from "node:fs";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { formatCsv } from "../../answer/csv.js";
import { tableSignature } from "../../answer/signature.js";
import { tableStructure } from "../../answer/structure.js";
import { sha256 } from "../../core/digest.js";
import { RunLogError, StorageError } from "../../core/errors.js";
import type { TrialEvent } from "../../core/event.js";
import type { TrialIdentity } from "../../core/identity.js";
import type { TrialLog } from "../../core/ports/trial-log.js";
import { eventSchema } from "./event-schema.js";
import { type JsonLinesFile, openJsonLines, readJsonLines } from "./json-lines.js";
import { attemptFolder, attemptPath } from "./run-folder.js";

const PREVIEW_ROWS = 5;

/** A trial's folder on disk as a TrialLog. `close` it when the trial stops. */
export function openTrialLog(
  runFolder: string,
  identity: TrialIdentity,
  attempt: number,
): TrialLog & { close(): Promise<void> } {
  const folder = attemptFolder(runFolder, identity, attempt);
  const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
  const file = path.join(folder, "events.jsonl");
  let lines: JsonLinesFile | null = null;
  return {
    read: async () => (isNew ? [] : await readEvents(file)),
    append: async (event) => {
      lines ??= openJsonLines(file);
      await lines.append(event);
    },
    writeCandidate: async (table) => {
      const text = formatCsv(table.columns, table.rows);
      const name = candidateName(text);
      await writeDurably(path.join(folder, name), text);
      return {
        file: name,
        columns: table.columns,
        rows: table.rows.length,
        signature: tableSignature(table),
        preview: table.rows.slice(0, PREVIEW_ROWS),
        structure: tableStructure(table),
      };
    },
    copyCandidate: async (stored, candidate) => {
      const text = await readFile(stored, "utf8");
      if (candidateName(text) !== candidate.file) throw new Error(`${stored}: changed since it was written`);
      await writeDurably(path.join(folder, candidate.file), text);
    },
    writePrediction: async (candidate, conclusion) => {
      if (conclusion !== null) await writeDurably(path.join(folder, "conclusion.md"), `${conclusion}\n`);
      const temporary = path.join(folder, `prediction.csv.${process.pid}`);
      await rm(temporary, { force: true });
      await link(path.join(folder, candidate.file), temporary);
      await rename(temporary, path.join(folder, "prediction.csv"));
      await rm(temporary, { force: true });
      return `${attemptPath(identity, attempt)}/prediction.csv`;
    },
    close: async () => {
      await lines?.close();
    },
  };
}

const candidateName = (text: string): string => `candidate-${sha256(text).slice(0, 12)}.csv`;

/** The events of one attempt, oldest first; empty where it has none. Throws RunLogError that names the line, also where one is missing or twice. */
export async function readEvents(file: string, onTorn: (message: string) => void = () => {}): Promise<TrialEvent[]> {
  const events: TrialEvent[] = [];
  for await (const { line, value } of readJsonLines(file, onTorn)) {
    const parsed = eventSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new RunLogError(`${file}:${line}: not an event: ${issue?.path.join(".")}: ${issue?.message}`);
    }
    if (parsed.data.seq !== events.length) {
      throw new RunLogError(`${file}:${line}: event ${parsed.data.seq} where event ${events.length} was due`);
    }
    events.push(parsed.data);
  }
  return events;
}

/** On disk under another name first, so that nobody reads half of it; that name is given up where the disk is full. */
async function writeDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, "w");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new StorageError(file, error);
  }
}
