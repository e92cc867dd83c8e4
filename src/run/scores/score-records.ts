import path from "node:path";
import type { Clock } from "../../core/ports/clock.js";
import type { ScoringConfig } from "../../core/profile.js";
import type { ScoreRecord } from "../../core/run-record.js";
import { scoreTrial } from "../../score/score-trial.js";
import type { OpenDomains, Scorer } from "../../score/scorer.js";
import { attemptFolder } from "../log/run-folder.js";
import type { EndedTrial } from "../run-state.js";

/** Scores one valid trial with each of `scorers` and `own`: the records to append. Gold is read here, after the outcome is fixed. */
export async function scoreRecords(
  end: EndedTrial,
  task: { readonly folder: string; readonly task_id: string },
  scoring: ScoringConfig,
  scorers: readonly string[],
  own: readonly Scorer[],
  runFolder: string,
  clock: Clock,
  domains: OpenDomains,
): Promise<ScoreRecord[]> {
  const scored = await scoreTrial({
    answer: {
      prediction: end.prediction === null ? null : path.join(runFolder, ...end.prediction.split("/")),
      conclusion: path.join(attemptFolder(runFolder, end, end.attempt), "conclusion.md"),
    },
    task: { folder: task.folder, task_id: task.task_id },
    scoring,
    scorers,
    own,
    domains,
  });
  return scored.map(({ scorer, scorer_version, basis, score }) => ({
    record: "score",
    arm: end.arm,
    task_id: end.task_id,
    k: end.k,
    at: clock.iso(),
    attempt: end.attempt,
    scorer,
    scorer_version,
    basis,
    ...score,
  }));
}
