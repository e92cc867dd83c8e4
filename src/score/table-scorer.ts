import type { Score } from "../core/score.js";
import { readTable, type Tables } from "./read-large-table.js";
import type { Scorer, ScorerOptions } from "./scorer.js";

/** A scorer that compares a prediction table with a gold table. */
export interface TableScorer<Kind extends keyof Tables> extends Pick<Scorer, "name" | "version" | "options"> {
  /** What it reads the files down to. */
  readonly reads: Kind;
  /** Pure. Two readable tables → a score. */
  readonly compare: (prediction: Tables[Kind], gold: Tables[Kind], options: ScorerOptions) => Score;
  /** Details of a score of 0 without a table to compare. */
  readonly withoutPrediction: (
    status: "missing" | "invalid",
    gold: Tables[Kind],
    options: ScorerOptions,
  ) => Score["details"];
}

/** Adds to a comparison of tables what becomes of files that are missing or no tables: the same for every such scorer. */
export function tableScorer<Kind extends keyof Tables>({
  reads,
  compare,
  withoutPrediction,
  ...scorer
}: TableScorer<Kind>): Scorer {
  return {
    ...scorer,
    async score({ prediction }, gold, options) {
      if (gold.file === null) return unscored("there is no gold.csv");
      const [wanted, given] = await Promise.all([
        readTable(reads, gold.file, options),
        prediction === null ? null : readTable(reads, prediction, options),
      ]);
      if (!wanted.ok) return unscored(`gold.csv cannot be used: ${wanted.reason}`);
      const zero = (status: "missing" | "invalid", reason: string): Score => ({
        status,
        value: 0,
        reason,
        details: withoutPrediction(status, wanted.table, options),
      });
      if (given === null) return zero("missing", "there is no prediction");
      if (!given.ok) return zero(given.missing ? "missing" : "invalid", given.reason);
      return compare(given.table, wanted.table, options);
    },
  };
}

/** No score at all, which is not 0. */
export function unscored(reason: string, details: Score["details"] = {}): Score {
  return { status: "unscored", value: null, reason, details };
}

/** A score from 0 to 1 with the status that it has by itself. */
export function scored(value: number, details: Score["details"]): Score {
  return { status: value === 1 ? "perfect" : value === 0 ? "none" : "partial", value, reason: null, details };
}
