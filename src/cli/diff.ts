import { UsageError } from "../core/errors.js";
import { type Comparison, compareRuns, type DiffOptions, whatIsMissing } from "../report/diff/diff.js";
import { FAIL_ON } from "../report/diff/diff-gate.js";
import { diffMarkdown } from "../report/diff/diff-markdown.js";
import { renderDiff } from "../report/diff/diff-terminal.js";
import { junitOfDiff } from "../report/junit/junit-diff.js";
import { gatherFacts, type RunFacts } from "../report/run-facts.js";
import { readRunLog } from "../run/log/run-log.js";
import { EXIT } from "./exit.js";
import { findRun, stillRunning } from "./find-run.js";
import { oneOf } from "./option-values.js";
import { printJson, stdoutStyle, warn } from "./text.js";
import { writeOutput } from "./write-output.js";

interface DiffFlags {
  readonly arm: readonly string[];
  readonly failOn: string;
  readonly margin: string;
  readonly metric: string;
  readonly allowIncomplete?: boolean;
  readonly md?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

/**
 * `daw-eval diff`: every further run against the first, or arms of runs against each other. Exits 1 where a gate fails, 2 where nothing can be
 * compared, 3 where a run is not whole, unless --allow-incomplete.
 */
export async function diff(runs: readonly string[], flags: DiffFlags): Promise<number> {
  const options: DiffOptions = {
    metric: oneOf("--metric", flags.metric, ["pass_rate", "score"]),
    fail_on: oneOf("--fail-on", flags.failOn, FAIL_ON),
    margin: marginOf(flags.margin),
    arms: flags.arm.map(armPair),
  };
  const [base, ...heads] = await readRuns(runs, options);
  const missing = [base, ...heads].flatMap(missingLines);
  for (const line of missing) process.stderr.write(`daw-eval: ${line}\n`);
  if (missing.length > 0 && flags.allowIncomplete !== true) {
    process.stderr.write(
      "daw-eval: rates of incomplete runs are not those of the plan; --allow-incomplete compares them all the same\n",
    );
    return EXIT.incomplete;
  }
  const compared = heads.map((head) => compareRuns(base, head, options));
  for (const reason of compared.flatMap(({ left_out }) => left_out)) warn(reason);
  const comparisons = compared.map((one) => one.comparisons);
  const all = comparisons.flat();
  if (flags.json === true) printJson(jsonOf(comparisons));
  else process.stdout.write(renderDiff(all, stdoutStyle()));
  if (flags.md !== undefined) await writeOutput("--md", flags.md, diffMarkdown(all));
  if (flags.junit !== undefined) await writeOutput("--junit", flags.junit, junitOfDiff(all));
  return all.some(({ gate }) => gate.failed) ? EXIT.gateFailed : EXIT.fine;
}

/** One run stands for both sides where its arms are compared with each other. */
async function readRuns(runs: readonly string[], { arms }: DiffOptions): Promise<[RunFacts, RunFacts, ...RunFacts[]]> {
  const facts: RunFacts[] = [];
  const places = await Promise.all(runs.map(findRun));
  for (const sentence of await stillRunning(places)) warn(sentence);
  for (const { log } of places) facts.push(await gatherFacts(readRunLog(log, warn)));
  const [base, head, ...others] = facts;
  if (base === undefined) throw new UsageError("name a base and a head");
  if (head !== undefined) return [base, head, ...others];
  if (arms.length > 0) return [base, base];
  throw new UsageError(
    `${runs[0]}: a run to compare it with is missing; name it too, or two arms of this one with --arm BASE:HEAD`,
  );
}

/** Once for each run, also where it is on both sides. */
function missingLines(facts: RunFacts, index: number, all: readonly RunFacts[]): string[] {
  const why = whatIsMissing(facts);
  return why.length === 0 || all.indexOf(facts) < index
    ? []
    : [`${facts.start.run_id} is incomplete: ${why.join("; ")}`];
}

/** One comparison as it is; arms of two runs as `arms`; several heads as `comparisons`. */
function jsonOf(comparisons: readonly (readonly Comparison[])[]): unknown {
  const [first = [], ...others] = comparisons;
  if (others.length > 0) return { base: first[0]?.base, comparisons: comparisons.flat() };
  return first.length === 1 ? first[0] : { arms: first };
}

/** Percentage points as a share. */
function marginOf(text: string): number {
  const points = Number(text);
  if (text.trim() === "" || !(points >= 0 && points <= 100)) {
    throw new UsageError(`--margin ${text}: give percentage points from 0 to 100, e.g. 5`);
  }
  return points / 100;
}

function armPair(text: string): { base: string; head: string } {
  const [base, head, ...others] = text.split(":");
  if (!base || !head || others.length > 0) throw new UsageError(`--arm ${text}: give BASE:HEAD, the names of two arms`);
  return { base, head };
}
