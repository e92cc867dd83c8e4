import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { formatIdentity } from "../core/identity.js";
import type { RunRecord } from "../core/run-record.js";

/**
 * Writes what `diff` and `report` need of a run into one small file for git: run-start, winning trial-ends, newest scores, run-end, in the log's order. The
 * machine's paths and arguments are left out. `read` streams the log, once to find what wins and once to copy it.
 */
export async function saveBaseline(read: () => AsyncIterable<RunRecord>, file: string): Promise<void> {
  const winners = new Map<string, number>();
  let position = 0;
  for await (const record of read()) {
    const key = keyOf(record);
    if (key !== null) winners.set(key, position);
    position++;
  }
  const standing = new Set(winners.values());
  const lines: string[] = [];
  position = 0;
  for await (const record of read()) {
    if (standing.has(position)) lines.push(`${JSON.stringify(withoutPlaces(record))}\n`);
    position++;
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.new`, lines.join(""));
  await rename(`${file}.new`, file);
}

/** Of records with one key the newest wins; null: not kept. Scores of an attempt that did not win are dropped again by every reader. */
function keyOf(record: RunRecord): string | null {
  switch (record.record) {
    case "run-start":
    case "run-end":
      return record.record;
    case "run-resume":
      return record.forced.length + record.added.length === 0 ? null : `resume ${record.at}`;
    case "trial-end":
      return `end ${formatIdentity(record)}`;
    case "score":
      return `score ${record.scorer} ${formatIdentity(record)}`;
    case "candidate-score":
      return null;
  }
}

function withoutPlaces(record: RunRecord): RunRecord {
  if (record.record === "run-resume") return { ...record, argv: [] };
  if (record.record !== "run-start") return record;
  return { ...record, suite: { ...record.suite, path: record.suite.name }, argv: [] };
}
