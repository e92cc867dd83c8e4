import type { Score } from "../core/score.js";
import { type ColumnMatch, matchColumns } from "./match-columns.js";
import type { Scorer, ScorerOptions } from "./scorer.js";
import { tableScorer } from "./table-scorer.js";

/** λ is not published: the score for each of these goes into the details, so that nobody has to score again to see another. */
const PENALTY_GRID = [0, 0.05, 0.1, 0.2, 0.3, 0.5];
/** Columns named in the details, on each side. */
const MAX_NAMED_COLUMNS = 50;
const MAX_NAME_CHARACTERS = 100;

/**
 * The scorer of KDD Cup 2026 data-agent tasks, after the published rules (no official code exists): columns are compared as
 * multisets of normalised cells; names, column order and row order do not count, nor do rows have to align. M matched, G gold, P
 * predicted, E = P − M extra columns: recall = M / G, score = max(0, recall − λ · E / P). `perfect` is recall 1 without an
 * extra column and `none` no matched column, whatever λ is.
 */
export const kddColumns: Scorer = tableScorer({
  name: "kdd-columns",
  version: "1",
  options: ["penalty", "names", "thousands"],
  reads: "columns",
  compare(prediction, gold, options) {
    const match = matchColumns(prediction, gold, options.names === "accept");
    const details = {
      ...columnFacts(match, options),
      gold_rows: gold.rows,
      predicted_rows: prediction.rows,
      merged_names: match.merged,
      missed_gold_columns: match.missed.slice(0, MAX_NAMED_COLUMNS),
      extra_names: match.extra
        .slice(0, MAX_NAMED_COLUMNS)
        .map((position) => prediction.columns[position]?.slice(0, MAX_NAME_CHARACTERS) ?? ""),
    };
    return { status: statusOf(match), value: scoreOf(match, options.penalty), reason: null, details };
  },
  withoutPrediction(status, gold, options) {
    const facts = columnFacts({ matched: 0, gold: gold.columns.length, predicted: 0 }, options);
    const unknown = status === "invalid" ? { predicted_columns: null, extra_columns: null } : {};
    return { ...facts, ...unknown, gold_rows: gold.rows };
  },
});

type Counts = Pick<ColumnMatch, "matched" | "gold" | "predicted">;

function statusOf({ matched, gold, predicted }: Counts): Score["status"] {
  if (matched === 0) return "none";
  return matched === gold && matched === predicted ? "perfect" : "partial";
}

function scoreOf({ matched, gold, predicted }: Counts, penalty: number): number {
  if (predicted === 0) return 0;
  return Math.max(0, matched / gold - (penalty * (predicted - matched)) / predicted);
}

function columnFacts(counts: Counts, options: ScorerOptions) {
  return {
    penalty: options.penalty,
    penalty_grid: Object.fromEntries(PENALTY_GRID.map((penalty) => [String(penalty), scoreOf(counts, penalty)])),
    names: options.names,
    recall: counts.matched / counts.gold,
    matched_columns: counts.matched,
    gold_columns: counts.gold,
    predicted_columns: counts.predicted,
    extra_columns: counts.predicted - counts.matched,
  };
}
