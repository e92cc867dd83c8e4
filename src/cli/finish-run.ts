import type { Profile } from "../core/profile.js";
import type { RunEnd } from "../core/run-record.js";
import { counted } from "../report/numbers.js";
import { renderTerminal } from "../report/render-terminal.js";
import { summariseRun } from "../report/summary.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunLog } from "../run/log/run-log.js";
import { EXIT, exitCodeOf } from "./exit.js";
import { type PausedTrial, pausedLines } from "./paused-trials.js";
import { printJson, say, stdoutStyle, warn } from "./text.js";

/** Prints a run's report after it ended, says what to do next, and returns the exit code: incomplete before gate, gate before fine. */
export async function finishRun(
  end: RunEnd,
  runFolder: string,
  shown: string,
  profile: Profile,
  paused: readonly PausedTrial[],
  { json, quiet }: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<number> {
  const records = readRunLog(runLogFile(runFolder), warn);
  const summary = await summariseRun(records, { metric: "pass_rate", min_pass: profile.gate.min_pass });
  if (json === true) printJson(summary);
  else process.stdout.write(renderTerminal(summary, stdoutStyle()));

  const { suspended, not_run, infra_error } = end.counts;
  const cancelled = suspended - paused.length;
  if (suspended > 0 || not_run > 0) {
    process.stderr.write("\n");
    for (const line of pausedLines(paused, shown)) say(line);
    if (cancelled > 0 || not_run > 0) {
      say(`${counted(cancelled, "trial")} suspended, ${not_run} not run; go on with: daw-eval resume ${shown}`);
    }
  } else if (json !== true && quiet !== true) process.stderr.write(`\ntraces: daw-eval show ${shown}\n`);
  if (infra_error > profile.gate.max_infra) {
    say(`${counted(infra_error, "trial")} ended in infrastructure errors: they are no answers, right or wrong`);
  }
  if (summary.gate !== null) say(`gate: ${summary.gate.reason}`);
  const code = exitCodeOf(end, profile.gate.max_infra);
  return code === EXIT.fine && summary.gate?.failed === true ? EXIT.gateFailed : code;
}
