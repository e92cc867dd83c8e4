import { readdir } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../core/errors.js";
import type { TrialEvent } from "../core/event.js";
import { formatIdentity, parseIdentity, shortIdentity, type TrialIdentity } from "../core/identity.js";
import { nearest } from "../core/nearest.js";
import { fold } from "../core/reduce.js";
import type { AnswerPath } from "../core/run-record.js";
import { counted, half, seconds, UNDEFINED } from "../report/numbers.js";
import { outcomeSentence } from "../report/outcome-sentence.js";
import { formatTable, type TableColumn } from "../report/text-table.js";
import { oneLine, wrapParts } from "../report/text-width.js";
import { checkLines } from "../report/trace/check-lines.js";
import { traceLines } from "../report/trace/trace.js";
import { traceView } from "../report/trace/trace-view.js";
import { attemptFolder } from "../run/log/run-folder.js";
import { readRunLog } from "../run/log/run-log.js";
import { readEvents } from "../run/log/trial-log.js";
import { plannedTrials } from "../run/plan.js";
import { type RunState, readRunState } from "../run/run-state.js";
import { packetAt } from "../validate/packet-at.js";
import { EXIT } from "./exit.js";
import { findRun, stillRunning } from "./find-run.js";
import { wholeNumber } from "./option-values.js";
import { printJson, printLines, stdoutStyle, warn } from "./text.js";

interface ShowOptions {
  readonly at?: string;
  readonly packet?: string;
  readonly full?: boolean;
  readonly brief?: boolean;
  readonly json?: boolean;
}

/** `daw-eval show`: the trials of a run, or the trace of one, its whole state at an event, or the evidence that a check judged. */
export async function show(run: string, trial: string | undefined, options: ShowOptions): Promise<number> {
  const place = await findRun(run);
  for (const sentence of await stillRunning([place])) warn(sentence);
  const { folder, log } = place;
  const state = await readRunState(readRunLog(log, warn));
  if (trial !== undefined) return showTrial(folder, state, trial, options);
  for (const flag of ["at", "packet"] as const) {
    const seq = options[flag];
    if (seq !== undefined) throw new UsageError(`--${flag} ${seq}: name the trial too, e.g. show ${run} task_64#2`);
  }
  return showTrials(folder, state, options.json === true);
}

interface TrialRow extends TrialIdentity {
  readonly trial: string;
  readonly state: "ended" | "open" | "not-run";
  readonly attempt: number | null;
  readonly outcome: string | null;
  readonly status: string | null;
  readonly score: number | null;
  readonly steps: number | null;
  readonly seconds: number | null;
  readonly path: AnswerPath | null;
}

async function showTrials(folder: string, run: RunState, json: boolean): Promise<number> {
  const trials = await Promise.all(plannedOf(run).map((identity) => trialRow(folder, run, identity)));
  if (json) {
    printJson({ run_id: run.start.run_id, trials });
    return EXIT.fine;
  }
  const { columns, paint } = stdoutStyle();
  const table: readonly TableColumn[] = [
    { header: "trial", align: "left", min: 12, cut: "middle" },
    { header: "score", align: "right" },
    { header: "status", align: "left", drop: 3 },
    { header: "steps", align: "right", drop: 1 },
    { header: "s", align: "right", drop: 2 },
    { header: "path", align: "left", drop: 4 },
    { header: "outcome", align: "left", min: 10, wrap: true },
  ];
  const rows = trials.map((row) => [
    { text: nameOf(row) },
    { text: row.score?.toFixed(2) ?? UNDEFINED },
    { text: row.status ?? "", paint: row.status === "perfect" ? paint.good : paint.middling },
    { text: half(row.steps) },
    { text: seconds(row.seconds) },
    { text: row.path ?? "" },
    { text: oneLine(row.outcome ?? row.state) },
  ]);
  printLines(formatTable(table, rows, columns));
  return EXIT.fine;
}

function plannedOf({ start }: RunState): TrialIdentity[] {
  const ids = start.tasks.map(({ task_id }) => task_id);
  return start.arms.flatMap((arm) => plannedTrials(ids, [arm], start.repeats));
}

async function trialRow(folder: string, run: RunState, identity: TrialIdentity): Promise<TrialRow> {
  const trial = formatIdentity(identity);
  const end = run.ends.get(trial);
  const score = run.scores.get(trial)?.get(run.start.profile.scoring.primary);
  const attempt = end?.attempt ?? (await newestAttempt(folder, identity));
  return {
    trial,
    ...identity,
    state: end !== undefined ? "ended" : attempt === null ? "not-run" : "open",
    attempt,
    outcome: end === undefined ? null : outcomeSentence(end.outcome),
    status: score?.status ?? null,
    score: score?.value ?? null,
    steps: end?.steps ?? null,
    seconds: end === undefined ? null : end.wall_ms / 1000,
    path: end?.path ?? null,
  };
}

/** The highest attempt that has a folder; null where the trial never started here. */
async function newestAttempt(folder: string, identity: TrialIdentity): Promise<number | null> {
  const names = await readdir(path.dirname(attemptFolder(folder, identity, 1))).catch(() => []);
  const attempts = names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
  return attempts.length === 0 ? null : Math.max(...attempts);
}

const nameOf = (identity: TrialIdentity) => oneLine(shortIdentity(identity));

async function showTrial(folder: string, run: RunState, text: string, options: ShowOptions): Promise<number> {
  const identity = plannedIdentity(run, text);
  const attempt = await newestAttempt(folder, identity);
  if (attempt === null) throw new UsageError(`${text}: the trial has no events in ${folder}`);
  const events = await readEvents(path.join(attemptFolder(folder, identity, attempt), "events.jsonl"), warn);
  if (options.at !== undefined) {
    const seq = wholeNumber("--at", options.at, 0);
    if (seq >= events.length) throw new UsageError(`--at ${seq}: the trial has the events 0 … ${events.length - 1}`);
    printJson(fold(events.slice(0, seq + 1)));
  } else if (options.packet !== undefined) {
    printJson(packetAt(events, wholeNumber("--packet", options.packet, 0), run.start.profile));
  } else if (options.json === true) printJson({ trial: formatIdentity(identity), attempt, events });
  else if (options.brief === true) printBrief(events);
  else printTrace(events, trialHeading(run, identity, attempt), options.full === true);
  return EXIT.fine;
}

/** Only a trial of the plan is looked up, so that no text becomes a path. */
function plannedIdentity(run: RunState, text: string): TrialIdentity {
  const wanted = formatIdentity(parseIdentity(text));
  const planned = plannedOf(run);
  const found = planned.find((identity) => formatIdentity(identity) === wanted);
  if (found !== undefined) return found;
  const [meant] = nearest(text, planned.map(nameOf));
  throw new UsageError(
    `${text}: not a trial of ${run.start.run_id}${meant === undefined ? "" : `; did you mean ${meant}?`} (show without a trial lists them)`,
  );
}

/** What became of the trial, in one line: `task_64#2 · attempt 1 · answered · perfect 1.00 · 4 steps · 3.9 s`. */
function trialHeading(run: RunState, identity: TrialIdentity, attempt: number): string[] {
  const end = run.ends.get(formatIdentity(identity));
  const score = run.scores.get(formatIdentity(identity))?.get(run.start.profile.scoring.primary);
  return [
    nameOf(identity),
    `attempt ${attempt}`,
    ...(end === undefined ? ["open"] : [oneLine(outcomeSentence(end.outcome))]),
    ...(score === undefined ? [] : [`${score.status}${score.value === null ? "" : ` ${score.value.toFixed(2)}`}`]),
    ...(end === undefined ? [] : [counted(end.steps, "step"), `${seconds(end.wall_ms / 1000)} s`]),
  ];
}

function printTrace(events: readonly TrialEvent[], heading: readonly string[], full: boolean): void {
  const style = stdoutStyle();
  printLines([
    ...wrapParts(heading, " · ", style.columns).map(style.paint.strong),
    ...traceView(events, { ...style, full }),
  ]);
}

/** A line an event. */
function printBrief(events: readonly TrialEvent[]): void {
  const { columns, paint } = stdoutStyle();
  const table: readonly TableColumn[] = [
    { header: "seq", align: "right" },
    { header: "event", align: "left" },
    { header: "ms", align: "right" },
    { header: "rows", align: "right" },
    { header: "tokens", align: "right", drop: 1 },
    { header: "what", align: "left", min: 10 },
  ];
  const rows = traceLines(events).map((line) => [
    { text: String(line.seq) },
    { text: line.event, paint: line.bad ? paint.bad : paint.strong },
    { text: line.ms === null ? "" : String(Math.round(line.ms)) },
    { text: line.rows === null ? "" : String(line.rows) },
    { text: line.tokens ?? "" },
    { text: oneLine(line.what) },
  ]);
  const checks = checkLines(events);
  printLines([...formatTable(table, rows, columns), ...(checks.length === 0 ? [] : ["", ...checks])]);
}
