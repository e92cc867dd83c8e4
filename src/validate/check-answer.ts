import type { Effect } from "../core/effect.js";
import type { CandidateSubmitted, TrialStarted } from "../core/event.js";
import type { AnswerValidated, SkipReason } from "../core/event-validation.js";
import type { Finding } from "../core/finding.js";
import { spentLimit } from "../core/limits.js";
import { answerCheckMode, type Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { answerRequest } from "./answer-request.js";
import { hear } from "./ask-model.js";
import { claimsCheck } from "./claim-findings.js";
import { claimsMessage, formMessage, uncheckableIssue } from "./feedback.js";
import { FORM_CHECKS } from "./form-rules.js";
import type { CheckInput } from "./mechanical/check.js";
import { checkInput } from "./mechanical/check-input.js";
import { type ChecksOutcome, runChecks } from "./mechanical/run-checks.js";
import { evidencePacket } from "./packet.js";
import { parseReply } from "./reply-json.js";

interface Due {
  readonly state: TrialState;
  readonly started: TrialStarted;
  readonly profile: Profile;
  readonly candidate: CandidateSubmitted;
  readonly mode: "observe" | "enforce";
  /** What the claim checks found; beside the form, and never shown to its validator. */
  readonly claims: readonly Finding[];
}

/**
 * The next step of the check of an answer, after its evidence: of its conclusion's claims first, of its form after that; null where
 * none is due.
 */
export function checkAnswer(state: TrialState, started: TrialStarted, profile: Profile): Effect | null {
  const mode = answerCheckMode(profile);
  const { candidate, validation } = state;
  if (mode === "off" || candidate === null || validation.answer.candidate !== null) return null;
  const spent = spentLimit(state, profile) !== null;
  const claims =
    spent || profile.claims.mode === "off" ? NOTHING_CLAIMED : checkClaims(state, started, candidate, profile);
  if (!claims.done) return claims.effect;
  const due: Due = { state, started, profile, candidate, mode, claims: claims.findings };
  if (state.forced_at !== null) return skip(due, "forced-answer");
  if (spent) return skip(due, "limit-reached");
  return rejectByClaims(due) ?? checkForm(due);
}

const NOTHING_CLAIMED: ChecksOutcome = { done: true, findings: [] };

function checkClaims(
  state: TrialState,
  started: TrialStarted,
  candidate: CandidateSubmitted,
  profile: Profile,
): ChecksOutcome {
  return runChecks([claimsCheck(started.claim_checks)], inputOf(state, started, candidate, profile), "answer");
}

/** A red claim goes back once in a trial; what is still red after that is recorded and no more. */
function rejectByClaims(due: Due): Effect | null {
  const { profile, state, started, claims } = due;
  const red = claims.filter(({ level }) => level === "red");
  if (profile.claims.mode !== "enforce" || red.length === 0 || claimRejections(state) > 0) return null;
  const issues = red.map(({ detail }) => detail);
  const message = claimsMessage(started.language, issues);
  return verdict({ ...due, mode: "enforce" }, [], { by: "claims", verdict: "rejected", issues, message });
}

const claimRejections = ({ validation }: TrialState): number =>
  validation.answer.history.filter(({ by, verdict }) => by === "claims" && verdict === "rejected").length;

function checkForm(due: Due): Effect {
  const { profile, state } = due;
  const { mode, retry_limit } = profile.answer_validation;
  if (mode === "off") return verdict(due, [], { by: "claims", verdict: "passed", issues: [] });
  if (mode === "enforce" && state.validation.answer.rejections - claimRejections(state) >= retry_limit) {
    return skip(due, "retry-limit");
  }
  const checks = formChecks(due);
  if (!checks.done) return checks.effect;
  return rejectByCode(due, checks.findings) ?? ask(due, checks.findings);
}

function formChecks({ state, started, profile, candidate }: Due): ChecksOutcome {
  return runChecks(FORM_CHECKS, inputOf(state, started, candidate, profile), "answer");
}

function inputOf(
  { trajectory, validation }: TrialState,
  started: TrialStarted,
  candidate: CandidateSubmitted,
  profile: Profile,
): CheckInput {
  const packet = evidencePacket(trajectory, profile.process_validation);
  return checkInput(started, candidate, { trajectory, packet }, validation.facts);
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
  { state, started, candidate, mode, claims }: Due,
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
      findings: [...claims, ...findings],
      validator_error: given.validator_error ?? null,
      candidate: candidate.candidate.file,
      message: acts ? (given.message ?? formMessage(started.language, demands)) : null,
    },
  };
}

function skip({ state, candidate, mode, claims }: Due, reason: SkipReason): Effect {
  return {
    kind: "record",
    event: {
      type: "validation-skipped",
      validator: "answer",
      trigger: "candidate",
      mode,
      reason,
      step: state.step,
      findings: claims,
      candidate: candidate.candidate.file,
    },
  };
}
