import { formatIdentity } from "../core/identity.js";
import { isValid } from "../core/outcome.js";
import type { CandidateScore, RunEnd, RunRecord, RunStart, ScoreRecord, TrialEnd } from "../core/run-record.js";

/** What a run's log says when its rules are applied: the newest trial-end of an identity and the newest score of a scorer win. */
export interface RunState {
  readonly start: RunStart;
  readonly ends: ReadonlyMap<string, TrialEnd>;
  /** Identity → scorer → newest score. */
  readonly scores: ReadonlyMap<string, ReadonlyMap<string, ScoreRecord>>;
  /** Identity → candidate → newest score. */
  readonly candidateScores: ReadonlyMap<string, ReadonlyMap<string, CandidateScore>>;
  readonly end: RunEnd | null;
}

/** Folds the records of one log. Scores of an attempt that is not the newest are left out. Throws where there is no run-start. */
export async function readRunState(records: AsyncIterable<RunRecord>): Promise<RunState> {
  let start: RunStart | null = null;
  let end: RunEnd | null = null;
  const ends = new Map<string, TrialEnd>();
  const scores = new Map<string, Map<string, ScoreRecord>>();
  const candidateScores = new Map<string, Map<string, CandidateScore>>();
  for await (const record of records) {
    switch (record.record) {
      case "run-start":
        start = record;
        break;
      case "run-resume":
        end = null;
        break;
      case "trial-end":
        ends.set(formatIdentity(record), record);
        scores.delete(formatIdentity(record));
        candidateScores.delete(formatIdentity(record));
        break;
      case "score": {
        const key = formatIdentity(record);
        if (ends.get(key)?.attempt !== record.attempt) break;
        const byScorer = scores.get(key) ?? new Map<string, ScoreRecord>();
        scores.set(key, byScorer.set(record.scorer, record));
        break;
      }
      case "candidate-score": {
        const key = formatIdentity(record);
        if (ends.get(key)?.attempt !== record.attempt) break;
        const byCandidate = candidateScores.get(key) ?? new Map<string, CandidateScore>();
        candidateScores.set(key, byCandidate.set(record.candidate, record));
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

/** Counts that add up to the plan. */
export function runCounts(planned: number, ends: Iterable<TrialEnd>, suspended: number): RunEnd["counts"] {
  let valid = 0;
  let infra_error = 0;
  for (const end of ends) {
    if (isValid(end.outcome)) valid++;
    else infra_error++;
  }
  return { planned, valid, infra_error, suspended, not_run: planned - valid - infra_error - suspended };
}
