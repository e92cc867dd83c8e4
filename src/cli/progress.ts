import { shortIdentity } from "../core/identity.js";
import type { SandboxFound } from "../core/ports/sandbox.js";
import type { Profile } from "../core/profile.js";
import { liveLines } from "../report/live-lines.js";
import { cutText, oneLine, textWidth, wrapParts } from "../report/text-width.js";
import type { RunProgress } from "../run/execute-run.js";
import { liveScreen } from "./live-screen.js";
import { count, type EndedTrial, emptyTally, passed, type Tally } from "./tally.js";
import { styleOf } from "./text.js";

/** Milliseconds between two drawings of the live view. */
const REDRAW_MS = 200;
/** Milliseconds without a line after which a run without a terminal says that it goes on. */
const HEARTBEAT_MS = 30_000;
/** Cells of the first line of an endpoint's words. */
const MESSAGE = 200;

/** What a person wants to see of a run while it goes on. `quiet`: nothing but warnings. */
export type ProgressKind = "all" | "notes" | "quiet";

/** Tells a person on stderr how a run goes. Results never come from here. */
export interface ProgressReporter {
  onProgress(progress: RunProgress): void;
  /** A line that has to be seen, however little else is wanted. */
  warn(line: string): void;
  /** Takes the live view away. More than once is as good as once. */
  end(): void;
}

/** `--no-progress` and `--quiet` as given. */
export function progressKind(options: { readonly progress?: boolean; readonly quiet?: boolean }): ProgressKind {
  if (options.quiet === true) return "quiet";
  return options.progress === false ? "notes" : "all";
}

/**
 * On a terminal a live view: a line a running trial, and one of the run as a whole. Elsewhere a plain line per ended trial, and one after
 * half a minute without any.
 */
export function progressReporter(profile: Profile, stream: NodeJS.WriteStream, kind: ProgressKind): ProgressReporter {
  const tally = emptyTally();
  const isLive = kind === "all" && stream.isTTY === true && process.env.TERM !== "dumb";
  const view = isLive ? liveView(tally, profile, stream) : plainView(tally, profile, stream, kind === "all");
  return {
    onProgress: (progress) => {
      count(tally, progress, profile, performance.now());
      const note = progress.kind === "sandbox-found" ? sandboxNote(progress.found, kind === "quiet") : null;
      if (note !== null) view.note(note);
      view.onProgress(progress);
    },
    warn: view.note,
    end: view.end,
  };
}

interface View {
  onProgress(progress: RunProgress): void;
  note(line: string): void;
  end(): void;
}

function liveView(tally: Tally, profile: Profile, stream: NodeJS.WriteStream): View {
  const screen = liveScreen(stream);
  const { paint } = styleOf(stream);
  const told = new Set<string>();
  let nameWidth = 0;
  const draw = () => {
    const now = performance.now();
    const trials = [...tally.running.values()].map((trial) => ({ ...trial, seconds: (now - trial.startedMs) / 1000 }));
    nameWidth = trials.reduce((most, { name }) => Math.max(most, textWidth(name)), nameWidth);
    const size = { columns: stream.columns || 80, rows: stream.rows || 24 };
    screen.show(liveLines(trials, overall(tally, profile), size, nameWidth, paint));
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  const end = () => {
    clearInterval(timer);
    process.off("exit", end);
    screen.clear();
  };
  // A second Ctrl-C ends the process at once: the shell's prompt then comes on a line of its own.
  process.on("exit", end);
  return {
    onProgress: (progress) => {
      if (progress.kind === "planned") draw();
      const why = progress.kind === "trial-ended" ? infraReason(progress) : null;
      // The same trouble comes to many trials: once is enough to see that something is wrong.
      if (why === null || told.has(why.kind)) return;
      told.add(why.kind);
      screen.note(cutText(why.line, (stream.columns || 80) - 1));
    },
    note: (line) => {
      for (const part of wrapParts([line], " ", (stream.columns || 80) - 1)) screen.note(part);
    },
    end,
  };
}

function infraReason({ trial, end: { outcome } }: EndedTrial): { readonly kind: string; readonly line: string } | null {
  if (outcome.kind !== "infra-error") return null;
  return { kind: outcome.class, line: oneLine(`${shortIdentity(trial)} ${outcome.class}: ${outcome.message}`) };
}

function plainView(tally: Tally, profile: Profile, stream: NodeJS.WriteStream, progressWanted: boolean): View {
  const note = (line: string) => {
    stream.write(`${line}\n`);
  };
  if (!progressWanted) return { onProgress: () => {}, note, end: () => {} };
  let saidAt = performance.now();
  const say = (line: string) => {
    saidAt = performance.now();
    note(line);
  };
  const timer = setInterval(() => {
    if (performance.now() - saidAt >= HEARTBEAT_MS) say(overall(tally, profile).join(" · "));
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    onProgress: (progress) => {
      const line = plainLine(tally, progress, profile);
      if (line !== null) say(line);
    },
    note,
    end: () => clearInterval(timer),
  };
}

function plainLine(tally: Tally, progress: RunProgress, profile: Profile): string | null {
  if (progress.kind === "planned" && progress.done > 0) {
    return `${progress.done} of ${progress.trials} trials are done already`;
  }
  if (progress.kind === "trial-ended") return endedLine(tally, progress, profile);
  return progress.kind === "trial-suspended" ? `${shortIdentity(progress.trial)} suspended` : null;
}

/** What a person should know of where the model's Python runs; the loud one also when all else is quiet. */
function sandboxNote({ python, reason }: SandboxFound, quiet: boolean): string | null {
  if (python === "unsafe-none") {
    return `WARNING: ${reason ?? "tools.python.sandbox is unsafe-none: Python that the model writes runs with all your rights, in no sandbox"}`;
  }
  return python === null && !quiet ? `execute_python is not offered: ${reason}` : null;
}

function classes({ classes: { solid, flaky, broken } }: Tally): string {
  return `solid ${solid} flaky ${flaky} broken ${broken}`;
}

/** The run as a whole, in parts of a line. */
function overall(tally: Tally, profile: Profile): string[] {
  const running = [...tally.running.values()];
  const left = tally.trials - tally.done - running.length - tally.suspended;
  const tokens = running.reduce((sum, trial) => sum + trial.tokens, tally.tokens);
  const cost = running.reduce(
    (sum: number | null, trial) => (trial.cost === null ? sum : (sum ?? 0) + trial.cost),
    tally.cost,
  );
  return [
    `${tally.done}/${tally.trials} done`,
    `${running.length} running`,
    `${left} left`,
    classes(tally),
    ...(tally.infra > 0 ? [`infra ${tally.infra}`] : []),
    `${shortNumber(tokens)} tokens`,
    ...(cost === null ? [] : [`$${cost.toFixed(2)}`]),
    eta(tally, profile),
  ];
}

function endedLine(tally: Tally, progress: EndedTrial, profile: Profile): string {
  const { end, trial } = progress;
  const pass = passed(progress, profile);
  const verdict =
    end.outcome.kind !== "answered" ? end.outcome.kind : pass === null ? "unscored" : pass ? "pass" : "miss";
  const what =
    end.outcome.kind === "infra-error"
      ? `${end.outcome.class}: ${end.outcome.message.slice(0, MESSAGE)}`
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
