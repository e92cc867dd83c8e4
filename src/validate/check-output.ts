import type { Effect } from "../core/effect.js";
import type { TrialStarted } from "../core/event.js";
import { spentLimit } from "../core/limits.js";
import type { ModelRequest } from "../core/message.js";
import { assembledOutputs, fullEvidence } from "../core/plan-outputs.js";
import type { Profile } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import type { OutputVerdict } from "../core/verification.js";
import { unreadableVerdictMessage } from "./feedback.js";
import type { CitedEvidence } from "./verification/evidence-layer.js";
import { type VerifiedOutput, verifyOutput } from "./verification/verify-output.js";

/**
 * The next step of the verification of a plan's output, or of its whole answer; null where none is due. The judge is shown the task, the
 * sub-goal and the output, and asked once more where its reply cannot be read; no verdict is never a pass.
 */
export function checkOutput(state: TrialState, started: TrialStarted, profile: Profile): Effect | null {
  const output = dueOutput(state);
  if (output === null) return null;
  const { replies, refusals } = state.plan_work;
  const last = replies.at(-1);
  if (last?.ok === false) return verified(state, null, `${last.failure.class}: ${last.failure.message}`);
  const answer = last === undefined || replies.length === refusals.length ? null : last.response;
  const next = verifyOutput(output, { profile, language: started.language, seed: started.seed }, answer);
  switch (next.kind) {
    case "verdict":
      return verified(state, acted(next.verdict, state), null);
    case "malformed":
      return refusals.length > 0
        ? verified(state, null, next.error)
        : {
            kind: "record",
            event: {
              type: "reply-refused",
              purpose: "verifier",
              reason: "unusable",
              message: unreadableVerdictMessage(started.language, next.error),
            },
          };
    case "ask":
      // Where a limit is reached, the strategy says so, and the trial ends without this verdict.
      return spentLimit(state, profile) === null ? { kind: "call-model", request: again(next.request, state) } : null;
  }
}

function dueOutput({ plan: state, plan_work, trajectory }: TrialState): VerifiedOutput | null {
  const { plan, cursor, outputs, evidence, task } = state;
  const current = plan[cursor];
  if (plan_work.stage === "checking" && task !== null) {
    const expects = { parts: [], citations: false, lines: [] };
    // Its parts have passed the layers of code, each with its own evidence.
    return { task, sub_goal: null, accept: null, output: assembledOutputs(state), expects, evidence: null };
  }
  if (plan_work.stage !== "verifying" || task === null || current === undefined) return null;
  const { id, goal, accept } = current;
  const cited = evidence.flatMap((entry): CitedEvidence[] => {
    const full = fullEvidence(trajectory, entry);
    return full === null ? [] : [{ id: full.id, text: textOf(full) }];
  });
  const expects = { parts: [], citations: true, lines: [] };
  return { task, sub_goal: goal, accept, output: outputs[id]?.text ?? "", expects, evidence: cited };
}

/** What was asked and what came back, as one JSON text: values of a filter count as seen. */
function textOf({ args, content }: { readonly args: unknown; readonly content: string }): string {
  return JSON.stringify([args, jsonOrText(content)]);
}

function jsonOrText(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** The scope that is acted upon: data missing twice in a row, or a whole answer that fails, is the plan's fault. */
function acted(verdict: OutputVerdict, { plan_work }: TrialState): OutputVerdict {
  if (verdict.passed) return verdict;
  const isWhole = plan_work.stage === "checking";
  const isMissing = verdict.findings.some(({ rule }) => rule === "insufficient");
  return isWhole || (isMissing && plan_work.insufficient > 0) ? { ...verdict, scope: "global" } : verdict;
}

function verified({ plan, plan_work }: TrialState, verdict: OutputVerdict | null, error: string | null): Effect {
  const whole = plan_work.stage === "checking";
  const sub_goal = whole ? null : (plan.plan[plan.cursor]?.id ?? null);
  const round = plan.rounds + (whole ? 0 : 1);
  return { kind: "record", event: { type: "step-verified", sub_goal, round, verdict, error } };
}

/** The request, with what was wrong with the last reply at its end. */
function again(request: ModelRequest, { plan_work: { refusals } }: TrialState): ModelRequest {
  const messages = refusals.map(({ message }) => ({ role: "user", content: message }) as const);
  return { ...request, messages: [...request.messages, ...messages] };
}
