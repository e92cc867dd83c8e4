import { RunLogError } from "../core/errors.js";
import { formatIdentity } from "../core/identity.js";
import type { IntegrityFlag } from "../core/integrity.js";
import type { TrialOutcome } from "../core/outcome.js";
import type { RunEnd, RunRecord, RunStart, ScoreRecord, TrialEnd } from "../core/run-record.js";
import type { Score } from "../core/score.js";
import type { EndedCheck } from "../core/validation-state.js";
import { type OwnChecks, ownChecksOf } from "./own-checks.js";
import { failuresOf } from "./request-sentences.js";
import { addSpending, NO_SPENDING, type Spending } from "./spending.js";

/** What a report keeps of a run: per trial a few numbers and words, so that 10,000 trials fit easily. */
export interface RunFacts {
  readonly start: RunStart;
  /** `interrupted` also where the log has no run-end. */
  readonly status: RunEnd["status"];
  /** Differences that a resume overrode with --force. */
  readonly forced: readonly string[];
  /** By written identity. */
  readonly trials: ReadonlyMap<string, TrialFacts>;
  /** By arm; all attempts, also those that a newer one replaced: they were paid for. */
  readonly spending: ReadonlyMap<string, Spending>;
}

export interface TrialFacts {
  readonly arm: string;
  readonly task_id: string;
  readonly k: number;
  readonly attempt: number;
  readonly outcome: TrialOutcome;
  readonly signature: string | null;
  readonly steps: number;
  readonly seconds: number;
  readonly integrity: readonly IntegrityFlag[];
  /** Requests that failed, whether or not a retry brought an answer. */
  readonly failed_requests: number;
  /** Responses from the response cache. */
  readonly cached_responses: number;
  /** By scorer: the newest score. */
  readonly scores: ReadonlyMap<string, ScoreFacts>;
  /** Checks of evidence and form, oldest first. */
  readonly checks: readonly EndedCheck[];
  /** By file of a candidate that a check judged: its newest score by the primary scorer. */
  readonly candidates: ReadonlyMap<string, Pick<Score, "status" | "value">>;
}

export interface ScoreFacts extends Pick<Score, "status" | "value" | "reason">, OwnChecks {
  readonly version: string;
  /** λ that the scorer applied: a task's checks may set its own; null for scorers without one. */
  readonly penalty: number | null;
  /** In words what a partial or wrong answer lacks, where the scorer says so. */
  readonly shortfall: string | null;
  /** A check of this scorer that was made a gate is red: the trial does not pass, whatever the primary scorer says. */
  readonly gate_failed: boolean;
}

/**
 * Folds the records of one log, in one pass. The newest trial-end of an identity wins, the newest score of (identity, scorer) wins, and scores of an attempt that is not the
 * newest do not count. Throws RunLogError where there is no run-start.
 */
export async function gatherFacts(records: AsyncIterable<RunRecord> | Iterable<RunRecord>): Promise<RunFacts> {
  let start: RunStart | null = null;
  let status: RunEnd["status"] = "interrupted";
  const forced: string[] = [];
  const trials = new Map<string, GrowingFacts>();
  const spending = new Map<string, Spending>();
  for await (const record of records) {
    switch (record.record) {
      case "run-start":
        start = record;
        break;
      case "run-resume":
        status = "interrupted";
        forced.push(...record.forced);
        break;
      case "trial-end":
        trials.set(formatIdentity(record), trialFacts(record));
        spending.set(record.arm, addSpending(spending.get(record.arm) ?? NO_SPENDING, record));
        break;
      case "score": {
        const trial = trials.get(formatIdentity(record));
        if (trial?.attempt === record.attempt) trial.scores.set(record.scorer, scoreFacts(record));
        break;
      }
      case "candidate-score": {
        const trial = trials.get(formatIdentity(record));
        const { status: named, value } = record;
        if (trial?.attempt === record.attempt) trial.candidates.set(record.candidate, { status: named, value });
        break;
      }
      case "run-end":
        status = record.status;
        break;
    }
  }
  if (start === null) throw new RunLogError("a run log without run-start");
  return { start, status, forced, trials, spending };
}

/** Facts of a trial whose scores are still being read. */
interface GrowingFacts extends TrialFacts {
  readonly scores: Map<string, ScoreFacts>;
  readonly candidates: Map<string, Pick<Score, "status" | "value">>;
}

function trialFacts(end: TrialEnd): GrowingFacts {
  return {
    arm: end.arm,
    task_id: end.task_id,
    k: end.k,
    attempt: end.attempt,
    outcome: end.outcome,
    signature: end.signature,
    steps: end.steps,
    integrity: end.integrity,
    seconds: end.wall_ms / 1000,
    failed_requests: Object.values(failuresOf(end.requests)).reduce((sum, count) => sum + count, 0),
    cached_responses: end.requests.cached ?? 0,
    scores: new Map(),
    checks: end.checks,
    candidates: new Map(),
  };
}

function scoreFacts({ scorer_version, status, value, reason, details }: ScoreRecord): ScoreFacts {
  const penalty = typeof details.penalty === "number" ? details.penalty : null;
  return {
    version: scorer_version,
    status,
    value,
    reason,
    penalty,
    shortfall: shortfallOf(details),
    gate_failed: details.gate_failed === true,
    ...ownChecksOf(details),
  };
}

/** `1/2 columns, 3 extra`, from the counts that column scorers put into their details. */
function shortfallOf(details: ScoreRecord["details"]): string | null {
  const { matched_columns, gold_columns, extra_columns } = details;
  if (typeof matched_columns !== "number" || typeof gold_columns !== "number") return null;
  const extra = typeof extra_columns === "number" && extra_columns > 0 ? `, ${extra_columns} extra` : "";
  return `${matched_columns}/${gold_columns} columns${extra}`;
}
