import { formatIdentity } from "../../core/identity.js";
import type { TrialOutcome } from "../../core/outcome.js";
import type { RunRecord, ScoreRecord, TrialEnd } from "../../core/run-record.js";
import { tokensOf } from "../../core/totals.js";
import { outcomeSentence } from "../outcome-sentence.js";
import type { TrialRow } from "./page-data.js";

/** The ended trials of a run, in the order in which they first ended; the newest end and the newest scores of its attempt win. */
export async function trialRows(
  records: AsyncIterable<RunRecord> | Iterable<RunRecord>,
  primary: string,
): Promise<TrialRow[]> {
  const trials = new Map<string, { end: TrialEnd; scores: Map<string, ScoreRecord> }>();
  for await (const record of records) {
    if (record.record === "trial-end") trials.set(formatIdentity(record), { end: record, scores: new Map() });
    if (record.record !== "score") continue;
    const trial = trials.get(formatIdentity(record));
    if (trial?.end.attempt === record.attempt) trial.scores.set(record.scorer, record);
  }
  return [...trials.values()].map(({ end, scores }) => {
    const score = scores.get(primary);
    return {
      arm: end.arm,
      task_id: end.task_id,
      k: end.k,
      attempt: end.attempt,
      outcome: outcomeSentence(end.outcome),
      status: score?.status ?? null,
      score: score?.value ?? null,
      scores: Object.fromEntries([...scores].map(([scorer, { value }]) => [scorer, value])),
      validation: validationOf(end.outcome),
      checks: end.checks,
      steps: end.steps,
      wall_ms: end.wall_ms,
      model_ms: end.model_ms,
      tool_ms: end.tool_ms,
      cost_usd: end.cost_usd,
      tokens: tokensIn(end),
      usage: end.usage,
      path: end.path,
    };
  });
}

function validationOf(outcome: TrialOutcome): TrialRow["validation"] {
  return outcome.kind === "answered" ? outcome.validation : null;
}

function tokensIn({ usage }: TrialEnd): number | null {
  const known = usage.filter((row) => row.input_tokens !== null || row.output_tokens !== null);
  return known.length === 0 ? null : known.reduce((sum, row) => sum + tokensOf(row), 0);
}
