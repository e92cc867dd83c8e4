import type { AnswerDelivered, CandidateSubmitted } from "./event.js";
import type { TrialOutcome, ValidationStatus } from "./outcome.js";
import type { Profile, ValidationMode } from "./profile.js";
import type { TrialState } from "./state.js";
import type { CandidateStanding } from "./validation-state.js";

/**
 * The answer that a trial would end with now: the standing candidate, else the last one that only its form spoke against, else what an agent of
 * its own handed over.
 */
export function answerOf(state: TrialState): CandidateSubmitted | AnswerDelivered | null {
  return state.candidate ?? state.validation.kept?.candidate ?? state.delivered;
}

/** What the validators made of `answerOf(state)`, for the outcome. A check that a limit cut off counts as skipped. */
export function validationOf(
  state: TrialState,
  profile: Profile,
): Extract<TrialOutcome, { kind: "answered" }>["validation"] {
  const { process, answer, kept } = state.validation;
  const of = state.candidate !== null || kept === null ? process.candidate : kept.process;
  return {
    process: status(profile.process_validation.mode, of),
    answer: status(profile.answer_validation.mode, state.candidate === null ? "exhausted" : answer.candidate),
  };
}

function status(mode: ValidationMode, standing: CandidateStanding): ValidationStatus {
  if (mode === "off") return "off";
  if (mode === "observe") return "observe";
  return standing === null || standing === "rejected" ? "skipped" : standing;
}
