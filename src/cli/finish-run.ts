import type { Profile } from "../core/profile.js";
import type { RunEnd } from "../core/run-record.js";
import { renderTerminal } from "../report/render-terminal.js";
import { summariseRun } from "../report/summary.js";
import { runLogFile } from "../run/run-folder.js";
import { readRunLog } from "../run/run-log.js";
import { EXIT, exitCodeOf } from "./exit.js";
import { printJson, stdoutStyle, warn } from "./text.js";

/** Prints a run's report after it ended, says what to do next, and returns the exit code: incomplete before gate, gate before fine. */
export async function finishRun(
  end: RunEnd,
  runFolder: string,
  shown: string,
  profile: Profile,
  json: boolean,
): Promise<number> {
  const records = readRunLog(runLogFile(runFolder), warn);
  const summary = await summariseRun(records, { metric: "pass_rate", min_pass: profile.gate.min_pass });
  if (json) printJson(summary);
  else process.stdout.write(renderTerminal(summary, stdoutStyle()));

  const { suspended, not_run, infra_error } = end.counts;
  if (suspended > 0 || not_run > 0) {
    process.stderr.write(`\n${suspended} trials suspended, ${not_run} not run; go on with: daw-eval resume ${shown}\n`);
  } else if (!json) process.stderr.write(`\ntraces: daw-eval show ${shown}\n`);
  if (infra_error > profile.gate.max_infra) {
    process.stderr.write(`${infra_error} trials ended in infrastructure errors: they are no answers, right or wrong\n`);
  }
  if (summary.gate !== null) process.stderr.write(`gate: ${summary.gate.reason}\n`);
  const code = exitCodeOf(end, profile.gate.max_infra);
  return code === EXIT.fine && summary.gate?.failed === true ? EXIT.gateFailed : code;
}
