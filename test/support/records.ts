import {
  type RunEnd,
  type RunStart,
  SCHEMA_VERSION,
  type ScoreRecord,
  type TrialEnd,
} from "../../src/core/run-record.js";
import { profileWith } from "./profile.js";

/** Records of run.jsonl with as little in them as a test wants to say. */

export function runStart(more: Partial<RunStart> = {}): RunStart {
  return {
    record: "run-start",
    schema_version: SCHEMA_VERSION,
    run_id: "run_1",
    at: "2026-01-01T00:00:00.000Z",
    profile: profileWith({}),
    arm_profiles: {},
    profile_digest: "p",
    suite: { name: "suite", path: "/suite" },
    tasks: [{ task_id: "task_1", difficulty: "easy", tags: [], input_digest: "i", gold_digest: "g" }],
    shard: null,
    selection: null,
    arms: ["main"],
    repeats: 3,
    seed: 0,
    sandbox: { python: null, reason: "off" },
    arm_sandboxes: {},
    git: null,
    versions: { daw_eval: "0.1.0", node: "v20", platform: "linux-x64" },
    argv: [],
    replay_of: null,
    additions: [],
    imported: null,
    claim_checks: [],
    ...more,
  };
}

export function trialEnd(more: Partial<TrialEnd> = {}): TrialEnd {
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
    integrity: [],
    ...more,
  };
}

export function scoreRecord(more: Partial<ScoreRecord> = {}): ScoreRecord {
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

export function runEnd(more: Partial<RunEnd> = {}): RunEnd {
  return {
    record: "run-end",
    at: "2026-01-01T00:00:03.000Z",
    status: "completed",
    counts: { planned: 3, valid: 3, infra_error: 0, suspended: 0, not_run: 0 },
    ...more,
  };
}
