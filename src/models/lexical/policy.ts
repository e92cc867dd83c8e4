import { type Chooser, createChooser, type SlotRecord } from "./choice.js";
import { type Draft, draftAnswer } from "./draft.js";
import { type Investigation, investigate, lookForParts } from "./investigation.js";
import { readQueries } from "./observations.js";
import type { Call, Transcript } from "./transcript.js";
import { SUBMIT } from "./transcript.js";

/** Asks for tool results, in rounds of calls that may run together, and ends with a submission. */
export type Steps<Result> = Generator<readonly Call[], Result, readonly string[]>;

const PROBE = "execute_probe_query";

export interface Submission {
  readonly call: Call;
  readonly sql: string;
  readonly slots: readonly SlotRecord[];
  readonly reading: string;
}

export interface PolicyOptions {
  readonly temperature: number | null;
  readonly seed: number | null;
}

/** Readings that are tried when the first fails or is not accepted. */
const MOST_READINGS = 5;

/** The whole course of a task: look at the data, read the question, try the SQL, submit. */
export function* solve(transcript: Transcript, options: PolicyOptions): Steps<Submission> {
  const found = yield* work(transcript, options);
  // Held back until evidence is looked at: nothing else is asked for that it could do, so it looks at its answer again.
  if (transcript.heldBack > 0) yield [{ name: PROBE, arguments: { queries: [found.sql], limit: transcript.heldBack } }];
  return found;
}

function* work(transcript: Transcript, options: PolicyOptions): Steps<Submission> {
  const seen = yield* investigate(transcript);
  const tried: { draft: Draft; chooser: Chooser; empty: boolean }[] = [];
  let competing: readonly SlotRecord[] = [];
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const chooser = createChooser({ ...options, passOver: passedOver(reading, competing) });
    const complete = reading === 0 ? yield* lookForParts(transcript.question, seen, chooser) : seen;
    const draft = draftAnswer(transcript.question, complete, chooser);
    if (reading === 0) competing = chooser.records;
    if (transcript.rejected.includes(draft.sql) || tried.some((other) => other.draft.sql === draft.sql)) continue;
    const [content = ""] = yield [probe(draft.sql)];
    const first = readQueries(content)?.results[0];
    if (first === undefined || !first.ok) continue;
    if (first.rows.length > 0 && !isAllNull(first.rows)) return submission(draft, chooser);
    tried.push({ draft, chooser, empty: true });
    if (reading >= competing.filter((slot) => slot.candidates.length > 1).length) break;
  }
  const [best] = tried;
  if (best !== undefined) return submission(best.draft, best.chooser);
  return submission(lastResort(seen), createChooser({ ...options, passOver: new Map() }));
}

/** Reading 0 decides freely; each later one gives up the best candidate of the next closest race. */
function passedOver(reading: number, competing: readonly SlotRecord[]): ReadonlyMap<string, number> {
  const races = competing
    .filter(({ candidates }) => candidates.length > 1)
    .sort((left, right) => margin(left) - margin(right));
  const slot = races[reading - 1];
  return slot === undefined ? new Map() : new Map([[slot.slot, 1]]);
}

function margin({ candidates }: SlotRecord): number {
  return (candidates[0]?.score ?? 0) - (candidates[1]?.score ?? 0);
}

function probe(sql: string): Call {
  return { name: PROBE, arguments: { queries: [sql] } };
}

const isAllNull = (rows: readonly (readonly (string | null)[])[]) =>
  rows.every((row) => row.every((cell) => cell === null));

function submission(draft: Draft, chooser: Chooser): Submission {
  return {
    call: submitCall(draft.sql, draft.conclusion),
    sql: draft.sql,
    slots: chooser.records,
    reading: draft.conclusion,
  };
}

export function submitCall(sql: string, conclusion: string): Call {
  return { name: SUBMIT, arguments: { tool_name: PROBE, tool_args: { queries: [sql] }, conclusion } };
}

/** When no reading runs: how many rows the largest table has. */
function lastResort(seen: Investigation): Draft {
  const [largest] = [...seen.knowledge.schema.tables].sort((left, right) => right.rows - left.rows);
  const sql =
    largest === undefined
      ? "SELECT NULL AS answer"
      : `SELECT count(*) AS answer FROM "${largest.name.replaceAll('"', '""')}"`;
  return {
    sql,
    conclusion: "No reading of the question could be computed; this is only the number of rows of the largest table.",
  };
}
