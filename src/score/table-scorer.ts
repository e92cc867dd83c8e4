import type { Score } from "../core/score.js";
import type { Reading } from "./read-table.js";
import type { Scorer, ScorerOptions } from "./scorer.js";

/** A scorer that compares a prediction table with a gold table. */
export interface TableScorer<Table> extends Pick<Scorer, "name" | "version" | "options"> {
  readonly read: (file: string, options: ScorerOptions) => Promise<Reading<Table>>;
  /** Pure. Two readable tables → a score. */
  readonly compare: (prediction: Table, gold: Table, options: ScorerOptions) => Score;
  /** Details of a score of 0 without a table to compare. */
  readonly withoutPrediction: (status: "missing" | "invalid", gold: Table, options: ScorerOptions) => Score["details"];
}

/** Adds to a comparison of tables what becomes of files that are missing or no tables: the same for every such scorer. */
export function tableScorer<Table>({ read, compare, withoutPrediction, ...scorer }: TableScorer<Table>): Scorer {
  return {
    ...scorer,
    async score({ prediction }, gold, options) {
      if (gold.file === null) return unscored("there is no gold.csv");
      const wanted = await read(gold.file, options);
      if (!wanted.ok) return unscored(`gold.csv cannot be used: ${wanted.reason}`);
      const zero = (status: "missing" | "invalid", reason: string): Score => ({
        status,
        value: 0,
        reason,
        details: withoutPrediction(status, wanted.table, options),
      });
      if (prediction === null) return zero("missing", "there is no prediction");
      const given = await read(prediction, options);
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
