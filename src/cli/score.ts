import path from "node:path";
import { loadSuite } from "../config/load-suite.js";
import { domainSource } from "../context/connections/domain-source.js";
import { UsageError } from "../core/errors.js";
import { formatIdentity } from "../core/identity.js";
import { counted, score3, UNDEFINED } from "../report/numbers.js";
import { peoplesLine } from "../report/sentences.js";
import { summariseRun } from "../report/summary.js";
import { formatTable, type TableColumn } from "../report/text-table.js";
import { oneLine, wrapParts } from "../report/text-width.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunLog, readRunStart } from "../run/log/run-log.js";
import { type AppendedScore, rescoreRun } from "../run/scores/rescore.js";
import { type FolderScores, scoreFolder, type TaskScore } from "../score/score-folder.js";
import { EXIT } from "./exit.js";
import { findRun } from "./find-run.js";
import { commaList, oneOf, rate } from "./option-values.js";
import { cacheFolder, DOMAIN_TIMEOUT_MS, systemClock } from "./surroundings.js";
import { printJson, printLines, stdoutStyle, warn } from "./text.js";

interface ScoreOptions {
  readonly scorers?: string;
  readonly onlyChanged?: boolean;
  readonly tasks?: string;
  readonly predictions?: string;
  readonly gold?: string;
  readonly scorer?: string;
  readonly penalty?: string;
  readonly names?: string;
  readonly cacheDir?: string;
  readonly json?: boolean;
}

/** `daw-eval score`: a stored run again, or any folder of predictions. No model, no key, no network. */
export async function score(run: string | undefined, options: ScoreOptions): Promise<number> {
  const { predictions, gold, scorer, penalty, names, scorers, tasks } = options;
  const folderFlags = [predictions, gold, scorer, penalty, names].some((flag) => flag !== undefined);
  if (run === undefined) {
    if (predictions === undefined || gold === undefined) {
      throw new UsageError("name a run to score again, or give --predictions DIR and --gold DIR");
    }
    if (scorers !== undefined || tasks !== undefined || options.onlyChanged === true) {
      throw new UsageError("--scorers, --only-changed and --tasks go with a run");
    }
    return scorePredictions(predictions, gold, options);
  }
  if (folderFlags) {
    throw new UsageError(
      "--predictions, --gold, --scorer, --penalty and --names go without a run, whose profile has them",
    );
  }
  return scoreAgain(run, options);
}

async function scorePredictions(predictions: string, gold: string, options: ScoreOptions): Promise<number> {
  const scores = await scoreFolder({
    predictions,
    gold,
    scorer: options.scorer ?? "kdd-columns",
    penalty: options.penalty === undefined ? 0.1 : rate("--penalty", options.penalty),
    names: options.names === undefined ? "accept" : oneOf("--names", options.names, ["accept", "strict"]),
    thousands: false,
    domains: (connections) =>
      domainSource({ connections, context: null, env: process.env, timeout_ms: DOMAIN_TIMEOUT_MS }),
  });
  if (options.json === true) printJson(scores);
  else printFolderScores(scores);
  return EXIT.fine;
}

const FOLDER_COLUMNS: readonly TableColumn[] = [
  { header: "task", align: "left", min: 10, cut: "middle" },
  { header: "status", align: "left" },
  { header: "score", align: "right" },
  { header: "recall", align: "right", drop: 2 },
  { header: "columns", align: "right", drop: 3 },
  { header: "extra", align: "right", drop: 4 },
  { header: "reason", align: "left", min: 12, drop: 5 },
];

function printFolderScores({ scorer, version, penalty, names, tasks, summary }: FolderScores): void {
  const { paint, columns } = stdoutStyle();
  const columnsOf = ({ matched_columns: matched, gold_columns: all }: TaskScore) =>
    matched === null || all === null ? UNDEFINED : `${matched}/${all}`;
  const rows = tasks.map((task) => [
    { text: oneLine(task.task_id) },
    { text: task.status, paint: task.status === "perfect" ? paint.good : paint.middling },
    { text: score3(task.score) },
    { text: score3(task.recall) },
    { text: columnsOf(task) },
    { text: task.extra_columns === null ? UNDEFINED : String(task.extra_columns) },
    { text: oneLine(task.reason ?? "") },
  ]);
  const { tasks: all, mean_score, mean_recall, perfect, partial, none, missing, invalid, unscored } = summary;
  const sentence = [
    `${scorer} ${version}, λ ${penalty}, names ${names}`,
    counted(all, "task"),
    `mean score ${score3(mean_score)}`,
    `mean recall ${score3(mean_recall)}`,
    `perfect ${perfect} partial ${partial} none ${none} missing ${missing} invalid ${invalid} unscored ${unscored}`,
    ...(unscored > 0 ? ["unscored tasks are in no mean"] : []),
  ];
  printLines([...formatTable(FOLDER_COLUMNS, rows, columns), "", ...wrapParts(sentence, " · ", columns)]);
}

async function scoreAgain(run: string, options: ScoreOptions): Promise<number> {
  const { folder, log } = await findRun(run);
  if (log !== runLogFile(folder)) {
    throw new UsageError(`${run}: a lone log has no predictions to score: give the run's folder`);
  }
  const start = await readRunStart(log);
  const suite = await loadSuite(options.tasks ?? start.suite.path).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError([
      ...error.lines,
      "the run's tasks are needed for their golds: say where they are with --tasks DIR",
    ]);
  });
  const { appended, unchanged, candidates, left_alone } = await rescoreRun({
    runFolder: folder,
    scorers: options.scorers === undefined ? null : commaList(options.scorers),
    onlyChanged: options.onlyChanged === true,
    own: [],
    tasks: suite.tasks,
    clock: systemClock,
    env: process.env,
    cacheDir: cacheFolder(options.cacheDir),
    onWarning: warn,
  });
  for (const { trial, why } of left_alone) warn(`${trial} is not scored: ${why}`);
  const summary = await summariseRun(
    readRunLog(log, () => {}),
    { metric: "pass_rate", min_pass: null },
  );
  if (options.json === true) {
    printJson({
      run_id: start.run_id,
      appended: appended.map(appendedJson),
      unchanged,
      candidates,
      left_alone,
      arms: summary.arms,
    });
    return EXIT.fine;
  }
  const { columns } = stdoutStyle();
  printLines([
    ...formatTable(APPENDED_COLUMNS, appended.map(appendedRow), columns),
    ...(appended.length > 0 ? [""] : []),
    `${counted(appended.length, "score")} appended to ${path.relative(process.cwd(), log)}, ${unchanged} unchanged${candidates > 0 ? `, ${counted(candidates, "judged candidate")} scored` : ""}`,
    ...summary.arms.flatMap((arm) => wrapParts(peoplesLine(arm), " · ", columns)),
  ]);
  return EXIT.fine;
}

const APPENDED_COLUMNS: readonly TableColumn[] = [
  { header: "trial", align: "left", min: 12, cut: "middle" },
  { header: "scorer", align: "left" },
  { header: "was", align: "left" },
  { header: "is", align: "left" },
  { header: "why", align: "left", min: 12, drop: 1 },
];

function appendedRow({ record, before, why }: AppendedScore) {
  const show = (one: AppendedScore["before"]) =>
    one === null ? UNDEFINED : one.value === null ? one.status : `${one.value.toFixed(2)} ${one.status}`;
  return [
    { text: oneLine(formatIdentity(record)) },
    { text: record.scorer },
    { text: show(before) },
    { text: show(record) },
    { text: why },
  ];
}

function appendedJson({ record, before, why }: AppendedScore) {
  return {
    trial: formatIdentity(record),
    scorer: record.scorer,
    scorer_version: record.scorer_version,
    status: record.status,
    value: record.value,
    reason: record.reason,
    before:
      before === null ? null : { scorer_version: before.scorer_version, status: before.status, value: before.value },
    why,
  };
}
