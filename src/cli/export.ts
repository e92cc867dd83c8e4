import path from "node:path";
import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { RunStart } from "../core/run-record.js";
import { counted } from "../report/numbers.js";
import { oneLine } from "../report/text-width.js";
import { type Choice, majority, newestEnds, removeSubmission, writeSubmission } from "../run/export-predictions.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunLog, readRunStart } from "../run/log/run-log.js";
import { EXIT } from "./exit.js";
import { findRun, stillRunning } from "./find-run.js";
import { wholeNumber } from "./option-values.js";
import { printJson, printLines, warn } from "./text.js";

interface ExportOptions {
  readonly kdd: string;
  readonly repeat?: string;
  readonly arm?: string;
  readonly json?: boolean;
}

/** `daw-eval export`: the answers of a run in the layout of a submission. Exits 3 where a task has none. */
export async function exportRun(run: string, options: ExportOptions): Promise<number> {
  const place = await findRun(run);
  for (const sentence of await stillRunning([place])) warn(sentence);
  const { folder, log } = place;
  if (log !== runLogFile(folder)) {
    throw new UsageError(`${run}: a lone log has no predictions to export: give the run's folder`);
  }
  const start = await readRunStart(log);
  const ends = await newestEnds(readRunLog(log, warn));
  const arm = armOf(start, options.arm);
  const repeat = options.repeat === undefined ? null : wholeNumber("--repeat", options.repeat, 1);
  if (repeat !== null && repeat > start.repeats) {
    throw new UsageError(`--repeat ${repeat}: the run has the repeats 1 … ${start.repeats}`);
  }
  const trials = ends.filter((end) => end.arm === arm && (repeat === null || end.k === repeat));
  const choices = majority(
    trials,
    start.tasks.map(({ task_id }) => task_id),
  );
  const removed: string[] = [];
  for (const { task_id, chosen } of choices) {
    if (chosen !== null) await writeSubmission(folder, chosen, options.kdd);
    else if (await removeSubmission(options.kdd, task_id)) removed.push(task_id);
  }
  const left_out = choices.filter(({ chosen }) => chosen === null).map(({ task_id }) => task_id);
  if (options.json === true) {
    printJson({
      run_id: start.run_id,
      arm,
      folder: path.resolve(options.kdd),
      ...exportJson(choices),
      left_out,
      removed,
    });
  } else print(choices, left_out, removed, options.kdd, start.repeats > 1 && repeat === null);
  return left_out.length === 0 ? EXIT.fine : EXIT.incomplete;
}

function armOf({ arms }: RunStart, given: string | undefined): string {
  const [only] = arms;
  if (given === undefined && only !== undefined && arms.length === 1) return only;
  if (given !== undefined && arms.includes(given)) return given;
  if (given === undefined) throw new UsageError(`the run has several arms: choose one with --arm: ${arms.join(", ")}`);
  const [meant] = nearest(given, arms);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`--arm ${given}: the run's arms are ${arms.join(", ")}${hint}`);
}

function exportJson(choices: readonly Choice[]) {
  return {
    tasks: choices.flatMap(({ task_id, chosen, votes, answers }) =>
      chosen === null ? [] : [{ task_id, repeat: chosen.k, votes, answers }],
    ),
  };
}

function print(
  choices: readonly Choice[],
  leftOut: readonly string[],
  removed: readonly string[],
  folder: string,
  voted: boolean,
): void {
  const split = choices.filter(({ chosen, votes, answers }) => chosen !== null && votes * 2 <= answers && answers > 1);
  printLines([
    `${counted(choices.length - leftOut.length, "prediction")} written to ${folder}${voted ? ", the answer that most repeats gave" : ""}`,
    ...split.map(
      ({ task_id, chosen, votes, answers }) =>
        `${oneLine(task_id)}: no majority: ${votes} of ${answers} answers are alike, repeat ${chosen?.k} is taken`,
    ),
  ]);
  if (leftOut.length > 0) warn(`left out, without an answer: ${leftOut.map(oneLine).join(", ")}`);
  if (removed.length > 0) warn(`removed what an earlier export left there: ${removed.map(oneLine).join(", ")}`);
}
