import path from "node:path";
import { loadSuite } from "../config/load-suite.js";
import { UsageError } from "../core/errors.js";
import { isSafeName } from "../core/identity.js";
import { counted } from "../report/numbers.js";
import { oneLine } from "../report/text-width.js";
import { type Imported, importRuns } from "../run/kit/import-runs.js";
import { EXIT } from "./exit.js";
import { newRunId, onInterrupt, runSurroundings } from "./surroundings.js";
import { printJson, printLines, warn } from "./text.js";

interface ImportOptions {
  readonly tasks?: string;
  readonly model?: string;
  readonly out: string;
  readonly runId?: string;
  readonly cacheDir?: string;
  readonly json?: boolean;
}

/** `daw-eval import`: runs of the official starter kit as one run of ours. Nothing is run; scored where the golds are there. */
export async function importKit(folders: readonly string[], options: ImportOptions): Promise<number> {
  const runId = options.runId ?? newRunId("import", new Date());
  if (!isSafeName(runId)) {
    throw new UsageError(`--run-id "${runId}": a run id is a folder name of letters, digits, ".", "_" and "-"`);
  }
  const suite = options.tasks === undefined ? null : await loadSuite(options.tasks);
  const runFolder = path.resolve(options.out, runId);
  const shown = path.relative(process.cwd(), runFolder) || runFolder;
  const interrupt = onInterrupt(() => process.stderr.write("\nstopping (again to quit at once)\n"));
  try {
    const imported = await importRuns(
      { folders, suite, model: options.model ?? null, run_id: runId, runFolder, argv: process.argv.slice(2) },
      runSurroundings(options.cacheDir, interrupt.signal),
    );
    if (options.json === true) printJson(asJson(runId, runFolder, imported));
    else print(imported, shown, suite !== null);
    return imported.end.status === "interrupted" ? EXIT.interrupted : EXIT.fine;
  } finally {
    interrupt.release();
  }
}

function asJson(run_id: string, folder: string, { end, tasks, runs, notes }: Imported) {
  const from = runs.map(({ run_id: id, folder: source, digest }) => ({ run_id: id, folder: source, digest }));
  return { run_id, folder, tasks, repeats: runs.length, imported_from: from, counts: end.counts, notes };
}

function print({ end, tasks, runs, notes }: Imported, shown: string, hasTasks: boolean): void {
  for (const note of notes) warn(oneLine(note));
  const { planned, valid, infra_error, not_run } = end.counts;
  printLines([
    `${counted(tasks, "task")} × ${runs.length} imported from ${runs.map(({ run_id }) => oneLine(run_id)).join(", ")} into ${shown}`,
    `${counted(planned, "trial")}: ${valid} valid, ${infra_error} infra-error, ${not_run} not run`,
    hasTasks
      ? `next: daw-eval report ${shown}`
      : "not scored: the tasks are not known (import with --tasks DIR, or score the run with --tasks DIR)",
  ]);
}
