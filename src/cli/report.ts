import { UsageError } from "../core/errors.js";
import { junitOfRuns } from "../report/junit/junit-run.js";
import { renderMarkdown } from "../report/render-markdown.js";
import { renderTerminal } from "../report/render-terminal.js";
import { type RunSummary, summariseRun } from "../report/summary.js";
import { readRunLog } from "../run/log/run-log.js";
import { EXIT } from "./exit.js";
import { findRuns, stillRunning } from "./find-run.js";
import { oneOf, rate } from "./option-values.js";
import { writeHtml } from "./report-html.js";
import { printJson, stdoutStyle, warn } from "./text.js";
import { writeOutput } from "./write-output.js";

interface ReportOptions {
  readonly json?: boolean;
  readonly md?: string;
  readonly html?: string;
  readonly gold?: string;
  readonly junit?: string;
  readonly metric: string;
  readonly minPass?: string;
}

/**
 * `daw-eval report`. With a gate (`--min-pass`, or the profile's `gate.min_pass` and `gate.must_pass`) exits 1 where it is not reached, and 3 where it is reached by a
 * run that is incomplete or had more infra-errors than allowed: that rate is not the whole plan's.
 */
export async function report(runs: readonly string[], options: ReportOptions): Promise<number> {
  if (options.gold !== undefined && options.html === undefined) {
    throw new UsageError(`--gold ${options.gold}: goes with --html`);
  }
  const metric = oneOf("--metric", options.metric, ["pass_rate", "score"]);
  const min_pass = options.minPass === undefined ? null : rate("--min-pass", options.minPass);
  const places = await findRuns(runs, warn);
  for (const sentence of await stillRunning(places)) warn(sentence);
  const summaries: RunSummary[] = [];
  for (const { log } of places) summaries.push(await summariseRun(readRunLog(log, warn), { metric, min_pass }));

  if (options.json === true) printJson(summaries.length === 1 ? summaries[0] : { runs: summaries });
  else process.stdout.write(summaries.map((summary) => renderTerminal(summary, stdoutStyle())).join("\n"));
  if (options.html !== undefined) {
    const reported = summaries.flatMap((summary, position) => {
      const place = places[position];
      return place === undefined ? [] : [{ place, summary }];
    });
    await writeHtml(options.html, reported, metric, options.gold);
  }
  if (options.md !== undefined) await writeOutput("--md", options.md, summaries.map(renderMarkdown).join("\n"));
  if (options.junit !== undefined) await writeOutput("--junit", options.junit, junitOfRuns(summaries));
  const codes = summaries.map(gateExit);
  return codes.includes(EXIT.gateFailed) ? EXIT.gateFailed : Math.max(...codes);
}

/** Says on stderr how a run's gate came out. */
function gateExit({ run_id, gate, whole }: RunSummary): number {
  if (gate === null) return EXIT.fine;
  process.stderr.write(`daw-eval: gate: ${gate.reason}\n`);
  if (gate.failed) return EXIT.gateFailed;
  if (whole) return EXIT.fine;
  process.stderr.write(
    `daw-eval: gate: ${run_id} is incomplete or had infra-errors: its rate is not the whole plan's\n`,
  );
  return EXIT.incomplete;
}
