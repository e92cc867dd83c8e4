import type { DegradeReason, PausePoint, ReplyRefused } from "./event-plan.js";
import type { EndedVerification } from "./plan-record.js";
import type { ValidatorReply } from "./validation-state.js";
import type { OutputVerdict } from "./verification.js";

/** One part of a plan. */
export interface SubGoal {
  /** `s1`, `s2`, …: given by code, counted over all plans of the trial, so that an output's key never comes twice. */
  readonly id: string;
  readonly goal: string;
  /** What a third party can check. */
  readonly accept: string;
  /** A tool that may serve; null: none is named. */
  readonly tool_hint: string | null;
}

/** What an executor wrote for one sub-goal. */
export interface PlanOutput {
  readonly goal: string;
  /** The newest try's text; whole, whatever `compressed` says. */
  readonly text: string;
  /** Verified, or taken over from one that was. */
  readonly passed: boolean;
  /** The sub-goal whose output this is, where no model was asked. */
  readonly reused_from: string | null;
  /** What later prompts show in its place, and of which outputs that is the digest; null: the text itself. */
  readonly compressed: CompressedOutputs | null;
}

export interface CompressedOutputs {
  readonly sub_goals: readonly string[];
  readonly text: string;
}

/** An observation that an output can cite. */
export interface PlanEvidence {
  /** `E1`, `E2`, …: unique and ascending over the whole trial; a call that failed leaves a gap. */
  readonly id: string;
  /** Its id in an evidence packet, `step_<n>:call_<tool_call_id>`: the full text stands at that call in the trajectory. */
  readonly call: string;
  readonly tool: string;
  /** At most 400 characters. */
  readonly digest: string;
  /** The tool found nothing: the digest then says so, and can be cited for it. */
  readonly empty: boolean;
}

export interface FailReason {
  /** Null: of the whole answer, or a person's. */
  readonly sub_goal: string | null;
  readonly reason: string;
}

/** The last verdict. */
export interface PlanVerdict {
  /** Null: of the whole answer. */
  readonly sub_goal: string | null;
  /** Null: the judge gave none, or none that can be read. */
  readonly verdict: OutputVerdict | null;
}

/** The state of the plan strategy (seed 3, the state table). Empty in a trial of another strategy. */
export interface PlanState {
  /** The question; never changes. */
  readonly task: string | null;
  /** Two to six sub-goals; replaced whole. */
  readonly plan: readonly SubGoal[];
  /** Position of the current sub-goal: +1 by a pass, 0 at a new plan. */
  readonly cursor: number;
  /** By sub-goal id; no key ever goes, also not at a replan. */
  readonly outputs: Readonly<Record<string, PlanOutput>>;
  /** Only grows. */
  readonly evidence: readonly PlanEvidence[];
  /** Without repetitions, oldest first; only grows. */
  readonly fail_reasons: readonly FailReason[];
  /** Content words of each plan that failed as a whole; added then, never when a plan is set nor for a local failure. */
  readonly dead_ends: readonly (readonly string[])[];
  /** A round is one executor turn and its verdict. Only grows. */
  readonly rounds: number;
  /** New plans after one that failed as a whole. Only grows. */
  readonly replans: number;
  /** The last one only. */
  readonly verdict: PlanVerdict | null;
}

/**
 * Where the strategy stands: `planning` a plan is asked for; `ready` the current sub-goal is to begin; `executing`; `verifying` its output
 * is to be judged; `routing` a verdict is to be acted upon; `checking` the whole answer is to be judged; `submitting` it is handed in.
 */
export type PlanStage = "planning" | "ready" | "executing" | "verifying" | "routing" | "checking" | "submitting";

/** What the strategy needs beside the table to go on. */
export interface PlanWork {
  readonly stage: PlanStage;
  /** Content words of the plan that stands. */
  readonly fingerprint: readonly string[];
  /** Sub-goal ids that were given so far. */
  readonly sub_goal_ids: number;
  /** Evidence ids that were given so far, those of failed calls included. */
  readonly evidence_ids: number;
  /** Evidence that there was when the current execution began: its prompt shows that much, however much it gathers. */
  readonly evidence_before: number;
  /** What the planner, verifier or condenser that is being asked has said; empty between. */
  readonly replies: readonly ValidatorReply[];
  /** Replies that were sent back since it is being asked. */
  readonly refusals: readonly ReplyRefused[];
  /** Executions of the current sub-goal that were begun. */
  readonly executions: number;
  /** Tool calls of the current execution. */
  readonly tool_calls: number;
  /** INSUFFICIENT in a row for the current sub-goal. */
  readonly insufficient: number;
  /** Failed checks of the whole answer. */
  readonly whole_failures: number;
  /** Responses of the finalizer. */
  readonly finalizer_calls: number;
  /** Pauses that a person has let pass, at the place where the trial stands. */
  readonly cleared: readonly PausePoint[];
  /** Where the trial waits for a person; null: it does not. */
  readonly paused: PausePoint | null;
  /** Why the answer is not fully verified; null while nothing speaks against it. */
  readonly degraded: DegradeReason | null;
  readonly slimming: Slimming;
  /** Every verification that came to an end, oldest first. */
  readonly ended: readonly EndedVerification[];
}

/** What digests and folding spare, over the executor's requests so far: tokens by our own count (o200k_base). */
export interface Slimming {
  /** Of the current execution: what its prompts show of earlier outputs and evidence, and what the full texts would be. */
  readonly now: { readonly shown: number; readonly full: number };
  readonly requests: number;
  readonly shown_tokens: number;
  readonly full_tokens: number;
}

export const NO_PLAN: PlanState = {
  task: null,
  plan: [],
  cursor: 0,
  outputs: {},
  evidence: [],
  fail_reasons: [],
  dead_ends: [],
  rounds: 0,
  replans: 0,
  verdict: null,
};

export const NO_PLAN_WORK: PlanWork = {
  stage: "planning",
  fingerprint: [],
  sub_goal_ids: 0,
  evidence_ids: 0,
  evidence_before: 0,
  replies: [],
  refusals: [],
  executions: 0,
  tool_calls: 0,
  insufficient: 0,
  whole_failures: 0,
  finalizer_calls: 0,
  cleared: [],
  paused: null,
  degraded: null,
  slimming: { now: { shown: 0, full: 0 }, requests: 0, shown_tokens: 0, full_tokens: 0 },
  ended: [],
};
