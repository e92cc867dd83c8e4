import type { Effect } from "../core/effect.js";
import type { CandidateSubmitted, TrialStarted } from "../core/event.js";
import type { AnswerValidated, SkipReason } from "../core/event-validation.js";
import type { Finding } from "../core/finding.js";
import { spentLimit } from "../core/limits.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { answerRequest } from "./answer-request.js";
import { hear } from "./ask-model.js";
import { formMessage, uncheckableIssue } from "./feedback.js";
import { FORM_CHECKS } from "./form-rules.js";
import { factsOf } from "./mechanical/facts.js";
import { type ChecksOutcome, runChecks } from "./mechanical/run-checks.js";
import { submittedQueries } from "./mechanical/submitted-queries.js";
import { evidencePacket } from "./packet.js";
import { parseReply } from "./reply-json.js";

interface Due {
  readonly state: TrialState;
  readonly started: TrialStarted;
  readonly profile: Profile;
  readonly candidate: CandidateSubmitted;
  readonly mode: "observe" | "enforce";
}

/** The next step of the check of an answer's form, after its evidence; null where none is due. */
export function checkAnswer(state: TrialState, started: TrialStarted, profile: Profile): Effect | null {
  const { mode } = profile.answer_validation;
  const { candidate, validation } = state;
  if (mode === "off" || candidate === null || validation.answer.candidate !== null) return null;
  const due: Due = { state, started, profile, candidate, mode };
  if (state.forced_at !== null) return skip(due, "forced-answer");
  if (spentLimit(state, profile) !== null) return skip(due, "limit-reached");
  if (mode === "enforce" && validation.answer.rejections >= profile.answer_validation.retry_limit) {
    return skip(due, "retry-limit");
  }
  const checks = formChecks(due);
  if (!checks.done) return checks.effect;
  return rejectByCode(due, checks.findings) ?? ask(due, checks.findings);
}

function formChecks({ state, started, profile, candidate }: Due): ChecksOutcome {
  const { trajectory, validation } = state;
  const packet = evidencePacket(trajectory, profile.process_validation);
  const facts = factsOf(validation.facts);
  const queries = submittedQueries(candidate);
  return runChecks(FORM_CHECKS, { started, candidate, queries, trajectory, packet, facts }, "answer");
}

function rejectByCode(due: Due, findings: readonly Finding[]): Effect | null {
  const red = findings.filter(({ level }) => level === "red");
  if (due.mode === "observe" || red.length === 0) return null;
  return verdict(due, findings, { by: "code", verdict: "rejected", issues: red.map(({ detail }) => detail) });
}

function ask(due: Due, findings: readonly Finding[]): Effect {
  const { state, started, profile, candidate } = due;
  const { on_error } = profile.answer_validation;
  const heard = hear(state.validation.replies, on_error, parseReply, () =>
    answerRequest(state, started, candidate.candidate, profile, findings),
  );
  switch (heard.kind) {
    case "ask":
      return heard.effect;
    case "heard": {
      const { valid, issues, required_next_actions } = heard.reply.plain;
      return verdict(due, findings, {
        by: "model",
        verdict: valid ? "passed" : "rejected",
        issues,
        required_next_actions,
      });
    }
    case "failed":
      return verdict(due, findings, {
        by: "model",
        verdict: on_error === "reject" ? "rejected" : "released",
        issues: on_error === "reject" ? [uncheckableIssue(started.language)] : [],
        validator_error: heard.error,
      });
  }
}

function verdict(
  { state, started, candidate, mode }: Due,
  findings: readonly Finding[],
  given: Pick<AnswerValidated, "by" | "verdict" | "issues"> & Partial<AnswerValidated>,
): Effect {
  const demands = { issues: given.issues, required_next_actions: given.required_next_actions ?? [] };
  const acts = mode === "enforce" && given.verdict === "rejected";
  return {
    kind: "record",
    event: {
      type: "answer-validated",
      step: state.step,
      mode,
      by: given.by,
      verdict: given.verdict,
      ...demands,
      findings,
      validator_error: given.validator_error ?? null,
      candidate: candidate.candidate.file,
      message: acts ? formMessage(started.language, demands) : null,
    },
  };
}

function skip({ state, candidate, mode }: Due, reason: SkipReason): Effect {
  return {
    kind: "record",
    event: {
      type: "validation-skipped",
      validator: "answer",
      trigger: "candidate",
      mode,
      reason,
      step: state.step,
      findings: [],
      candidate: candidate.candidate.file,
    },
  };
}
