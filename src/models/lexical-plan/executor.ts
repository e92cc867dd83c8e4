import type { ModelRequest } from "../../core/message.js";
import { readProfile, readQueries } from "../lexical/observations.js";
import { type PolicyOptions, type Submission, solve } from "../lexical/policy.js";
import { type Call, callKey, keyOfCall, readTranscript } from "../lexical/transcript.js";
import {
  citable,
  type FetchedEvidence,
  fetchedEvidence,
  listedEvidence,
  type ReadSubGoal,
  subGoalOf,
} from "./plan-parts.js";
import { SURVEY } from "./planner.js";

/** An executor's turn: calls, or its output. */
export type ExecutorTurn =
  | { readonly calls: readonly Call[] }
  | { readonly text: string; readonly submission: Submission | null };

/** What is known of a call: its content, and the evidence id under which it can be cited. */
interface Known {
  readonly id: string | null;
  readonly content: string;
}

type Lookup = (call: Call) => Known | null;

/** The executor's role without a language model: it looks at the sources that a survey names, and else computes the answer. */
export function execute(request: ModelRequest, options: PolicyOptions): ExecutorTurn {
  const goal = subGoalOf(request);
  const known = lookup(request);
  return goal?.tool_hint === SURVEY ? survey(goal, request, known) : compute(request, options, known);
}

/** Results of this conversation first, then what was fetched of earlier evidence. */
function lookup(request: ModelRequest): Lookup {
  const { results } = readTranscript(request);
  const fetched = fetchedIn(results);
  return (call) => {
    const own = results.get(keyOfCall(call));
    if (own !== undefined) return citable(own);
    const found = fetched.find((one) => isReturnOf(one, call));
    return found === undefined ? null : { id: found.id, content: found.content };
  };
}

const READ_EVIDENCE = "read_evidence";

function fetchedIn(results: ReadonlyMap<string, string>): FetchedEvidence[] {
  return [...results].flatMap(([key, content]) =>
    key.startsWith(`${READ_EVIDENCE} `) ? fetchedEvidence(content) : [],
  );
}

/** Documents that surveys have read: all of them count, however few the baseline would read by itself. */
function documentsRead(results: ReadonlyMap<string, string>): Call[] {
  return fetchedIn(results).flatMap(({ tool, args }) =>
    tool === "read_doc" ? [{ name: tool, arguments: { path: args.path } }] : [],
  );
}

/** The call of a piece of evidence has its tool's defaults beside what was asked. */
function isReturnOf({ tool, args }: FetchedEvidence, call: Call): boolean {
  return (
    tool === call.name &&
    Object.entries(call.arguments).every(([name, value]) => JSON.stringify(args[name]) === JSON.stringify(value))
  );
}

function survey({ goal }: ReadSubGoal, request: ModelRequest, known: Lookup): ExecutorTurn {
  const sources = [...goal.matchAll(/(table|document) ("(?:[^"\\]|\\.)*")/g)].map(([, kind, name = '""']): Call => {
    const value: unknown = JSON.parse(name);
    return kind === "table"
      ? { name: SURVEY, arguments: { table: value } }
      : { name: "read_doc", arguments: { path: value } };
  });
  // Listed once: the first survey has no evidence before it.
  const list = listedEvidence(request).length === 0 ? [{ name: "list_context", arguments: {} }] : [];
  const calls = [...list, ...sources];
  const missing = calls.filter((call) => known(call) === null);
  if (missing.length > 0 && request.tools.length > 0) return { calls: missing };
  const lines = calls.flatMap((call) => lineOf(call, known(call)));
  const closing = "Thus each of them is named, and each table with its rows.";
  return { text: [...lines, closing].join("\n"), submission: null };
}

function lineOf(call: Call, known: Known | null): string[] {
  if (known?.id === null || known === null) return [];
  const cite = `[${known.id}]`;
  if (call.name === "list_context") return [`The context was listed ${cite}.`];
  if (call.name === SURVEY) {
    const rows = readProfile(known.content)?.rows;
    const count = rows === undefined ? "was looked at" : `has ${rows} rows`;
    return [`The table ${String(call.arguments.table)} ${count} ${cite}.`];
  }
  return [`The document ${String(call.arguments.path)} was read ${cite}.`];
}

function compute(request: ModelRequest, options: PolicyOptions, known: Lookup): ExecutorTurn {
  const listed = listedEvidence(request);
  const fetch: Call = { name: READ_EVIDENCE, arguments: { ids: listed } };
  const canCall = request.tools.length > 0;
  const transcript = readTranscript(request);
  if (listed.length > 0 && canCall && transcript.results.get(keyOfCall(fetch)) === undefined) return { calls: [fetch] };
  const required = [...documentsRead(transcript.results), ...transcript.required];
  const steps = solve({ ...transcript, required }, options);
  let step = steps.next();
  while (step.done !== true) {
    const missing = step.value.filter((call) => known(call) === null);
    if (missing.length > 0 && canCall) return { calls: missing };
    step = steps.next(step.value.map((call) => known(call)?.content ?? ""));
  }
  return { text: outputOf(step.value, transcript.question, known), submission: step.value };
}

/** Cells of the first row that are told. */
const MOST_CELLS = 3;

/** Without evidence for its query it cites nothing, and is tried again with what has been found out by then. */
function outputOf({ sql, reading }: Submission, question: string, known: Lookup): string {
  const found = known({ name: "execute_probe_query", arguments: { queries: [sql] } });
  const [result] = readQueries(found?.content ?? "")?.results ?? [];
  const head = [`Asked: ${question}`, `Reading: ${reading}`];
  if (found === null || found.id === null || result?.ok !== true) {
    return [...head, "The query for it has not been run."].join("\n");
  }
  const cite = `[${found.id}]`;
  const [first] = result.rows;
  const cells = result.columns.slice(0, MOST_CELLS).map((column, index) => `${column} ${first?.[index] ?? "NULL"}`);
  return [
    ...head,
    `The query of ${cite} brings the answer; it shows ${counted(result.rows.length)} ${cite}.`,
    ...(first === undefined ? [] : [`In the first one stands ${cells.join(", ")} ${cite}.`]),
    "Thus the query, its rows and the first one are named.",
  ].join("\n");
}

const counted = (rows: number): string => (rows === 1 ? "1 row" : `${rows} rows`);

/** Calls of a list that a conversation has results of. */
export function unanswered(calls: readonly Call[], results: ReadonlyMap<string, string>): readonly Call[] {
  return calls.filter((call) => results.get(callKey(call.name, JSON.stringify(call.arguments))) === undefined);
}
