import { createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../core/errors.js";
import { pageComparison } from "../report/html/page-comparison.js";
import type { PageComparison, RunPage, Trajectory, TrialRow } from "../report/html/page-data.js";
import { type PlacedTrajectory, renderHtml } from "../report/html/render-html.js";
import { trialRows } from "../report/html/trial-rows.js";
import { gatherFacts } from "../report/run-facts.js";
import type { RunSummary } from "../report/summary.js";
import type { Metric } from "../report/task-summary.js";
import { attemptFolder } from "../run/log/run-folder.js";
import { readRunLog } from "../run/log/run-log.js";
import { readEvents } from "../run/log/trial-log.js";
import { versions } from "../run/provenance.js";
import type { RunPlace } from "./find-run.js";
import { compareWithGold } from "./gold-comparison.js";
import { warn } from "./text.js";
import { placed } from "./write-output.js";

export interface ReportedRun {
  readonly place: RunPlace;
  readonly summary: RunSummary;
}

/**
 * Writes runs as one HTML file; just two are compared, the second against the first. Trials are read one after another, so that memory does
 * not grow with their number.
 */
export async function writeHtml(
  file: string,
  runs: readonly ReportedRun[],
  metric: Metric,
  gold: string | undefined,
): Promise<void> {
  const goldFolder = gold === undefined ? null : await findGold(gold, runs);
  const pages: RunPage[] = [];
  for (const { place, summary } of runs) {
    pages.push({
      summary,
      trials: await trialRows(
        readRunLog(place.log, () => {}),
        summary.scoring.primary,
      ),
    });
  }
  const html = renderHtml(
    { version: (await versions()).daw_eval, runs: pages, comparison: await comparisonOf(runs, metric) },
    trajectories(runs, pages, goldFolder),
    await pageAssets(),
  );
  await placed("--html", file, () => pipeline(Readable.from(html), createWriteStream(file)));
}

async function comparisonOf(runs: readonly ReportedRun[], metric: Metric): Promise<PageComparison | null> {
  const [base, head, ...others] = runs;
  if (base === undefined || head === undefined || others.length > 0) return null;
  const factsOf = ({ place }: ReportedRun) => gatherFacts(readRunLog(place.log, () => {}));
  return pageComparison(await factsOf(base), await factsOf(head), metric);
}

async function* trajectories(
  runs: readonly ReportedRun[],
  pages: readonly RunPage[],
  gold: string | null,
): AsyncGenerator<PlacedTrajectory> {
  for (const [run, page] of pages.entries()) {
    const folder = runs[run]?.place.folder;
    if (folder === undefined) continue;
    for (const [trial, row] of page.trials.entries()) {
      const trajectory = await trajectoryOf(folder, row, gold);
      if (trajectory !== null) yield { run, trial, trajectory };
    }
  }
}

/** Null where the run's folder has no events of the trial: a lone log, such as a baseline. */
async function trajectoryOf(runFolder: string, row: TrialRow, gold: string | null): Promise<Trajectory | null> {
  const folder = attemptFolder(runFolder, row, row.attempt);
  const events = await readEvents(path.join(folder, "events.jsonl"), warn);
  if (events.length === 0) return null;
  const compared =
    gold === null
      ? null
      : await compareWithGold(path.join(folder, "prediction.csv"), path.join(gold, row.task_id, "gold.csv"));
  return { events, gold: compared };
}

/** The folder itself, or the `output` of a suite's folder; a person who asked to see golds is told where there is none. */
async function findGold(given: string, runs: readonly ReportedRun[]): Promise<string> {
  if (!(await isFolder(given))) throw new UsageError(`--gold ${given}: no such folder`);
  const tasks = [
    ...new Set(runs.flatMap(({ summary }) => summary.arms.flatMap((arm) => arm.tasks.map((one) => one.task_id)))),
  ];
  for (const folder of [given, path.join(given, "output")]) {
    const found = await Promise.all(tasks.map((task_id) => isFolder(path.join(folder, task_id))));
    if (found.includes(true)) return folder;
  }
  throw new UsageError(`--gold ${given}: has no folder of any of the run's tasks, e.g. ${tasks[0]}/gold.csv`);
}

/** What the build made of `src/report/html/client`. */
async function pageAssets() {
  const read = (name: string) => readFile(new URL(`../report/html/${name}`, import.meta.url), "utf8");
  const [script, style] = await Promise.all([read("client.js"), read("client.css")]);
  return { script, style };
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
