import { formatIdentity } from "../core/identity.js";
import {
  type CandidateScore,
  type RunEnd,
  type RunRecord,
  type RunStart,
  type ScoreRecord,
  type TrialEnd,
  withAdded,
} from "../core/run-record.js";

/** What is kept of a trial that ended: a few words, so that 10,000 trials fit easily. */
export interface EndedTrial
  extends Pick<
    TrialEnd,
    "arm" | "task_id" | "k" | "attempt" | "outcome" | "prediction" | "steps" | "wall_ms" | "path"
  > {
  /** Files of the candidates that its checks judged. */
  readonly judged: readonly string[];
}

/** What is kept of a score. */
export type StandingScore = Pick<ScoreRecord, "scorer_version" | "basis" | "status" | "value">;

/** What a run's log says when its rules are applied: the newest trial-end of an identity and the newest score of a scorer win. */
export interface RunState {
  readonly start: RunStart;
  readonly ends: ReadonlyMap<string, EndedTrial>;
  /** Identity → scorer → newest score. */
  readonly scores: ReadonlyMap<string, ReadonlyMap<string, StandingScore>>;
  /** Identity → candidate → newest score. */
  readonly candidateScores: ReadonlyMap<string, ReadonlyMap<string, StandingScore>>;
  readonly end: RunEnd | null;
}

/** Folds the records of one log. Scores of an attempt that is not the newest are left out. Throws where there is no run-start. */
export async function readRunState(records: AsyncIterable<RunRecord>): Promise<RunState> {
  let start: RunStart | null = null;
  let end: RunEnd | null = null;
  const ends = new Map<string, EndedTrial>();
  const scores = new Map<string, Map<string, StandingScore>>();
  const candidateScores = new Map<string, Map<string, StandingScore>>();
  for await (const record of records) {
    switch (record.record) {
      case "run-start":
        start = record;
        break;
      case "run-resume":
        start = start && withAdded(start, record);
        end = null;
        break;
      case "trial-end":
        ends.set(formatIdentity(record), endedTrial(record));
        scores.delete(formatIdentity(record));
        candidateScores.delete(formatIdentity(record));
        break;
      case "score": {
        const key = formatIdentity(record);
        if (ends.get(key)?.attempt !== record.attempt) break;
        const byScorer = scores.get(key) ?? new Map<string, StandingScore>();
        scores.set(key, byScorer.set(record.scorer, standingScore(record)));
        break;
      }
      case "candidate-score": {
        const key = formatIdentity(record);
        if (ends.get(key)?.attempt !== record.attempt) break;
        const byCandidate = candidateScores.get(key) ?? new Map<string, StandingScore>();
        candidateScores.set(key, byCandidate.set(record.candidate, standingScore(record)));
        break;
      }
      case "run-end":
        end = record;
        break;
    }
  }
  if (start === null) throw new Error("a run log without run-start");
  return { start, ends, scores, candidateScores, end };
}

export function endedTrial(end: TrialEnd): EndedTrial {
  const { arm, task_id, k, attempt, outcome, prediction, steps, wall_ms, path, checks } = end;
  const files = checks.flatMap(({ candidate }) => (candidate === null ? [] : [candidate.file]));
  return { arm, task_id, k, attempt, outcome, prediction, steps, wall_ms, path, judged: [...new Set(files)] };
}

function standingScore({ scorer_version, basis, status, value }: ScoreRecord | CandidateScore): StandingScore {
  return { scorer_version, basis, status, value };
}
