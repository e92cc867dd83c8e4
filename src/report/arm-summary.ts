import type { Usage } from "../core/message.js";
import { naturalOrder } from "../core/natural-order.js";
import type { SandboxFound } from "../core/ports/sandbox.js";
import { sandboxOf } from "../core/run-record.js";
import type { UsageRow } from "../core/state.js";
import { DIFFICULTIES } from "../core/task.js";
import { mean } from "../stats/intervals.js";
import { brackets } from "../stats/mean-over-tasks.js";
import { countNames, median } from "./counting.js";
import {
  type ClaimCheckSummary,
  type LineFormatSummary,
  summariseClaimChecks,
  summariseLineFormats,
} from "./own-checks.js";
import { type PathSummary, summarisePaths } from "./path-summary.js";
import { type PlanSummary, summarisePlans } from "./plan-summary.js";
import { type PassEstimates, passEstimates, type Rate, rateOver } from "./rate.js";
import { manyFailed } from "./request-sentences.js";
import type { RunFacts, TrialFacts } from "./run-facts.js";
import { type ScorerSummary, summariseScorers } from "./scorer-summary.js";
import { NO_SPENDING, type Spending } from "./spending.js";
import {
  type Metric,
  summariseTasks,
  type TaskClass,
  type TaskSummary,
  taskMean,
  unscoredReason,
} from "./task-summary.js";
import { summariseValidation, type ValidationSummary } from "./validation-summary.js";

export interface ArmSummary extends Rate, PassEstimates {
  readonly arm: string;
  /** Whether its agents could run Python, and in what. */
  readonly sandbox: SandboxFound;
  readonly metric: Metric;
  readonly repeats: number;
  readonly tasks: readonly TaskSummary[];
  readonly mean_score: number | null;
  /** The lower bracket: every planned trial without a valid outcome counts as a miss. Unscored tasks are in neither bracket. */
  readonly mean_errors_as_misses: number | null;
  readonly solid: number;
  readonly flaky: number;
  readonly broken: number;
  readonly incomplete: number;
  /** Tasks with nothing to compare answers with: in no rate, never 0. */
  readonly unscored: number;
  readonly planned_trials: number;
  readonly valid_trials: number;
  /** Trials that ended in an infra-error. */
  readonly infra: number;
  readonly infra_classes: Readonly<Record<string, number>>;
  readonly not_run: number;
  /** Valid trials without a score by the primary scorer, and why. */
  readonly unscored_trials: number;
  readonly unscored_reasons: Readonly<Record<string, number>>;
  /** Scored trials without a prediction, and with an unreadable one. */
  readonly missing: number;
  readonly invalid: number;
  /** `answered`, `no-answer: max-steps`, … → trials. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Integrity flags → trials that have them, and the trials, in short identities. */
  readonly integrity: Readonly<Record<string, number>>;
  readonly flagged_trials: readonly string[];
  /** Answers that came in the forced last turn. */
  readonly forced_answers: number;
  /** Share of pairs of a task's answered trials with the same answer, mean over `agreement_tasks` tasks. */
  readonly agreement: number | null;
  readonly agreement_tasks: number;
  /** Of these, tasks whose answers were the same each time. */
  readonly agreement_unanimous: number;
  /** Tasks missed at least twice: in the same way each time, and in different ones. */
  readonly stable_failures: number;
  readonly noisy_failures: number;
  readonly median_steps: number | null;
  readonly median_seconds: number | null;
  /** Every scorer that the log has scores of, the primary one first. */
  readonly scorers: readonly ScorerSummary[];
  /** Checks that tasks bring along; empty where none was scored. */
  readonly line_formats: readonly LineFormatSummary[];
  readonly claim_checks: readonly ClaimCheckSummary[];
  readonly by_difficulty: readonly GroupSummary[];
  readonly by_tag: readonly GroupSummary[];
  readonly by_path: readonly PathSummary[];
  /** Tokens over all attempts; null where no endpoint said. */
  readonly usage: Usage & { readonly by_purpose: readonly UsageRow[] };
  readonly cost_usd: number | null;
  /** Trials whose cost is not known: `cost_usd` does not have them. */
  readonly unpriced_trials: number;
  /** Model requests, retries included: `ok`, `cached` and each failure class. */
  readonly requests: Readonly<Record<string, number>>;
  /** Trials in which at least one request failed. */
  readonly trials_with_failed_requests: number;
  /** Trials in which at least one response came from the response cache: no independent repeats. */
  readonly trials_with_cached_responses: number;
  /** So many requests failed that times say more of the endpoint than of the agent. */
  readonly many_failed_requests: boolean;
  /** What checks of evidence and form did; null where no trial was checked. */
  readonly validation: ValidationSummary | null;
  /** What plans came to and where verification stopped; null where no trial had a plan. */
  readonly plans: PlanSummary | null;
}

export interface GroupSummary extends Rate {
  readonly name: string;
  readonly valid_trials: number;
}

/** All numbers of one arm. */
export function summariseArm(arm: string, facts: RunFacts, metric: Metric): ArmSummary {
  const { start } = facts;
  const trials = [...facts.trials.values()].filter((trial) => trial.arm === arm);
  const tasks = summariseTasks(trials, start);
  const valid = trials.filter((trial) => trial.outcome.kind !== "infra-error");
  const spending = facts.spending.get(arm) ?? NO_SPENDING;
  const agreements = tasks.flatMap(({ agreement }) => agreement ?? []);
  return {
    arm,
    sandbox: sandboxOf(start, arm),
    metric,
    repeats: start.repeats,
    tasks,
    ...rateOver(tasks.map((task) => taskMean(task, metric))),
    mean_score: mean(tasks.flatMap(({ mean_score }) => mean_score ?? [])),
    mean_errors_as_misses: brackets(tasks.flatMap((task) => bracketed(task, metric))).errors_as_misses,
    ...passEstimates(tasks, start.repeats),
    ...countClasses(tasks),
    planned_trials: tasks.reduce((sum, task) => sum + task.marks.length, 0),
    valid_trials: valid.length,
    not_run: tasks.reduce((sum, task) => sum + task.not_run, 0),
    ...countOutcomes(trials),
    integrity: countNames(trials.flatMap((trial) => trial.integrity)),
    flagged_trials: trials.filter((trial) => trial.integrity.length > 0).map(({ task_id, k }) => `${task_id}#${k}`),
    ...countScores(valid, start.profile.scoring.primary),
    agreement: mean(agreements),
    agreement_tasks: agreements.length,
    agreement_unanimous: agreements.filter((share) => share === 1).length,
    stable_failures: tasks.filter(({ failures }) => failures === "stable").length,
    noisy_failures: tasks.filter(({ failures }) => failures === "noisy").length,
    median_steps: median(valid.map((trial) => trial.steps)),
    median_seconds: median(valid.map((trial) => trial.seconds)),
    scorers: summariseScorers(valid, start.profile.scoring.primary),
    line_formats: summariseLineFormats(valid),
    claim_checks: summariseClaimChecks(valid),
    by_difficulty: DIFFICULTIES.flatMap((name) =>
      group(
        name,
        tasks.filter((task) => task.difficulty === name),
        metric,
      ),
    ),
    by_tag: [...new Set(tasks.flatMap((task) => task.tags))].sort(naturalOrder).flatMap((name) =>
      group(
        name,
        tasks.filter((task) => task.tags.includes(name)),
        metric,
      ),
    ),
    by_path: summarisePaths(valid, start, metric),
    ...spent(spending),
    trials_with_failed_requests: trials.filter((trial) => trial.failed_requests > 0).length,
    trials_with_cached_responses: trials.filter((trial) => trial.cached_responses > 0).length,
    many_failed_requests: manyFailed(spending.requests),
    validation: summariseValidation(trials, spending.by_purpose, start.profile.scoring),
    plans: summarisePlans(trials),
  };
}

/** Unscored tasks are in neither bracket; a trial without a score is not a miss, unlike one that did not come to an outcome. */
function bracketed(task: TaskSummary, metric: Metric): { total: number; valid: number; planned: number }[] {
  if (task.passes === null) return [];
  const total = metric === "score" ? (task.mean_score ?? 0) * task.scored : task.passes;
  return [{ total, valid: task.scored, planned: task.scored + task.infra + task.not_run }];
}

function countClasses(tasks: readonly TaskSummary[]): Readonly<Record<TaskClass, number>> {
  const count = (wanted: TaskClass) => tasks.filter((task) => task.class === wanted).length;
  return {
    solid: count("solid"),
    flaky: count("flaky"),
    broken: count("broken"),
    incomplete: count("incomplete"),
    unscored: count("unscored"),
  };
}

function countOutcomes(
  trials: readonly TrialFacts[],
): Pick<ArmSummary, "outcomes" | "infra" | "infra_classes" | "forced_answers"> {
  const infra = trials.flatMap(({ outcome }) => (outcome.kind === "infra-error" ? [outcome.class] : []));
  return {
    infra: infra.length,
    infra_classes: countNames(infra),
    outcomes: countNames(trials.map(({ outcome }) => outcomeName(outcome))),
    forced_answers: trials.filter(({ outcome }) => outcome.kind === "answered" && outcome.forced).length,
  };
}

function outcomeName(outcome: TrialFacts["outcome"]): string {
  switch (outcome.kind) {
    case "answered":
      return outcome.kind;
    case "infra-error":
      return `${outcome.kind}: ${outcome.class}`;
    case "limit-reached":
      return `${outcome.kind}: ${outcome.limit}`;
    case "no-answer":
    case "agent-error":
      return `${outcome.kind}: ${outcome.reason}`;
  }
}

function countScores(
  valid: readonly TrialFacts[],
  primary: string,
): Pick<ArmSummary, "unscored_trials" | "unscored_reasons" | "missing" | "invalid"> {
  const scores = valid.map((trial) => trial.scores.get(primary));
  const unscored = scores.filter((score) => score === undefined || score.value === null);
  return {
    unscored_trials: unscored.length,
    unscored_reasons: countNames(unscored.map((score) => unscoredReason(score, primary))),
    missing: scores.filter((score) => score?.status === "missing").length,
    invalid: scores.filter((score) => score?.status === "invalid").length,
  };
}

function group(name: string, members: readonly TaskSummary[], metric: Metric): GroupSummary[] {
  if (members.length === 0) return [];
  const valid_trials = members.reduce((sum, task) => sum + task.valid, 0);
  return [{ name, valid_trials, ...rateOver(members.map((task) => taskMean(task, metric))) }];
}

function spent({
  by_purpose,
  cost_usd,
  unpriced_trials,
  requests,
  ...usage
}: Spending): Pick<ArmSummary, "usage" | "cost_usd" | "unpriced_trials" | "requests"> {
  return { usage: { ...usage, by_purpose }, cost_usd, unpriced_trials, requests };
}
