import { digestOf } from "../core/digest.js";
import { UsageError } from "../core/errors.js";
import type { ScoringConfig } from "../core/profile.js";
import type { Score } from "../core/score.js";
import { type Checks, NO_CHECKS } from "./checks.js";
import { type Gold, goldDigest, loadGold, type TaskPlace } from "./gold.js";
import { type Answer, type OpenDomains, type Scorer, type ScorerOptions, scorerNamed } from "./scorer.js";
import { unscored } from "./table-scorer.js";

/** How far apart two numbers may be for the `text` scorer where a task's checks do not say: one in the second place. */
const DEFAULT_TOLERANCE = 0.01;

export interface TrialScore {
  readonly scorer: string;
  readonly scorer_version: string;
  /**
   * Digest of all that the score depends on beside the answer: scorer, version, the options it uses, gold and checks, and the
   * legal values that checks got from databases.
   */
  readonly basis: string;
  readonly score: Score;
}

/**
 * Scores one valid trial with `scorers`, those that the task's checks ask for, and `own`. No prediction: the trial brought no answer, which
 * is `missing`, 0. (A trial that ended in an infra-error has no score and is not brought here.) A task whose checks cannot be
 * read is unscored with the reason. Throws UsageError for an unknown scorer.
 */
export async function scoreTrial(trial: {
  readonly answer: Answer;
  readonly task: TaskPlace;
  readonly scoring: ScoringConfig;
  readonly scorers: readonly string[];
  /** Scorers of a program, beside those of that name. */
  readonly own: readonly Scorer[];
  readonly domains: OpenDomains;
}): Promise<TrialScore[]> {
  const { answer, domains, task } = trial;
  const gold = await loadGold(task).catch(unreadableChecks);
  const digest = await goldDigest(task.folder, task.task_id);
  const checks = "reason" in gold ? NO_CHECKS : gold.checks;
  const options = scorerOptions(trial.scoring, checks);
  const scores: TrialScore[] = [];
  for (const scorer of [...withOwnScorers(trial.scorers, checks).map(scorerNamed), ...trial.own]) {
    const outside = "reason" in gold ? undefined : await scorer.outside?.(gold, domains);
    scores.push({
      scorer: scorer.name,
      scorer_version: scorer.version,
      basis: basisOf(scorer, options, digest, outside),
      score: "reason" in gold ? unscored(gold.reason) : await scorer.score(answer, gold, options, domains),
    });
  }
  return scores;
}

/** Names of all scorers that `scoreTrial` applies to a task. */
export async function scorersOf(task: TaskPlace, scorers: readonly string[]): Promise<readonly string[]> {
  const gold = await loadGold(task).catch(unreadableChecks);
  return withOwnScorers(scorers, "reason" in gold ? NO_CHECKS : gold.checks);
}

/** A task that has claim checks or line formats wants them looked at, whatever the profile says. */
function withOwnScorers(scorers: readonly string[], { scoring, verify, line_formats }: Checks): readonly string[] {
  const own = [...(verify.length > 0 ? ["claims"] : []), ...(line_formats.length > 0 ? ["line-format"] : [])];
  return [...new Set([...scorers, ...(scoring.scorers ?? []), ...own])];
}

/** The options of a task: its checks go before `scoring`. */
export function scorerOptions(
  scoring: Pick<ScoringConfig, "penalty" | "names" | "thousands">,
  { scoring: own }: Checks,
): ScorerOptions {
  return {
    penalty: own.penalty ?? scoring.penalty,
    names: own.names ?? scoring.names,
    thousands: own.thousands ?? scoring.thousands,
    tolerance: own.tolerance ?? DEFAULT_TOLERANCE,
  };
}

function basisOf(scorer: Scorer, options: ScorerOptions, gold: string | null, outside: unknown): string {
  const { name, version, options: used } = scorer;
  return digestOf({ name, version, options: used.map((option) => [option, options[option]]), gold, outside });
}

/** In the middle of a run bad checks cost a task its scores, not the run its trials. */
function unreadableChecks(error: unknown): Gold | { readonly reason: string } {
  if (error instanceof UsageError) return { reason: `the checks cannot be used: ${error.lines.join("; ")}` };
  throw error;
}
