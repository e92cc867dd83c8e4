import { mean } from "../stats/intervals.js";
import { groupBy } from "./counting.js";
import type { TrialFacts } from "./run-facts.js";

/** One scorer over the valid trials: strict and lenient ones stand side by side. */
export interface ScorerSummary {
  readonly scorer: string;
  /** More than one where trials were scored by different versions. */
  readonly versions: readonly string[];
  /** λ that were applied; empty for scorers without one. */
  readonly penalties: readonly number[];
  readonly scored_trials: number;
  readonly unscored_trials: number;
  /** Mean of task means. */
  readonly mean_score: number | null;
  /** Mean over tasks of the share of perfect trials. */
  readonly perfect_rate: number | null;
}

/** Every scorer that has scores, `primary` first, then by name. */
export function summariseScorers(valid: readonly TrialFacts[], primary: string): ScorerSummary[] {
  const names = new Set(valid.flatMap((trial) => [...trial.scores.keys()]));
  const others = [...names].filter((name) => name !== primary).sort();
  return [...(names.has(primary) ? [primary] : []), ...others].map((scorer) => summariseScorer(valid, scorer));
}

function summariseScorer(valid: readonly TrialFacts[], scorer: string): ScorerSummary {
  // Pointers to the scores, no copies: there are many.
  const scored = valid.flatMap(({ task_id, scores }) => {
    const score = scores.get(scorer);
    return score === undefined ? [] : [{ task_id, score }];
  });
  const known = scored.flatMap(({ task_id, score }) =>
    score.value === null ? [] : [{ task_id, score, value: score.value }],
  );
  const byTask = [...groupBy(known, ({ task_id }) => task_id).values()];
  const overTasks = (of: (one: (typeof known)[number]) => number) =>
    mean(byTask.flatMap((ones) => mean(ones.map(of)) ?? []));
  return {
    scorer,
    versions: [...new Set(scored.map(({ score }) => score.version))].sort(),
    penalties: [...new Set(known.flatMap(({ score }) => score.penalty ?? []))].sort((a, b) => a - b),
    scored_trials: known.length,
    unscored_trials: scored.length - known.length,
    mean_score: overTasks(({ value }) => value),
    perfect_rate: overTasks(({ score }) => (score.status === "perfect" ? 1 : 0)),
  };
}
