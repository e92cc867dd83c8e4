import type { z } from "zod";
import type { Table } from "../core/ports/query-worker.js";
import type { IssuedQuery } from "../core/ports/sandbox.js";
import { probeArguments } from "./execute-probe-query.js";
import { EXECUTE_PYTHON, notOffered, pythonArguments, runCode, troubleOf } from "./python/execute-python.js";
import { printedAnswer } from "./python/python-answer.js";
import { runQuery } from "./run-queries.js";
import { failure, type ToolEnvironment, type ToolOutcome } from "./tool.js";

/** What ran again to make an answer. */
type SourceRun =
  | { readonly ok: true; readonly table: Table; readonly args: unknown; readonly queries?: readonly IssuedQuery[] }
  | (ToolOutcome & { readonly ok: false });

/** A tool whose result can be handed in as the answer. */
export interface AnswerSource {
  readonly tool: string;
  readonly args: z.ZodObject;
  /** Runs the tool again, in full. `args` fit. */
  run(args: unknown, env: ToolEnvironment): Promise<SourceRun>;
}

function answerSource<Args extends z.ZodObject>(
  tool: string,
  args: Args,
  run: (args: z.infer<Args>, env: ToolEnvironment) => Promise<SourceRun>,
): AnswerSource {
  return { tool, args, run: (given, env) => run(args.parse(given), env) };
}

/** Of a batch of queries all must succeed, and the whole table of the last one is the answer. */
export const queriesAsAnswer = answerSource("execute_probe_query", probeArguments, async (args, env) => {
  const most = env.limits.max_answer_rows;
  let answer: Table = { columns: [], types: [], rows: [] };
  for (const [index, sql] of args.queries.entries()) {
    const which = args.queries.length === 1 ? "the query" : `query ${index + 1} of ${args.queries.length}`;
    const result = await runQuery(sql, most, env);
    if (!result.ok) return notSubmitted(result.error.code, `${which} failed when run again: ${result.error.message}`);
    const isAnswer = index === args.queries.length - 1;
    if (isAnswer && result.truncated) return tooManyRows(which, most);
    answer = result.table;
  }
  return { ok: true, table: answer, args };
});

/** The table that the code prints last, when it ends well. */
export const pythonAsAnswer = answerSource(EXECUTE_PYTHON, pythonArguments, async (args, env) => {
  if (env.python === null) return notOffered();
  const run = await runCode(args.code, env, env.python);
  const { queries } = run;
  const trouble = troubleOf(run, env);
  if (trouble !== null) {
    return { ...notSubmitted(trouble.error, `the code failed when run again: ${trouble.message}`), queries };
  }
  if (run.stdout.overflowed)
    return { ...notSubmitted("too-much-output", "the code prints more than is kept"), queries };
  const printed = printedAnswer(run.stdout.text);
  if (!printed.ok) return { ...notSubmitted("no-table", printed.why), queries };
  const most = env.limits.max_answer_rows;
  if (printed.table.rows.length > most) return { ...tooManyRows("the printed table", most), queries };
  return { ok: true, table: printed.table, args, queries };
});

function notSubmitted(error: string, why: string): ToolOutcome & { ok: false } {
  return failure(error, `nothing was submitted: ${why}`);
}

function tooManyRows(what: string, most: number): ToolOutcome & { ok: false } {
  return notSubmitted("too-many-rows", `${what} has more than ${most} rows, the most that an answer may have`);
}
