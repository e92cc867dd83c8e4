import type { AnswerDelivered, CommandReturned, StepReported, TrialEventBody } from "../../core/event.js";
import type { ProgramRun } from "../../core/ports/agent-program.js";
import type { TrialLog } from "../../core/ports/trial-log.js";
import type { Scrubber } from "../../models/secrets.js";
import { readAgentTrace } from "../kit/agent-trace.js";
import { readJson } from "../kit/read-json-file.js";
import { parsePrediction } from "../kit/read-prediction.js";

interface ReturnRoom {
  readonly log: TrialLog;
  /** Keeps the values of the variables that the program was given out of the log. */
  readonly scrubber: Scrubber;
  readonly ms: number;
  readonly most_rows: number;
}

/** What a program left, as events: the steps that it reports, the table that it hands over where it ended well, and how it ended. */
export async function returnedEvents(run: ProgramRun, room: ReturnRoom): Promise<TrialEventBody[]> {
  const { scrubber } = room;
  const { steps, notes } = stepsIn(run, scrubber);
  const { prediction, delivered } = await answerIn(run, room);
  const returned: CommandReturned = {
    type: "command-returned",
    failure: run.failure,
    prediction,
    notes,
    stdout: scrubber.text(run.stdout),
    stderr: scrubber.text(run.stderr),
    ms: room.ms,
  };
  return [...steps, ...(delivered === null ? [] : [delivered]), returned];
}

function stepsIn({ trace }: ProgramRun, scrubber: Scrubber) {
  if (trace === null) return { steps: [], notes: [] };
  const read = readJson(trace);
  if (!read.ok) return { steps: [], notes: [`trace.json ${read.reason}`] };
  const { steps, notes } = readAgentTrace(scrubber.json(read.value));
  return { steps: steps satisfies readonly StepReported[], notes };
}

async function answerIn(
  run: ProgramRun,
  { log, scrubber, most_rows }: ReturnRoom,
): Promise<{ readonly prediction: CommandReturned["prediction"]; readonly delivered: AnswerDelivered | null }> {
  if (run.prediction === null) return { prediction: { status: "missing", reason: null }, delivered: null };
  if (run.failure !== null) {
    const reason = "the program failed: what it had written is not taken";
    return { prediction: { status: "missing", reason }, delivered: null };
  }
  const invalid = (reason: string) => ({ prediction: { status: "invalid", reason } as const, delivered: null });
  const read = parsePrediction(run.prediction);
  if (!read.ok) return invalid(`prediction.csv: ${read.reason}`);
  const { columns, rows } = read.table;
  if (rows.length > most_rows) return invalid(`prediction.csv: ${rows.length} rows, at most ${most_rows} are taken`);
  const clean = rows.map((row) => row.map((cell) => (cell === null ? null : scrubber.text(cell))));
  const candidate = await log.writeCandidate({ ...read.table, columns: columns.map(scrubber.text), rows: clean });
  const conclusion =
    run.conclusion === null ? null : scrubber.text(Buffer.from(run.conclusion).toString("utf8")).trim();
  const delivered: AnswerDelivered = { type: "answer-delivered", candidate, conclusion: conclusion || null };
  return { prediction: { status: "delivered", reason: null }, delivered };
}
