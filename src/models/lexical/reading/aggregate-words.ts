import type { AggregateFunction } from "../sql/plan.js";

const WORDS: Readonly<Record<string, AggregateFunction>> = {
  average: "avg",
  avg: "avg",
  mean: "avg",
  total: "sum",
  sum: "sum",
  combined: "sum",
  median: "median",
  mode: "mode",
  maximum: "max",
  max: "max",
  minimum: "min",
  min: "min",
  variance: "var_samp",
};

/** The aggregate that a word asks for; null if it asks for none. */
export function aggregateWord(word: string): AggregateFunction | null {
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? null) : null;
}
