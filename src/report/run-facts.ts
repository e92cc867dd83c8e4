import { RunLogError } from "../core/errors.js";
import { formatIdentity } from "../core/identity.js";
import type { IntegrityFlag } from "../core/integrity.js";
import type { TrialOutcome } from "../core/outcome.js";
import type { PlanRecord } from "../core/plan-record.js";
import {
  type RunEnd,
  type RunRecord,
  type RunStart,
  type ScoreRecord,
  type TrialEnd,
  withAdded,
} from "../core/run-record.js";
import type { Score } from "../core/score.js";
import { tokensOf } from "../core/totals.js";
import type { EndedCheck } from "../core/validation-state.js";
import { type OwnChecks, ownChecksOf } from "./own-checks.js";
import { failuresOf } from "./request-sentences.js";
import { countSpending, type Spending, type SpendingCounter } from "./spending.js";

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
  readonly path: TrialEnd["path"];
  /** Calls by tool. */
  readonly tools: Readonly<Record<string, number>>;
  readonly integrity: readonly IntegrityFlag[];
  /** Requests that failed, whether or not a retry brought an answer. */
  readonly failed_requests: number;
  /** Responses from the response cache. */
  readonly cached_responses: number;
  /** Input and output; null where the endpoint did not say. */
  readonly tokens: number | null;
  readonly cost_usd: number | null;
  /** By scorer: the newest score. */
  readonly scores: ReadonlyMap<string, ScoreFacts>;
  /** Checks of evidence and form, oldest first. */
  readonly checks: readonly EndedCheck[];
  /** Null: the trial had no plan. */
  readonly plan: PlanRecord | null;
  /** By file of a candidate that a check judged: its newest score by the primary scorer. */
  readonly candidates: ReadonlyMap<string, Pick<Score, "status" | "value">>;
}

export interface ScoreFacts extends Pick<Score, "status" | "value" | "reason">, OwnChecks {
  readonly version: string;
  /** Equal where scorer, options, gold and checks are. */
  readonly basis: string;
  /** Given after the run had ended: its basis then need not be the gold of the plan. */
  readonly rescored: boolean;
  /** Red lights of claim checks; null for other scorers. */
  readonly red_claims: number | null;
  /** λ that the scorer applied: a task's checks may set its own; null for scorers without one. */
  readonly penalty: number | null;
  /** In words what a partial or wrong answer lacks, where the scorer says so. */
  readonly shortfall: string | null;
  /** The same by position: which of the gold's columns it lacks, from 1. */
  readonly missed_columns: string | null;
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
  let ended = false;
  const forced: string[] = [];
  const trials = new Map<string, GrowingFacts>();
  const once = onlyOnce();
  const spending = new Map<string, SpendingCounter>();
  for await (const record of records) {
    switch (record.record) {
      case "run-start":
        start = record;
        break;
      case "run-resume":
        start = start && withAdded(start, record);
        status = "interrupted";
        ended = false;
        forced.push(...record.forced);
        break;
      case "trial-end":
        trials.set(formatIdentity(record), trialFacts(record, once));
        spendingOf(record.arm, spending).add(record);
        break;
      case "score": {
        const trial = trials.get(formatIdentity(record));
        if (trial?.attempt === record.attempt) {
          trial.scores.set(once.text(record.scorer), once.scores(scoreFacts(record, ended, once.text)));
        }
        break;
      }
      case "candidate-score": {
        const trial = trials.get(formatIdentity(record));
        const { status: named, value } = record;
        if (trial?.attempt === record.attempt) {
          trial.candidates = new Map(trial.candidates).set(record.candidate, { status: named, value });
        }
        break;
      }
      case "run-end":
        status = record.status;
        ended = true;
        break;
    }
  }
  if (start === null) throw new RunLogError("a run log without run-start");
  const spent = new Map([...spending].map(([arm, counter]) => [arm, counter.total()]));
  return { start, status, forced, trials, spending: spent };
}

function spendingOf(arm: string, counters: Map<string, SpendingCounter>): SpendingCounter {
  const counter = counters.get(arm) ?? countSpending();
  counters.set(arm, counter);
  return counter;
}

/** Facts of a trial whose scores are still being read. */
interface GrowingFacts extends TrialFacts {
  readonly scores: Map<string, ScoreFacts>;
  candidates: TrialFacts["candidates"];
}

/** One for all trials without: there are many. */
const NO_CHECKS: TrialFacts["checks"] = [];
const NO_FLAGS: TrialFacts["integrity"] = [];
const NO_CANDIDATES: TrialFacts["candidates"] = new Map();

/** Kinds of objects up to which equal ones are looked for. */
const MOST_KINDS = 1000;

/** Gives the same object for equal ones, as long as there are few kinds: most trials of a run share ends, tools and scores with others. */
function equalOnce<Value extends object>(): (value: Value) => Value {
  const known = new Map<string, Value>();
  return (value) => {
    const key = JSON.stringify(value);
    const same = known.get(key);
    if (same === undefined && known.size < MOST_KINDS) known.set(key, value);
    return same ?? value;
  };
}

/** Gives the same string for equal ones, so that what repeats in every record is held once. */
function textOnce(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
}

function onlyOnce() {
  return {
    text: textOnce(),
    outcome: equalOnce<TrialOutcome>(),
    tools: equalOnce<TrialFacts["tools"]>(),
    scores: equalOnce<ScoreFacts>(),
  };
}

type OnlyOnce = ReturnType<typeof onlyOnce>;

function trialFacts(end: TrialEnd, once: OnlyOnce): GrowingFacts {
  return {
    arm: once.text(end.arm),
    task_id: once.text(end.task_id),
    k: end.k,
    attempt: end.attempt,
    outcome: once.outcome(end.outcome),
    signature: end.signature === null ? null : once.text(end.signature),
    steps: end.steps,
    integrity: end.integrity.length === 0 ? NO_FLAGS : end.integrity,
    seconds: end.wall_ms / 1000,
    path: end.path,
    tools: once.tools(end.tools),
    failed_requests: Object.values(failuresOf(end.requests)).reduce((sum, count) => sum + count, 0),
    cached_responses: end.requests.cached ?? 0,
    tokens: end.usage.some(({ input_tokens, output_tokens }) => (input_tokens ?? output_tokens) !== null)
      ? end.usage.reduce((sum, row) => sum + tokensOf(row), 0)
      : null,
    cost_usd: end.cost_usd,
    scores: new Map(),
    checks: end.checks.length === 0 ? NO_CHECKS : end.checks,
    plan: end.plan ?? null,
    candidates: NO_CANDIDATES,
  };
}

function scoreFacts(record: ScoreRecord, rescored: boolean, one: OnlyOnce["text"]): ScoreFacts {
  const { scorer_version, basis, status, value, reason, details } = record;
  const penalty = typeof details.penalty === "number" ? details.penalty : null;
  return {
    version: one(scorer_version),
    basis: one(basis),
    rescored,
    status,
    value,
    reason,
    penalty,
    shortfall: shortfallOf(details),
    missed_columns: missedColumns(details, one),
    red_claims: typeof details.red === "number" ? details.red : null,
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

/** `gold columns 1, 3 missed, 2 extra`; null where the scorer does not say which. */
function missedColumns(
  { missed_gold_columns, extra_columns }: ScoreRecord["details"],
  one: OnlyOnce["text"],
): string | null {
  if (!Array.isArray(missed_gold_columns) || missed_gold_columns.length === 0) return null;
  const places = missed_gold_columns.flatMap((position) => (typeof position === "number" ? position + 1 : []));
  const extra = typeof extra_columns === "number" && extra_columns > 0 ? `, ${extra_columns} extra` : "";
  return one(`gold columns ${places.join(", ")} missed${extra}`);
}
