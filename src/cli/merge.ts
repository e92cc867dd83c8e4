import path from "node:path";
import { UsageError } from "../core/errors.js";
import { isSafeName } from "../core/identity.js";
import { mergeShards } from "../run/merge/merge-shards.js";
import { EXIT } from "./exit.js";
import { findRun } from "./find-run.js";
import { finishRun } from "./finish-run.js";
import { newRunId, systemClock } from "./surroundings.js";
import { warn } from "./text.js";

interface MergeOptions {
  readonly out: string;
  readonly runId?: string;
  readonly json?: boolean;
}

/**
 * `daw-eval merge`: the runs of a plan's shards as one run, and its report. Exits 2 where they are not parts of one plan, 3 where parts of it are
 * missing or not whole, else as `run` would have.
 */
export async function merge(runs: readonly string[], options: MergeOptions): Promise<number> {
  const places = await Promise.all(runs.map(findRun));
  const runId = options.runId ?? newRunId("merged", new Date());
  if (!isSafeName(runId)) {
    throw new UsageError(`--run-id "${runId}": a run id is a folder name of letters, digits, ".", "_" and "-"`);
  }
  const runFolder = path.resolve(options.out, runId);
  const shown = path.relative(process.cwd(), runFolder) || runFolder;
  const named = places.map((place, position) => ({ ...place, name: runs[position] ?? place.folder }));
  const { start, end, gaps } = await mergeShards(
    { runs: named, run_id: runId, runFolder, argv: process.argv.slice(2), onWarning: warn },
    systemClock,
  );
  process.stderr.write(`${runs.length} runs → ${shown}\n`);
  for (const gap of gaps) process.stderr.write(`daw-eval: ${gap}\n`);
  const code = await finishRun(end, runFolder, shown, start.profile, [], options);
  return code === EXIT.interrupted ? EXIT.incomplete : code;
}
