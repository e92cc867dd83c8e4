import path from "node:path";
import { CutOffError } from "../../core/cut-off.js";
import { stableJson } from "../../core/digest.js";
import type {
  CandidateSubmitted,
  DataQueried,
  ExtractionRequested,
  ToolReturned,
  TrialEvent,
  TrialStarted,
} from "../../core/event.js";
import { evidenceId } from "../../core/evidence.js";
import { askedBy } from "../../core/extraction.js";
import type { Purpose } from "../../core/message.js";
import { SandboxError } from "../../core/ports/query-worker.js";
import type { TrialLog } from "../../core/ports/trial-log.js";
import { cutOffOf } from "../../models/replay.js";
import type { CallTool } from "../call-tool.js";
import type { QueryData } from "../check-data.js";
import type { RunCommand } from "../program/run-command.js";

/** Today's code did something for which the stored trial has no result. */
export class ReplayDivergedError extends Error {
  readonly code = "replay-diverged" as const;
}

/** A trial as its events have it: everything that came from outside, to be had again. */
export interface StoredTrial {
  readonly begin: TrialStarted;
  /** What each call returned; a candidate's table is copied into `log`. Rejects with ReplayDivergedError where there is no such call. */
  callTools(log: Pick<TrialLog, "copyCandidate">): CallTool;
  readonly queryData: QueryData;
  /** What became of the program, all at once. A delivered table is copied into `log`. */
  runCommand(log: Pick<TrialLog, "copyCandidate">): RunCommand;
}

/** Who calls tools. A call's id is its own in its turn alone: each execution of a plan is a conversation of its own. */
const ACTING: readonly Purpose[] = ["agent", "executor", "finalizer"];

/** `folder` is the attempt's, `events` are all of its events. Throws ReplayDivergedError where they do not begin with trial-started. */
export function storedTrial(folder: string, events: readonly TrialEvent[]): StoredTrial {
  const [first] = events;
  if (first?.type !== "trial-started") throw new ReplayDivergedError(`${folder}: the trial has no events to replay`);
  const returns = new Map<string, ToolReturned | CandidateSubmitted>();
  const asked = new Map<string, ExtractionRequested[]>();
  const queried = new Map<string, DataQueried[]>();
  let turns = 0;
  for (const event of events) {
    if (event.type === "model-responded" && ACTING.includes(event.purpose)) turns++;
    const key = "call_id" in event ? evidenceId(turns, event.call_id) : "";
    if (event.type === "tool-returned") returns.set(key, withoutPosition(event));
    if (event.type === "extraction-requested") asked.set(key, [...(asked.get(key) ?? []), withoutPosition(event)]);
    if (event.type === "candidate-submitted") returns.set(key, withoutPosition(event));
    if (event.type === "data-queried") {
      queried.set(keyOf(event), [...(queried.get(keyOf(event)) ?? []), withoutPosition(event)]);
    }
  }
  return {
    begin: withoutPosition(first),
    callTools: (log) => async (pending, state) => {
      const { id, name } = pending.call;
      const key = evidenceId(state().trajectory.length, id);
      const question = asked.get(key)?.[askedBy(id, state().extractor).length];
      if (question !== undefined) return question;
      const stored = returns.get(key);
      if (stored?.tool !== name) throw missing(events, `the call ${id} of ${name}`);
      if (stored.type === "candidate-submitted") await copyTable(path.join(folder, stored.candidate.file), stored, log);
      return stored;
    },
    queryData: async (effect) => {
      const stored = queried.get(keyOf(effect))?.shift();
      if (stored === undefined) throw missing(events, `the query "${effect.why}" of the ${effect.validator} check`);
      return stored;
    },
    runCommand:
      (log) =>
      async (_command, { append }) => {
        for (const event of events) {
          if (!isOfCommand(event)) continue;
          if (event.type === "answer-delivered") await copyTable(path.join(folder, event.candidate.file), event, log);
          const { seq: _seq, at: _at, waited_ms: _waited, ...body } = event;
          append(body);
        }
        const ended = events.some(({ type }) => type === "command-returned" || type === "limit-reached");
        if (!ended) throw missing(events, "the agent's program");
      },
  };
}

const OF_COMMAND: readonly TrialEvent["type"][] = [
  "command-started",
  "model-responded",
  "model-failed",
  "answer-forced",
  "limit-reached",
  "step-reported",
  "answer-delivered",
  "command-returned",
];

/** In a trial of a program nothing else asks the model. */
const isOfCommand = ({ type }: TrialEvent): boolean => OF_COMMAND.includes(type);

/** An event as it was before it was appended. */
function withoutPosition<Event extends Position>({
  seq: _seq,
  at: _at,
  waited_ms: _waited,
  ...body
}: Event): Omit<Event, keyof Position> {
  return body;
}

interface Position {
  readonly seq: number;
  readonly at: string;
  readonly waited_ms?: number;
}

async function copyTable(
  file: string,
  { candidate }: Pick<CandidateSubmitted, "candidate">,
  log: Pick<TrialLog, "copyCandidate">,
) {
  await log.copyCandidate(file, candidate).catch((error: unknown) => {
    throw new ReplayDivergedError(`a submitted table cannot be had: ${error instanceof Error ? error.message : error}`);
  });
}

const keyOf = ({ validator, answer, queries }: Pick<DataQueried, "validator" | "answer" | "queries">): string =>
  stableJson([validator, answer, queries]);

/** Why there is no result: the time was up, the machine could not run it, or the stored trial never did it. */
function missing(events: readonly TrialEvent[], what: string): Error {
  const cutOff = cutOffOf(events);
  if (cutOff !== null) return new CutOffError(cutOff);
  const end = events.at(-1);
  const outcome = end?.type === "trial-finished" ? end.outcome : null;
  if (outcome?.kind === "infra-error" && outcome.class === "sandbox") return new SandboxError(outcome.message);
  return new ReplayDivergedError(`the stored trial has no result for ${what}`);
}
