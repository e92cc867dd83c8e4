import path from "node:path";
import { loadSuite } from "../config/load-suite.js";
import { UsageError } from "../core/errors.js";
import { counted, percent } from "../report/numbers.js";
import { formatTable, type TableColumn } from "../report/text-table.js";
import { oneLine } from "../report/text-width.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunLog } from "../run/log/run-log.js";
import { readRunState } from "../run/run-state.js";
import { type ReconciledTrial, reconcileRun } from "../run/scores/reconcile-run.js";
import { readChecks } from "../score/checks.js";
import { type ClaimLabel, readLabels } from "../score/claim-labels.js";
import { type CheckSummary, groupReds, type RedGroup, summariseChecks } from "../score/claim-summary.js";
import { findRun } from "./find-run.js";
import { labelReds } from "./label-reds.js";
import { cacheFolder } from "./surroundings.js";
import { printJson, printLines, stdoutStyle, warn } from "./text.js";
import type { VerifyOptions } from "./verify.js";
import { countLevels, exitCodeOfClaims, failedGates, findingLines, labelFileOf, levelsLine } from "./verify-output.js";

/** Verifies all conclusions of a stored run: findings, red lights by check and entity, and how good each check is by its labels. */
export async function verifyRun(given: string, options: VerifyOptions): Promise<number> {
  const { folder, log } = await findRun(given);
  if (log !== runLogFile(folder)) {
    throw new UsageError(`${given}: a lone log has no conclusions to verify: give the run's folder`);
  }
  const run = await readRunState(readRunLog(log, warn));
  const suite = await loadSuite(options.tasks ?? run.start.suite.path);
  const trials = await reconcileRun({
    runFolder: folder,
    run,
    tasks: suite.tasks,
    checks: options.checks === undefined ? null : await readChecks(options.checks),
    env: process.env,
    cacheDir: cacheFolder(options.cacheDir),
  });
  if (trials.length === 0)
    throw new UsageError(`${given}: no trial of it has a claim check; give some with --checks FILE`);
  const fallback = path.join(folder, "claim-labels.jsonl");
  const fileOf = (check: string) => labelFile(check, trials, options, fallback);
  if (options.label === true) {
    const added = await labelReds(trials, fileOf);
    process.stderr.write(`\n${counted(added, "label")} added\n`);
  }
  return report(run.start.run_id, trials, await labelsOf(trials, fileOf), options);
}

function labelFile(
  check: string,
  trials: readonly ReconciledTrial[],
  options: VerifyOptions,
  fallback: string,
): string {
  const own = trials.find(({ checks }) => checks.verify.some(({ name }) => name === check));
  return own === undefined ? fallback : labelFileOf(check, own.checks, options.labels, fallback);
}

async function labelsOf(trials: readonly ReconciledTrial[], fileOf: (check: string) => string): Promise<ClaimLabel[]> {
  const names = trials.flatMap(({ checks }) => checks.verify.map(({ name }) => name));
  const files = new Set(names.map(fileOf));
  return (await Promise.all([...files].map(readLabels))).flat();
}

function report(
  runId: string,
  trials: readonly ReconciledTrial[],
  labels: readonly ClaimLabel[],
  options: VerifyOptions,
): number {
  const findings = trials.flatMap(({ trial, results }) =>
    results.flatMap((result) => result.findings.map((finding) => ({ trial, ...finding }))),
  );
  const counts = countLevels(findings);
  const gates = [...new Set(trials.flatMap(({ results, checks }) => failedGates(results, checks)))];
  const groups = groupReds(trials);
  const checks = summariseChecks(trials, labels);
  if (options.json === true) {
    printJson({ run_id: runId, trials: trials.length, findings, ...counts, failed_gates: gates, groups, checks });
  } else {
    const style = stdoutStyle();
    const blocks = [
      findingLines(findings, style),
      formatTable(GROUP_COLUMNS, groups.map(groupRow), style.columns),
      formatTable(CHECK_COLUMNS, checks.map(checkRow), style.columns),
      [`${counted(trials.length, "conclusion")}: ${levelsLine(counts, gates)}`],
    ];
    const filled = blocks.filter((block) => block.length > 0);
    printLines(filled.flatMap((block, index) => (index === 0 ? block : ["", ...block])));
  }
  return exitCodeOfClaims(counts, gates, options.failOn === "red");
}

const GROUP_COLUMNS: readonly TableColumn[] = [
  { header: "reds", align: "right" },
  { header: "entity", align: "left", min: 10 },
  { header: "check", align: "left", min: 10 },
  { header: "trials", align: "right" },
  { header: "nearest", align: "left", min: 10, drop: 1 },
];

function groupRow({ count, entity, check, trials, nearest }: RedGroup) {
  const texts = [String(count), entity, oneLine(check), String(trials.length), nearest.join(", ")];
  return texts.map((text) => ({ text: oneLine(text) }));
}

const CHECK_COLUMNS: readonly TableColumn[] = [
  { header: "check", align: "left", min: 10 },
  { header: "passed", align: "right" },
  { header: "red", align: "right" },
  { header: "unchecked", align: "right" },
  { header: "labels", align: "right", drop: 2 },
  { header: "precision", align: "right", drop: 1 },
  { header: "recall", align: "right", drop: 1 },
];

function checkRow({ check, passed, red, unchecked, labels, precision, recall }: CheckSummary) {
  const numbers = [passed, red, unchecked, labels].map(String);
  return [oneLine(check), ...numbers, percent(precision), percent(recall)].map((text) => ({ text }));
}
