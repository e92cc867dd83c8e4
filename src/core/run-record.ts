import type { ClaimCheck } from "./claim-check.js";
import type { TrialIdentity } from "./identity.js";
import type { IntegrityFlag } from "./integrity.js";
import type { TrialOutcome } from "./outcome.js";
import type { PlanRecord } from "./plan-record.js";
import type { SandboxFound } from "./ports/sandbox.js";
import type { Profile } from "./profile.js";
import type { Score } from "./score.js";
import type { UsageRow } from "./state.js";
import type { Difficulty, TaskSelection } from "./task.js";
import type { EndedCheck } from "./validation-state.js";

/** Version of everything in run.jsonl and events.jsonl. Older versions are upgraded while reading. */
export const SCHEMA_VERSION = 2;

/**
 * One line of run.jsonl. The newest trial-end of an identity wins, the newest score of (identity, scorer) wins, the newest
 * candidate-score of (identity, candidate) wins.
 */
export type RunRecord = RunStart | RunResume | TrialEnd | ScoreRecord | CandidateScore | RunEnd;

export interface RunStart {
  readonly record: "run-start";
  readonly schema_version: number;
  readonly run_id: string;
  readonly at: string;
  /** Of the run, or of the first arm where there is a matrix. No secrets: keys are named, never held. */
  readonly profile: Profile;
  /** By arm, where the profile has a matrix; empty where it has none. What concerns the run as a whole is the same in all. */
  readonly arm_profiles: Readonly<Record<string, Profile>>;
  readonly profile_digest: string;
  readonly suite: { readonly name: string; readonly path: string };
  /** Those that this run is to do. */
  readonly tasks: readonly PlannedTask[];
  /** Which part of a plan this run is to do, and the whole of that plan; null where it is the whole. */
  readonly shard: { readonly index: number; readonly count: number; readonly tasks: readonly PlannedTask[] } | null;
  /** What took these tasks from the suite; null where a log does not say. */
  readonly selection: TaskSelection | null;
  readonly arms: readonly string[];
  readonly repeats: number;
  readonly seed: number;
  /** Whether `execute_python` is offered: in the run, or in the first arm where there is a matrix. */
  readonly sandbox: SandboxFound;
  /** By arm, where the profile has a matrix; empty where it has none. */
  readonly arm_sandboxes: Readonly<Record<string, SandboxFound>>;
  readonly git: { readonly commit: string; readonly dirty: boolean } | null;
  readonly versions: { readonly daw_eval: string; readonly node: string; readonly platform: string };
  readonly argv: readonly string[];
  /** The run whose answers this one was given again: nothing was asked and nothing paid. Null for a run of its own. */
  readonly replay_of: { readonly run_id: string; readonly folder: string } | null;
  /** What a program brought to the run beside what is built in, a line each; empty for runs of the command line. */
  readonly additions: readonly string[];
  /** Where the trials came from that another tool ran; null for a run of our own. */
  readonly imported: ImportedFrom | null;
  /** What the profile's `claims.checks` said when the run started: those that ask nothing but a task's own data. */
  readonly claim_checks: readonly ClaimCheck[];
}

export interface ImportedFrom {
  /** The tool that ran them, as far as its files tell. */
  readonly tool: string;
  /** One a repeat, in their order. */
  readonly runs: readonly {
    readonly run_id: string;
    /** Absolute path when it was imported. */
    readonly folder: string;
    /** SHA-256 over the folder's files. */
    readonly digest: string;
  }[];
  /** What was amiss with the files and what was made of it, a sentence each. */
  readonly notes: readonly string[];
}

export interface PlannedTask {
  readonly task_id: string;
  readonly difficulty: Difficulty;
  readonly tags: readonly string[];
  /** Digest of task.json and the context's content; null where an imported run does not tell. */
  readonly input_digest: string | null;
  /** Digest of gold and checks; null where there is neither. */
  readonly gold_digest: string | null;
}

export const ANSWER_PATHS = ["recall", "recompute", "unknown"] as const;
export type AnswerPath = (typeof ANSWER_PATHS)[number];

/** Another process took the run up. */
export interface RunResume {
  readonly record: "run-resume";
  readonly at: string;
  /** Differences that `--force` overrode, in words. */
  readonly forced: readonly string[];
  /** Tasks that joined the suite, and with this the run's plan. */
  readonly added: readonly PlannedTask[];
  readonly argv: readonly string[];
}

export interface TrialEnd extends TrialIdentity {
  readonly record: "trial-end";
  readonly at: string;
  /** From 1; a further attempt is made only after an infra-error. */
  readonly attempt: number;
  readonly outcome: TrialOutcome;
  /** Relative to the run folder. */
  readonly prediction: string | null;
  /** Digest of the prediction's column signatures: equal answers have equal digests. */
  readonly signature: string | null;
  /** By purpose and model. */
  readonly usage: readonly UsageRow[];
  readonly cost_usd: number | null;
  /** Model requests, retries included: `ok`, `cached` (answered from the response cache) and each failure class. */
  readonly requests: Readonly<Record<string, number>>;
  /** From the first event to the last, suspensions not counted. */
  readonly wall_ms: number;
  readonly model_ms: number;
  readonly tool_ms: number;
  /** Main-model calls. */
  readonly steps: number;
  /** Calls by tool. */
  readonly tools: Readonly<Record<string, number>>;
  /** Every check that came to an end, oldest first. */
  readonly checks: readonly EndedCheck[];
  /** Only of a trial that had a plan. */
  readonly plan?: PlanRecord;
  /** `recall`: no probe query or Python before the final submission; `unknown`: the agent is not ours, and its steps are its own word. */
  readonly path: AnswerPath;
  /** What the trace shows of seeking where there is nothing to seek, and of being led. */
  readonly integrity: readonly IntegrityFlag[];
}

export interface ScoreRecord extends TrialIdentity, Score {
  readonly record: "score";
  readonly at: string;
  readonly attempt: number;
  readonly scorer: string;
  readonly scorer_version: string;
  /** Digest of the options that the value depends on, and of gold and checks: re-scoring with equal ones appends nothing. */
  readonly basis: string;
}

/**
 * The primary scorer's word on a table that a check judged, whether it became the answer or not: what tells how often validators are
 * right.
 */
export interface CandidateScore extends TrialIdentity, Score {
  readonly record: "candidate-score";
  readonly at: string;
  readonly attempt: number;
  /** File of the candidate in the trial's folder; its name holds the content's digest. */
  readonly candidate: string;
  readonly scorer: string;
  readonly scorer_version: string;
  readonly basis: string;
}

export interface RunEnd {
  readonly record: "run-end";
  readonly at: string;
  readonly status: "completed" | "interrupted" | "failed";
  /** Adds up to tasks × arms × repeats. */
  readonly counts: {
    readonly planned: number;
    readonly valid: number;
    readonly infra_error: number;
    readonly suspended: number;
    readonly not_run: number;
  };
}

/** The plan after a resume: with the tasks that joined it. */
export function withAdded(start: RunStart, { added }: RunResume): RunStart {
  return added.length === 0 ? start : { ...start, tasks: [...start.tasks, ...added] };
}

/** What the trials of an arm run with. */
export function profileOf(start: RunStart, arm: string): Profile {
  return start.arm_profiles[arm] ?? start.profile;
}

/** What the Python of an arm's trials runs in. */
export function sandboxOf(start: RunStart, arm: string): SandboxFound {
  return start.arm_sandboxes[arm] ?? start.sandbox;
}
