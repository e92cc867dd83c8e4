import type { TrialOutcome } from "../../src/core/outcome.js";
import type { Profile, ScoringConfig } from "../../src/core/profile.js";
import type { RunEnd, RunRecord, RunStart, ScoreRecord, TrialEnd } from "../../src/core/run-record.js";
import type { Difficulty } from "../../src/core/task.js";
import { profileWith } from "./profile.js";
import * as records from "./records.js";

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
  return records.runStart({
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
  return records.trialEnd({ task_id, k, prediction, ...more });
}

export function scoreRecord(task_id: string, k: number, more: Partial<ScoreRecord> = {}): ScoreRecord {
  return records.scoreRecord({ task_id, k, ...more });
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
  return records.runEnd({ status });
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
