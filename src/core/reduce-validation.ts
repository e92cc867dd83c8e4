import { IllegalTransition } from "./errors.js";
import type { ModelFailed, ModelResponded, ToolReturned } from "./event.js";
import type {
  AnswerValidated,
  CandidateCleared,
  ProcessValidated,
  SkipReason,
  ValidationSkipped,
} from "./event-validation.js";
import { readsASource } from "./evidence.js";
import type { TrialState } from "./state.js";
import { countRequest, countResponse } from "./totals.js";
import type {
  CandidateStanding,
  EndedCheck,
  ProcessState,
  ValidationState,
  ValidatorReply,
} from "./validation-state.js";

/** The part of `reduce` that is about checks. A validator's calls touch neither the agent's conversation nor its steps. */

/** A new candidate: nothing is known of it yet. */
export function candidateStands(validation: ValidationState): ValidationState {
  return { ...withoutCandidate(validation), outstanding: null };
}

/** A new turn of the agent: what was found out about an earlier candidate is past. */
export function agentTurnBegins(validation: ValidationState): ValidationState {
  return { ...validation, facts: [], replies: [] };
}

/** A successful call that reads data or a document meets what the last rejection demands before a submission. */
export function sourceWasRead(validation: ValidationState, event: ToolReturned): ValidationState {
  const read = event.ok && readsASource(event.tool, event.args);
  return read ? { ...validation, outstanding: null } : validation;
}

export function afterValidatorResponse(state: TrialState, event: ModelResponded): TrialState {
  const { response } = event;
  return { ...withReply(state, { ok: true, response }), totals: countResponse(state.totals, event) };
}

/** A validator that cannot be reached is the policy's business; a replay that diverged ends the trial whoever was asked. */
export function afterValidatorFailure(state: TrialState, event: ModelFailed): TrialState {
  const { failure, final, ms } = event;
  const next = final ? withReply(state, { ok: false, failure }) : state;
  return {
    ...next,
    failure: failure.class === "replay-diverged" ? failure : state.failure,
    totals: countRequest(state.totals, failure.class, ms),
  };
}

export function afterProcessValidated(state: TrialState, event: ProcessValidated): TrialState {
  requireSettled(state, event.type);
  if ((event.trigger === "candidate") !== (event.candidate !== null)) {
    throw new IllegalTransition(`process-validated (${event.trigger}) with the candidate ${event.candidate}`);
  }
  const { process } = requireUnchecked(state, "process", event);
  const acts = event.mode === "enforce";
  const rejected = acts && event.verdict === "rejected";
  const next: ProcessState = {
    rejections: process.rejections + (rejected ? 1 : 0),
    last_validated_step: state.step,
    passed: process.passed || (acts && event.verdict === "passed"),
    ledger: event.ledger,
    candidate: event.candidate === null ? null : standing(event),
  };
  const { issues, required_next_actions } = event;
  return ended(withMessage(state, event), event, {
    process: next,
    outstanding: rejected ? { issues, required_next_actions } : state.validation.outstanding,
  });
}

export function afterAnswerValidated(state: TrialState, event: AnswerValidated): TrialState {
  requireSettled(state, event.type);
  const { answer, process, kept } = requireUnchecked(state, "answer", event);
  const rejected = event.mode === "enforce" && event.verdict === "rejected";
  return ended(withMessage(state, event), event, {
    answer: {
      rejections: answer.rejections + (rejected ? 1 : 0),
      history: [...answer.history, event],
      candidate: standing(event),
    },
    kept: rejected && state.candidate !== null ? { candidate: state.candidate, process: process.candidate } : kept,
  });
}

export function afterSkip(state: TrialState, event: ValidationSkipped): TrialState {
  requireSettled(state, event.type);
  const validation = requireUnchecked(state, event.validator, event);
  const candidate = event.candidate === null ? null : SKIPPED_STANDING[event.reason];
  return ended(
    state,
    event,
    event.validator === "process"
      ? { process: { ...validation.process, last_validated_step: state.step, candidate } }
      : { answer: { ...validation.answer, candidate } },
  );
}

const SKIPPED_STANDING: Readonly<Record<SkipReason, CandidateStanding>> = {
  "retry-limit": "exhausted",
  "forced-answer": "skipped",
  "passed-before": "passed",
  "limit-reached": "skipped",
};

export function afterClearing(state: TrialState, event: CandidateCleared): TrialState {
  const { validation, candidate } = state;
  if (candidate?.candidate.file !== event.candidate || validation[event.by].candidate !== "rejected") {
    throw new IllegalTransition(`candidate-cleared of ${event.candidate}, which was not rejected`);
  }
  return { ...state, candidate: null, validation: withoutCandidate(validation) };
}

function withoutCandidate(validation: ValidationState): ValidationState {
  const { process, answer } = validation;
  return {
    ...validation,
    process: { ...process, candidate: null },
    answer: { ...answer, candidate: null },
    facts: [],
    replies: [],
  };
}

function standing({ mode, verdict }: ProcessValidated | AnswerValidated): CandidateStanding {
  return mode === "observe" ? "observe" : verdict;
}

function withReply(state: TrialState, reply: ValidatorReply): TrialState {
  requireSettled(state, "a validator's answer");
  const { validation } = state;
  return { ...state, validation: { ...validation, replies: [...validation.replies, reply] } };
}

/** A verdict that is acted upon comes to the agent as one user message; its conversation only ever grows at the end. */
function withMessage(state: TrialState, { message }: ProcessValidated | AnswerValidated): TrialState {
  if (message === null) return state;
  return { ...state, history: [...state.history, { role: "user", content: message }] };
}

function ended(
  state: TrialState,
  event: ProcessValidated | AnswerValidated | ValidationSkipped,
  change: Partial<ValidationState>,
): TrialState {
  const signature = state.candidate?.candidate.signature ?? "";
  const check: EndedCheck = {
    seq: state.events,
    validator:
      event.type === "validation-skipped" ? event.validator : event.type === "process-validated" ? "process" : "answer",
    trigger: event.type === "answer-validated" ? "candidate" : event.trigger,
    mode: event.mode,
    verdict: event.type === "validation-skipped" ? event.reason : event.verdict,
    by: event.type === "validation-skipped" ? null : event.by,
    step: state.step,
    candidate: event.candidate === null ? null : { file: event.candidate, signature },
    findings: event.findings.map(({ rule, level }) => ({ rule, level })),
    inconsistent: event.type === "process-validated" && event.inconsistent,
  };
  const { validation } = state;
  return { ...state, validation: { ...validation, ...change, replies: [], ended: [...validation.ended, check] } };
}

function requireSettled(state: TrialState, what: string): void {
  if (state.turn.kind !== "ask") throw new IllegalTransition(`${what} while the agent's turn is open`);
}

/** A check is of the candidate that stands, once. */
function requireUnchecked(
  state: TrialState,
  validator: "process" | "answer",
  event: ProcessValidated | AnswerValidated | ValidationSkipped,
): ValidationState {
  const stands = state.candidate?.candidate.file ?? null;
  if (event.candidate !== stands || state.validation[validator].candidate !== null) {
    throw new IllegalTransition(`${event.type} of ${event.candidate} where ${stands} stands or was checked already`);
  }
  return state.validation;
}
