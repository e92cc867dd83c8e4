import { shortIdentity } from "../core/identity.js";
import type { SandboxFound } from "../core/ports/sandbox.js";
import type { Profile } from "../core/profile.js";
import type { TrialEnd } from "../core/run-record.js";
import type { RunProgress } from "../run/execute-run.js";

/** Least milliseconds between two redraws of the live line. */
const REDRAW_MS = 100;

interface Tally {
  trials: number;
  done: number;
  running: number;
  suspended: number;
  infra: number;
  tokens: number;
  cost: number | null;
  /** Work time of the trials that ended in this process, for the estimate of what is left. */
  wallMs: number;
  ended: number;
  /** Tasks of which some repeats are scored. */
  readonly begun: Map<string, { passes: number; valid: number }>;
  /** Tasks of which all are. */
  readonly classes: { solid: number; flaky: number; broken: number };
}

/**
 * Tells a person on stderr how the run goes: one live line on a terminal, a plain line per ended trial elsewhere. Results never come from
 * here.
 */
export function progressReporter(
  profile: Profile,
  stream: NodeJS.WriteStream,
  quiet: boolean,
): { onProgress(progress: RunProgress): void; end(): void } {
  const live = stream.isTTY === true && process.env.TERM !== "dumb";
  const tally: Tally = {
    trials: 0,
    done: 0,
    running: 0,
    suspended: 0,
    infra: 0,
    tokens: 0,
    cost: null,
    wallMs: 0,
    ended: 0,
    begun: new Map(),
    classes: { solid: 0, flaky: 0, broken: 0 },
  };
  let drawnAt = 0;
  const draw = () => {
    const now = Date.now();
    if (now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    stream.write(`\r\u001b[2K${liveLine(tally, profile).slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  return {
    onProgress: (progress) => {
      count(tally, progress, profile);
      if (progress.kind === "sandbox-found") {
        const note = sandboxNote(progress.found, quiet);
        if (note !== null) stream.write(`${note}\n`);
        return;
      }
      if (quiet) return;
      if (live) draw();
      else if (progress.kind === "planned" && progress.done > 0) {
        stream.write(`${progress.done} of ${progress.trials} trials are done already\n`);
      } else if (progress.kind === "trial-ended") stream.write(`${endedLine(tally, progress, profile)}\n`);
      else if (progress.kind === "trial-suspended") {
        stream.write(`${shortIdentity(progress.trial)} suspended\n`);
      }
    },
    end: () => {
      if (live && !quiet) stream.write("\r\u001b[2K");
    },
  };
}

/** What a person should know of where the model's Python runs; the loud one also when all else is quiet. */
function sandboxNote({ python, reason }: SandboxFound, quiet: boolean): string | null {
  if (python === "unsafe-none") {
    return "WARNING: tools.python.sandbox is unsafe-none: Python that the model writes runs with all your rights, in no sandbox";
  }
  return python === null && !quiet ? `execute_python is not offered: ${reason}` : null;
}

function count(tally: Tally, progress: RunProgress, profile: Profile): void {
  switch (progress.kind) {
    case "sandbox-found":
      break;
    case "planned":
      tally.trials = progress.trials;
      tally.done = progress.done;
      break;
    case "trial-started":
      tally.running++;
      break;
    case "trial-suspended":
      tally.running--;
      tally.suspended++;
      break;
    case "trial-ended":
      tally.running--;
      tally.done++;
      countEnd(tally, progress.end);
      countPass(tally, progress, profile);
      break;
    case "trial-event":
      break;
  }
}

function countEnd(tally: Tally, end: TrialEnd): void {
  tally.ended++;
  tally.wallMs += end.wall_ms;
  if (end.outcome.kind === "infra-error") tally.infra++;
  for (const row of end.usage) tally.tokens += (row.input_tokens ?? 0) + (row.output_tokens ?? 0);
  if (end.cost_usd !== null) tally.cost = (tally.cost ?? 0) + end.cost_usd;
}

type Ended = Extract<RunProgress, { kind: "trial-ended" }>;

/** Null where the primary scorer did not score the trial. */
function passed({ scores }: Ended, profile: Profile): boolean | null {
  const primary = scores.find((score) => score.scorer === profile.scoring.primary);
  if (primary === undefined || primary.value === null) return null;
  if (scores.some(({ details }) => details.gate_failed === true)) return false;
  const least = profile.scoring.pass_min_score;
  return least === null ? primary.status === "perfect" : primary.value >= least;
}

function countPass(tally: Tally, progress: Ended, profile: Profile): void {
  const pass = passed(progress, profile);
  if (pass === null) return;
  const key = `${progress.trial.task_id}@${progress.trial.arm}`;
  const before = tally.begun.get(key) ?? { passes: 0, valid: 0 };
  const task = { passes: before.passes + (pass ? 1 : 0), valid: before.valid + 1 };
  if (task.valid < profile.repeats) {
    tally.begun.set(key, task);
    return;
  }
  tally.begun.delete(key);
  tally.classes[task.passes === task.valid ? "solid" : task.passes === 0 ? "broken" : "flaky"]++;
}

function classes({ classes: { solid, flaky, broken } }: Tally): string {
  return `solid ${solid} flaky ${flaky} broken ${broken}`;
}

function liveLine(tally: Tally, profile: Profile): string {
  const left = tally.trials - tally.done - tally.running - tally.suspended;
  const parts = [
    `${tally.done}/${tally.trials} done`,
    `${tally.running} running`,
    `${left} left`,
    classes(tally),
    ...(tally.infra > 0 ? [`infra ${tally.infra}`] : []),
    `${shortNumber(tally.tokens)} tokens`,
    ...(tally.cost === null ? [] : [`$${tally.cost.toFixed(2)}`]),
    eta(tally, profile),
  ];
  return parts.join(" · ");
}

function endedLine(tally: Tally, progress: Ended, profile: Profile): string {
  const { end, trial } = progress;
  const pass = passed(progress, profile);
  const verdict =
    end.outcome.kind !== "answered" ? end.outcome.kind : pass === null ? "unscored" : pass ? "pass" : "miss";
  const what =
    end.outcome.kind === "infra-error"
      ? `${end.outcome.class}: ${end.outcome.message.slice(0, 200)}`
      : `${end.steps} steps`;
  return `[${tally.done}/${tally.trials}] ${shortIdentity(trial)} ${verdict} (${what}, ${(end.wall_ms / 1000).toFixed(1)} s) · ${classes(tally)}`;
}

function eta(tally: Tally, profile: Profile): string {
  if (tally.ended === 0) return "ETA …";
  const left = tally.trials - tally.done - tally.suspended;
  const seconds = ((tally.wallMs / tally.ended) * left) / Math.min(profile.concurrency, Math.max(1, left)) / 1000;
  if (seconds < 90) return `ETA ${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `ETA ${Math.round(seconds / 60)} min` : `ETA ${(seconds / 3600).toFixed(1)} h`;
}

/** 950, 12.3k, 4.5M. */
function shortNumber(value: number): string {
  if (value < 1000) return String(value);
  return value < 1e6 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1e6).toFixed(1)}M`;
}
