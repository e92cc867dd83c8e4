import type { TrialOutcome } from "../../src/core/outcome.js";
import type { Profile, ScoringConfig } from "../../src/core/profile.js";
import type { RunEnd, RunRecord, RunStart, ScoreRecord, TrialEnd } from "../../src/core/run-record.js";
import type { Difficulty } from "../../src/core/task.js";
import { profileWith } from "./profile.js";

/** Whole runs made by hand, as the writer would have written them. */

export const ANSWERED = {
  kind: "answered",
  forced: false,
  degraded: false,
  validation: { process: "off", answer: "off" },
} as const satisfies TrialOutcome;

export const NO_CONNECTION: TrialOutcome = { kind: "infra-error", class: "connection", message: "ECONNREFUSED" };

export interface StartOptions {
  readonly run_id?: string;
  readonly repeats?: number;
  readonly scoring?: Partial<ScoringConfig>;
  readonly gate?: Partial<Profile["gate"]>;
  /** Path of the suite. */
  readonly suite?: string;
  /** Task id → what the plan knows of it. */
  readonly tasks: Readonly<
    Record<
      string,
      { readonly difficulty?: Difficulty; readonly tags?: readonly string[]; readonly gold?: string | null }
    >
  >;
}

export function runStart(options: StartOptions): RunStart {
  const { run_id = "run-1", repeats = 3, suite = "/suites/demo" } = options;
  return bareRunStart({
    run_id,
    profile: { ...profileWith({ scoring: options.scoring ?? {}, gate: options.gate ?? {} }), repeats },
    suite: { name: "demo", path: suite },
    tasks: Object.entries(options.tasks).map(([task_id, { difficulty = "easy", tags = [], gold = "g" }]) => ({
      task_id,
      difficulty,
      tags,
      input_digest: "i",
      gold_digest: gold,
    })),
    repeats,
  });
}

export function trialEnd(task_id: string, k: number, more: Partial<TrialEnd> = {}): TrialEnd {
  const prediction = `trials/main/${task_id}/${k}/${more.attempt ?? 1}/prediction.csv`;
  return bareTrialEnd({ task_id, k, prediction, ...more });
}

export function scoreRecord(task_id: string, k: number, more: Partial<ScoreRecord> = {}): ScoreRecord {
  return bareScoreRecord({ task_id, k, ...more });
}

export const PERFECT: Partial<ScoreRecord> = { status: "perfect", value: 1 };
export const WRONG: Partial<ScoreRecord> = {
  status: "none",
  value: 0,
  details: { matched_columns: 0, gold_columns: 2, predicted_columns: 2, extra_columns: 2 },
};
export const UNSCORED: Partial<ScoreRecord> = { status: "unscored", value: null, reason: "no gold" };

/** A trial and its score: `1` passes, `0` misses, `!` is an infra-error, `?` is unscored, `.` did not run. */
export function trialRecords(task_id: string, k: number, mark: string): RunRecord[] {
  switch (mark) {
    case "1":
      return [trialEnd(task_id, k, { signature: "right" }), scoreRecord(task_id, k, PERFECT)];
    case "0":
      return [trialEnd(task_id, k, { signature: `wrong ${k}` }), scoreRecord(task_id, k, WRONG)];
    case "?":
      return [trialEnd(task_id, k), scoreRecord(task_id, k, UNSCORED)];
    case "!":
      return [
        trialEnd(task_id, k, {
          outcome: NO_CONNECTION,
          prediction: null,
          signature: null,
          requests: { connection: 3 },
          steps: 0,
        }),
      ];
    case ".":
      return [];
    default:
      throw new Error(`no trial is written "${mark}"`);
  }
}

export function runEnd(status: RunEnd["status"] = "completed"): RunEnd {
  return bareRunEnd({ status });
}

/** A whole run from marks: `{ task_1: "111", task_2: "10!" }`. */
export function runOf(marks: Readonly<Record<string, string>>, options: Partial<StartOptions> = {}): RunRecord[] {
  const planned = Object.fromEntries(Object.keys(marks).map((task_id) => [task_id, {}]));
  const repeats = Math.max(...Object.values(marks).map((one) => one.length));
  return [
    runStart({ repeats, ...options, tasks: { ...planned, ...options.tasks } }),
    ...Object.entries(marks).flatMap(([task_id, one]) =>
      [...one].flatMap((mark, index) => trialRecords(task_id, index + 1, mark)),
    ),
    runEnd(Object.values(marks).some((one) => one.includes(".")) ? "interrupted" : "completed"),
  ];
}

/** The text of a run.jsonl. */
export function logText(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function bareRunStart(more: Partial<RunStart> = {}): RunStart {
  return {
    record: "run-start",
    schema_version: 1,
    run_id: "run_1",
    at: "2026-01-01T00:00:00.000Z",
    profile: profileWith({}),
    profile_digest: "p",
    suite: { name: "suite", path: "/suite" },
    tasks: [{ task_id: "task_1", difficulty: "easy", tags: [], input_digest: "i", gold_digest: "g" }],
    arms: ["main"],
    repeats: 3,
    seed: 0,
    git: null,
    versions: { daw_eval: "0.1.0", node: "v20", platform: "linux-x64" },
    argv: [],
    ...more,
  };
}

function bareTrialEnd(more: Partial<TrialEnd> = {}): TrialEnd {
  return {
    record: "trial-end",
    arm: "main",
    task_id: "task_1",
    k: 1,
    at: "2026-01-01T00:00:01.000Z",
    attempt: 1,
    outcome: { kind: "answered", forced: false, degraded: false, validation: { process: "off", answer: "off" } },
    prediction: "trials/main/task_1/1/1/prediction.csv",
    signature: "s",
    usage: [],
    cost_usd: null,
    requests: { ok: 3 },
    wall_ms: 1000,
    model_ms: 600,
    tool_ms: 300,
    steps: 3,
    checks: [],
    tools: { execute_probe_query: 2, submit_tool_result: 1 },
    path: "recompute",
    ...more,
  };
}

function bareScoreRecord(more: Partial<ScoreRecord> = {}): ScoreRecord {
  return {
    record: "score",
    arm: "main",
    task_id: "task_1",
    k: 1,
    at: "2026-01-01T00:00:02.000Z",
    attempt: 1,
    scorer: "kdd-columns",
    scorer_version: "1",
    basis: "b",
    status: "perfect",
    value: 1,
    reason: null,
    details: {},
    ...more,
  };
}

function bareRunEnd(more: Partial<RunEnd> = {}): RunEnd {
  return {
    record: "run-end",
    at: "2026-01-01T00:00:03.000Z",
    status: "completed",
    counts: { planned: 3, valid: 3, infra_error: 0, suspended: 0, not_run: 0 },
    ...more,
  };
}
