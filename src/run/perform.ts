import { CutOffError } from "../core/cut-off.js";
import type { Effect } from "../core/effect.js";
import { assertNever } from "../core/errors.js";
import type { PendingCall, TrialEventBody } from "../core/event.js";
import type { PausePoint } from "../core/event-plan.js";
import { openQuestion } from "../core/extraction.js";
import { linkedSignal } from "../core/linked-signal.js";
import type { ModelRequest, Purpose } from "../core/message.js";
import type { TrialOutcome } from "../core/outcome.js";
import type { Profile } from "../core/profile.js";
import { digestOfRequest } from "../core/request-digest.js";
import type { TrialState } from "../core/state.js";
import { answerOf } from "../core/validated.js";
import { EXTRACT_STRUCTURED_DOC } from "../tools/extract-structured-doc.js";
import { allowance } from "./allowance.js";
import type { TrialPorts } from "./run-trial.js";
import { during } from "./work-clock.js";

interface Stage {
  readonly state: () => TrialState;
  readonly profile: Profile;
  readonly ports: TrialPorts;
  readonly append: (body: TrialEventBody) => void;
  /** Resolves when all that was appended is on disk. */
  readonly onDisk: () => Promise<void>;
}

/**
 * Does what a decider asked for, and appends the events that come of it. At least one, so that deciding again sees something new.
 * Nothing outside is asked before everything that it follows from is on disk: a kill costs the calls in flight and no other.
 */
export async function perform(effect: Effect, stage: Stage): Promise<void> {
  switch (effect.kind) {
    case "record":
      return stage.append(effect.event);
    case "finish":
      return finish(effect.outcome, stage);
    case "pause":
      return pause(effect.at, stage);
    case "call-model":
      return withinTime(effect, stage, (signal) => callModel(effect.request, stage, signal));
    case "call-tools":
      return withinTime(effect, stage, (signal) => callTools(effect.calls, stage, signal));
    case "query":
      return withinTime(effect, stage, async (signal) =>
        stage.append(await stage.ports.queryData(effect, stage.state, signal)),
      );
    case "run-command":
      return withinTime(effect, stage, (signal) => stage.ports.runCommand(effect.command, stage, signal));
    default:
      return assertNever(effect);
  }
}

function pause(at: PausePoint, { append, ports, state }: Stage): void {
  const decision = ports.askPerson(at, state());
  if (decision === null) append({ type: "trial-suspended", why: "paused", pause: at });
  else append({ type: "person-decided", pause: at, decision });
}

/**
 * Runs work under the trial's remaining seconds and the run's cancel signal. Work that is cut off leaves nothing half done: what it had
 * appended stands, and the trial is suspended (cancelled) or at its limit.
 */
async function withinTime(effect: Effect, stage: Stage, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { cancel, deadline, workClock } = stage.ports;
  const { seconds, spent } = allowance(effect, stage.state(), stage.profile);
  const over = linkedSignal([cancel, deadline]);
  const callOff = workClock.alarm(seconds * 1000, () => over.abort(new Error("the time is up")));
  try {
    cancel.throwIfAborted();
    await stage.onDisk();
    await work(over.signal);
  } catch (error) {
    if (error instanceof CutOffError) return stage.append(error.event);
    if (!over.signal.aborted) throw error;
    stage.append(cancel.aborted ? { type: "trial-suspended", why: "cancelled" } : spent);
  } finally {
    callOff();
    over.release();
  }
}

async function callModel(request: ModelRequest, stage: Stage, signal: AbortSignal): Promise<void> {
  const { digest, bytes } = digestOfRequest(request);
  const about = { purpose: request.purpose, request_digest: digest };
  const { model, images, workClock } = stage.ports;
  const reply = await during(workClock, () =>
    model.respond(request, {
      signal,
      on_wait: workClock.onWait,
      images,
      asked_before: askedBefore(request.purpose, stage.state()),
      on_retry: ({ failure, request_ms }) => {
        stage.append({ type: "model-failed", ...about, failure, final: false, ms: request_ms });
        return stage.onDisk();
      },
    }),
  );
  const ms = reply.request_ms;
  stage.append(
    reply.ok
      ? {
          type: "model-responded",
          ...about,
          request_bytes: bytes,
          response: reply.response,
          ...(reply.cached && { cached: true }),
          ms,
        }
      : { type: "model-failed", ...about, failure: reply.failure, final: true, ms },
  );
}

/**
 * How often the same may have been asked before in this trial. A turn of the agent always changes what it is asked next; a check may ask
 * its validator once more; a plan's roles may meet the same state again after a retry or a new plan.
 */
function askedBefore(purpose: Purpose, { validation, plan, plan_work }: TrialState): number {
  switch (purpose) {
    case "agent":
    case "finalizer":
    case "extractor":
      return 0;
    case "process-validator":
    case "answer-validator":
      return validation.replies.length;
    case "planner":
      return plan.replans;
    case "executor":
      return plan_work.executions;
    case "verifier":
    case "condenser":
      return plan.rounds;
  }
}

/**
 * All calls of a turn at once; those that make tables before the others and one by one, so that the others can read them and names
 * stay apart, and no further where one of them waits for the extractor; submissions after them and one by one, so that the last one of the model's order stands.
 */
async function callTools(calls: readonly PendingCall[], stage: Stage, signal: AbortSignal): Promise<void> {
  const named = (name: string) => calls.filter(({ call }) => call.name === name);
  const [extracts, submits] = [named(EXTRACT_STRUCTURED_DOC), named("submit_tool_result")];
  const others = calls.filter((call) => !extracts.includes(call) && !submits.includes(call));
  for (const extract of extracts) {
    await callTool(extract, stage, signal);
    if (openQuestion(stage.state()) !== null) return;
  }
  const settled = await Promise.allSettled(others.map((call) => callTool(call, stage, signal)));
  for (const one of settled) if (one.status === "rejected") throw one.reason;
  for (const submit of submits) await callTool(submit, stage, signal);
}

async function callTool(call: PendingCall, stage: Stage, signal: AbortSignal): Promise<void> {
  stage.append(await stage.ports.callTool(call, stage.state, signal));
}

async function finish(outcome: TrialOutcome, stage: Stage): Promise<void> {
  const candidate = answerOf(stage.state());
  if (outcome.kind !== "answered" || candidate === null) {
    return stage.append({ type: "trial-finished", outcome, prediction: null, signature: null });
  }
  const prediction = await stage.ports.log.writePrediction(candidate.candidate, candidate.conclusion);
  return stage.append({ type: "trial-finished", outcome, prediction, signature: candidate.candidate.signature });
}
