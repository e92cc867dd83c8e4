import { existsSync } from "node:fs";
import path from "node:path";
import { isValid } from "../../core/outcome.js";
import type { Clock } from "../../core/ports/clock.js";
import type { ScoringConfig } from "../../core/profile.js";
import type { CandidateScore } from "../../core/run-record.js";
import { scoreTrial } from "../../score/score-trial.js";
import type { OpenDomains } from "../../score/scorer.js";
import { attemptFolder } from "../log/run-folder.js";
import type { EndedTrial, StandingScore } from "../run-state.js";

/** What scoring a trial's candidates needs beside the trial. */
export interface CandidatePlace {
  readonly task: { readonly folder: string; readonly task_id: string };
  readonly scoring: ScoringConfig;
  readonly runFolder: string;
  readonly clock: Clock;
  readonly domains: OpenDomains;
}

/** By candidate file: the newest score that is in the log. */
export type KnownCandidates = ReadonlyMap<string, StandingScore>;

/**
 * Scores each table that a check of this trial judged with the primary scorer, once: the records to append, none where the log has
 * one of equal version and basis, nor where the table's file is gone. Gold is read here, after the outcome is fixed.
 */
export async function candidateScores(
  end: EndedTrial,
  place: CandidatePlace,
  known: KnownCandidates = new Map(),
): Promise<CandidateScore[]> {
  if (!isValid(end.outcome)) return [];
  const { task, scoring, domains, runFolder, clock } = place;
  const records: CandidateScore[] = [];
  for (const candidate of end.judged) {
    const prediction = path.join(attemptFolder(runFolder, end, end.attempt), candidate);
    if (!existsSync(prediction)) continue;
    const scorers = [scoring.primary];
    const scored = await scoreTrial({
      answer: { prediction, conclusion: null },
      task,
      scoring,
      scorers,
      own: [],
      domains,
    });
    const found = scored.find(({ scorer }) => scorer === scoring.primary);
    if (found === undefined) continue;
    const { scorer, scorer_version, basis, score } = found;
    const before = known.get(candidate);
    if (before?.scorer_version === scorer_version && before.basis === basis) continue;
    const { arm, task_id, k, attempt } = end;
    const about = { arm, task_id, k, at: clock.iso(), attempt, candidate, scorer, scorer_version, basis };
    records.push({ record: "candidate-score", ...about, ...score });
  }
  return records;
}
