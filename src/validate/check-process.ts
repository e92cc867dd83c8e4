import { digestOf } from "../core/digest.js";
import type { Effect } from "../core/effect.js";
import type { TrialStarted } from "../core/event.js";
import type { ProcessValidated, SkipReason, Trigger } from "../core/event-validation.js";
import type { EvidencePacket } from "../core/evidence.js";
import type { Finding } from "../core/finding.js";
import { spentLimit } from "../core/limits.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { hear } from "./ask-model.js";
import { evidenceMessage, mendingAction, uncheckableIssue } from "./feedback.js";
import type { MechanicalCheck } from "./mechanical/check.js";
import { checkInput } from "./mechanical/check-input.js";
import { MECHANICAL_CHECKS } from "./mechanical/checks.js";
import { imageWithoutReceipt } from "./mechanical/image-without-receipt.js";
import { type ChecksOutcome, runChecks } from "./mechanical/run-checks.js";
import { evidencePacket } from "./packet.js";
import { parseProcessReply } from "./process-reply.js";
import { processRequest } from "./process-request.js";

/** A check that is due, and what it is made from. */
interface Due {
  readonly state: TrialState;
  readonly started: TrialStarted;
  readonly profile: Profile;
  readonly mode: "observe" | "enforce";
  readonly trigger: Trigger;
  readonly packet: EvidencePacket;
}

/** The next step of the audit of the evidence; null where none is due (spec: process validation, "When"). */
export function checkProcess(state: TrialState, started: TrialStarted, profile: Profile): Effect | null {
  const { mode } = profile.process_validation;
  const trigger = mode === "off" ? null : dueTrigger(state, profile);
  if (mode === "off" || trigger === null) return null;
  const packet = evidencePacket(state.trajectory, profile.process_validation);
  const due: Due = { state, started, profile, mode, trigger, packet };
  if (spentLimit(state, profile) !== null) return skip(due, "limit-reached", []);
  const checks = mechanical(due);
  if (!checks.done) return checks.effect;
  return rejectByCode(due, checks.findings) ?? skipOrAsk(due, checks.findings);
}

/**
 * A candidate is checked once, as a candidate also where its step is the interval's. On the way a check is due after a tool step, so
 * many steps after the last one; not when it has passed, nor where only the forced last turn is left.
 */
function dueTrigger(state: TrialState, profile: Profile): Trigger | null {
  const { process_validation: config, agent } = profile;
  const { process } = state.validation;
  if (state.candidate !== null) return process.candidate === null ? "candidate" : null;
  const lastStep = state.trajectory.at(-1);
  const afterTools = lastStep !== undefined && lastStep.returns.length > 0;
  const isTime = state.step - process.last_validated_step >= config.checkpoint_interval;
  const mayGoOn = state.forced_at === null && state.step < agent.max_steps && spentLimit(state, profile) === null;
  return !process.passed && afterTools && isTime && mayGoOn ? "periodic" : null;
}

/** The checks by code: of every candidate, also after a pass. */
function mechanical({ state, started, profile, packet }: Due): ChecksOutcome {
  const { candidate, trajectory, validation } = state;
  if (candidate === null || profile.process_validation.mechanical === "off") return { done: true, findings: [] };
  return runChecks(
    checksOf(profile),
    checkInput(started, candidate, { trajectory, packet }, validation.facts),
    "process",
  );
}

function checksOf({ process_validation }: Profile): readonly MechanicalCheck[] {
  return process_validation.strict_visual ? [...MECHANICAL_CHECKS, imageWithoutReceipt] : MECHANICAL_CHECKS;
}

/** A red finding rejects without a model, where checks act, rejections are left and the answer is not the forced last one. */
function rejectByCode(due: Due, findings: readonly Finding[]): Effect | null {
  const { mode, profile, state } = due;
  const acts = mode === "enforce" && profile.process_validation.mechanical === "enforce";
  const red = findings.filter(({ level }) => level === "red");
  if (!acts || red.length === 0 || state.forced_at !== null || isExhausted(due)) return null;
  return verdict(due, findings, {
    by: "code",
    verdict: "rejected",
    issues: red.map(({ rule, detail, evidence }) => [`${rule}: ${detail}`, ...evidence].join(" ")),
    required_next_actions: [mendingAction(due.started.language)],
  });
}

function skipOrAsk(due: Due, findings: readonly Finding[]): Effect {
  const { state, started, profile, packet, mode } = due;
  const { process, replies } = state.validation;
  if (state.forced_at !== null) return skip(due, "forced-answer", findings);
  if (mode === "enforce" && process.passed) return skip(due, "passed-before", findings);
  if (mode === "enforce" && isExhausted(due)) return skip(due, "retry-limit", findings);
  const { on_error } = profile.process_validation;
  const heard = hear(
    replies,
    on_error,
    (content) => parseProcessReply(content, process.ledger, started.language),
    () => processRequest(state, started, profile, packet, findings),
  );
  switch (heard.kind) {
    case "ask":
      return heard.effect;
    case "heard": {
      const { valid, inconsistent, ledger, issues, required_next_actions } = heard.reply;
      const passed = valid && !inconsistent;
      return verdict(due, findings, {
        by: "model",
        verdict: passed ? "passed" : "rejected",
        issues,
        required_next_actions,
        inconsistent,
        ledger,
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

/** As many rejections as the profile re-checks are spent; with `retry_limit` 0 there is no check by a model at all. */
function isExhausted({ state, profile }: Due): boolean {
  const { retry_limit } = profile.process_validation;
  return retry_limit === 0 || state.validation.process.rejections > retry_limit;
}

function verdict(
  { state, started, profile, mode, trigger, packet }: Due,
  findings: readonly Finding[],
  given: Pick<ProcessValidated, "by" | "verdict" | "issues"> & Partial<ProcessValidated>,
): Effect {
  const { validation, candidate } = state;
  const demands = { issues: given.issues, required_next_actions: given.required_next_actions ?? [] };
  const acts = mode === "enforce" && given.verdict === "rejected";
  return {
    kind: "record",
    event: {
      type: "process-validated",
      trigger,
      step: state.step,
      mode,
      by: given.by,
      verdict: given.verdict,
      ...demands,
      findings,
      inconsistent: given.inconsistent ?? false,
      validator_error: given.validator_error ?? null,
      ledger: given.ledger ?? validation.process.ledger,
      packet_digest: digestOf(packet),
      ...(profile.process_validation.log_packets ? { packet } : {}),
      candidate: candidate?.candidate.file ?? null,
      message: acts ? evidenceMessage(started.language, demands, candidate !== null) : null,
    },
  };
}

function skip({ state, mode, trigger }: Due, reason: SkipReason, findings: readonly Finding[]): Effect {
  const candidate = state.candidate?.candidate.file ?? null;
  return {
    kind: "record",
    event: {
      type: "validation-skipped",
      validator: "process",
      trigger,
      mode,
      reason,
      step: state.step,
      findings,
      candidate,
    },
  };
}
