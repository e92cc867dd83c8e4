import type { SubGoal } from "./plan-state.js";
import type { OutputVerdict } from "./verification.js";

/** Events of the plan strategy. What the roles were asked and said stands in `model-responded`, as for every model. */

export const PAUSE_POINTS = ["after-plan", "before-finalize"] as const;
/** Where a person may be asked. */
export type PausePoint = (typeof PAUSE_POINTS)[number];

export const DEGRADE_REASONS = [
  /** `max_rounds` are used up. */
  "rounds-spent",
  /** `max_replans` are used up and the last verdict is no pass. */
  "replans-spent",
  /** The judge gave no verdict that can be read. */
  "no-verdict",
  /** A new plan was needed and the planner gave none. */
  "no-plan",
  /** The check of the whole answer failed and no new plan could follow. */
  "whole-answer",
  /** `max_steps` are used up: the outer guard. */
  "steps-spent",
] as const;
/** Why an answer counts as not fully verified. */
export type DegradeReason = (typeof DEGRADE_REASONS)[number];

/** A plan stands; the one before it, where there was one, is gone. */
export interface PlanSet {
  readonly type: "plan-set";
  readonly plan: readonly SubGoal[];
  /** Content words of its goals: plans with much the same ones are the same plan. */
  readonly fingerprint: readonly string[];
  /** It still is a dead end's plan after the planner was asked again. */
  readonly collides: boolean;
  /** Vague words that its acceptance criteria still have after the planner was asked again. */
  readonly vague: readonly string[];
}

export const REFUSALS = ["unusable", "vague-accept", "dead-end"] as const;
/** `unusable`: no JSON of the asked shape; `vague-accept`: a criterion that nobody can check; `dead-end`: a plan that failed before. */
export type Refusal = (typeof REFUSALS)[number];

/** A planner's or verifier's reply is sent back, once for each reason. */
export interface ReplyRefused {
  readonly type: "reply-refused";
  readonly purpose: "planner" | "verifier";
  readonly reason: Refusal;
  /** The user message that asks again. */
  readonly message: string;
}

/** An executor begins on a sub-goal, in a conversation of its own. */
export interface ExecutionStarted {
  readonly type: "execution-started";
  readonly sub_goal: string;
  /** From 1: the round that its verdict will end. */
  readonly round: number;
  /** Tokens of earlier outputs and evidence: what the prompt shows, and what their full texts would be. */
  readonly shown_tokens: number;
  readonly full_tokens: number;
}

/** An executor's last word on a sub-goal, or that of an earlier one taken over. */
export interface OutputRecorded {
  readonly type: "output-recorded";
  readonly sub_goal: string;
  readonly text: string;
  /** The finished sub-goal whose goal is so close that its output serves, without a model call; null: the executor wrote it. */
  readonly reused_from: string | null;
}

/** One verification that came to an end. */
export interface StepVerified {
  readonly type: "step-verified";
  /** Null: the whole answer, against the question. */
  readonly sub_goal: string | null;
  /** Of the executor turn that is judged, from 1; of the last one for the whole answer. */
  readonly round: number;
  /** Null: none could be had, and `error` says why. */
  readonly verdict: OutputVerdict | null;
  readonly error: string | null;
}

export const ROUTES = ["next", "retry", "replan", "finalize", "submit"] as const;
/** `finalize`: to the check of the whole answer, or where degraded right to the submission; `submit`: after that check. */
export type Route = (typeof ROUTES)[number];

/** What follows from a verdict. */
export interface RouteTaken {
  readonly type: "route-taken";
  readonly to: Route;
  /** Null: nothing speaks against the answer yet. */
  readonly degraded: DegradeReason | null;
}

/** Old outputs were folded into one short text, which later prompts show in their place. */
export interface OutputsCompressed {
  readonly type: "outputs-compressed";
  readonly sub_goals: readonly string[];
  /** Marked as compressed wherever it is shown. */
  readonly text: string;
  readonly tokens_before: number;
  readonly tokens_after: number;
}

/** What a person says to a paused trial. A person's rejection counts as a failure of the whole plan. */
export type Decision =
  | { readonly kind: "approve" }
  | { readonly kind: "reject"; readonly why: string }
  | { readonly kind: "edit-plan"; readonly plan: readonly SubGoal[]; readonly fingerprint: readonly string[] };

/** A decision before the trial has given ids to a plan that is part of it. */
export type PersonSays =
  | Exclude<Decision, { kind: "edit-plan" }>
  | { readonly kind: "edit-plan"; readonly sub_goals: readonly Omit<SubGoal, "id">[] };

export interface PersonDecided {
  readonly type: "person-decided";
  readonly pause: PausePoint;
  readonly decision: Decision;
}

export type PlanEvent =
  | PlanSet
  | ReplyRefused
  | ExecutionStarted
  | OutputRecorded
  | StepVerified
  | RouteTaken
  | OutputsCompressed
  | PersonDecided;

const PLAN_EVENTS: Readonly<Record<PlanEvent["type"], true>> = {
  "plan-set": true,
  "reply-refused": true,
  "execution-started": true,
  "output-recorded": true,
  "step-verified": true,
  "route-taken": true,
  "outputs-compressed": true,
  "person-decided": true,
};

/** Whether an event is of the plan strategy alone. */
export function isPlanEvent<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { readonly type: PlanEvent["type"] }> {
  return Object.hasOwn(PLAN_EVENTS, event.type);
}
