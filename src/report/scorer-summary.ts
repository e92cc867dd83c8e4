import { mean } from "../stats/intervals.js";
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
  const [versions, penalties] = [new Set<string>(), new Set<number>()];
  const [values, perfect] = [new Map<string, number[]>(), new Map<string, number[]>()];
  let [scored, unscored] = [0, 0];
  for (const { task_id, scores } of valid) {
    const score = scores.get(scorer);
    if (score === undefined) continue;
    versions.add(score.version);
    if (score.value === null) {
      unscored++;
      continue;
    }
    scored++;
    if (score.penalty !== null) penalties.add(score.penalty);
    addTo(values, task_id, score.value);
    addTo(perfect, task_id, score.status === "perfect" ? 1 : 0);
  }
  return {
    scorer,
    versions: [...versions].sort(),
    penalties: [...penalties].sort((a, b) => a - b),
    scored_trials: scored,
    unscored_trials: unscored,
    mean_score: meanOfMeans(values),
    perfect_rate: meanOfMeans(perfect),
  };
}

function addTo(byTask: Map<string, number[]>, task_id: string, value: number): void {
  const known = byTask.get(task_id);
  if (known === undefined) byTask.set(task_id, [value]);
  else known.push(value);
}

const meanOfMeans = (byTask: ReadonlyMap<string, readonly number[]>) =>
  mean([...byTask.values()].flatMap((values) => mean(values) ?? []));
