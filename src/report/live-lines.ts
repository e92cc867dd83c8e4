import type { Paint } from "./render-terminal.js";
import { cutText, oneLine, padText, textWidth, wrapParts } from "./text-width.js";

/** A trial in flight. */
export interface LiveTrial {
  readonly name: string;
  /** Main-model calls that brought a response. */
  readonly step: number;
  /** A tool, or what else it is at. */
  readonly doing: string;
  readonly seconds: number;
}

/** Cells of a terminal. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const GAP = "  ";
/** Cells of `step 12` and `999 s`, and what is left at least for a name and for what is done. */
const STEP = 7;
const SECONDS = 6;
const LEAST_NAME = 8;
const LEAST_DOING = 10;

/**
 * A line a running trial, then the run as a whole (its parts wrapped), never more lines than the screen has and none wider than it. Trials that have no room are counted.
 * `nameWidth` is the widest name so far: columns then stay where they are.
 */
export function liveLines(
  trials: readonly LiveTrial[],
  whole: readonly string[],
  { columns, rows }: ScreenSize,
  nameWidth: number,
  paint: Paint,
): string[] {
  // The last column stays empty: some terminals break the line there.
  const width = Math.max(10, columns - 1);
  const overall = wrapParts(whole.map(oneLine), " · ", width);
  const room = Math.max(0, rows - 1 - overall.length);
  const shown = trials.length <= room ? trials : trials.slice(0, Math.max(0, room - 1));
  const hidden = trials.length - shown.length;
  return [
    ...shown.map((trial) => trialLine(trial, width, nameWidth, paint)),
    ...(hidden > 0 && room > 0 ? [cutText(`… and ${hidden} more`, width)] : []),
    ...overall.slice(0, Math.max(1, rows - 1)).map(paint.strong),
  ];
}

function trialLine(trial: LiveTrial, width: number, nameWidth: number, paint: Paint): string {
  const free = width - STEP - SECONDS - 3 * GAP.length - LEAST_DOING;
  const cells = Math.max(LEAST_NAME, Math.min(nameWidth, free));
  const name = padText(cutText(oneLine(trial.name), cells, "middle"), cells, "left");
  const step = padText(trial.step === 0 ? "" : `step ${trial.step}`, STEP, "left");
  const facts = cutText([name, step, padText(shortTime(trial.seconds), SECONDS, "right")].join(GAP), width);
  const doing = cutText(oneLine(trial.doing), width - textWidth(facts) - GAP.length);
  return doing === "" ? facts : `${facts}${GAP}${paint.faint(doing)}`;
}

/** 7.9 → `7 s`, 754 → `12 min`. */
function shortTime(seconds: number): string {
  return seconds < 600 ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / 60)} min`;
}
