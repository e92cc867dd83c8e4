import type { RuledExample } from "./example.js";
import { type BothRates, ratesAt } from "./rates.js";

export interface ThresholdRow extends BothRates {
  readonly passed_at: number;
}

/** What a threshold is to reach. */
export interface Targets {
  /** 0 … 1, of good examples. */
  readonly pass: number;
  /** 0 … 1, of bad ones. */
  readonly interception: number;
}

/** Thresholds that are tried: 0.5, 0.55, … 1, and the one in force. */
const TRIED = Array.from({ length: 11 }, (_, step) => (50 + 5 * step) / 100);

/** How the examples would fare at each threshold, lowest first; empty where the judge gives no scores. */
export function thresholdRows(ruled: readonly RuledExample[], inForce: number): readonly ThresholdRow[] {
  const scored = ruled.some(({ rulings }) => rulings.some((ruling) => "score" in ruling && ruling.score !== null));
  if (!scored) return [];
  return [...new Set([...TRIED, inForce])]
    .sort((a, b) => a - b)
    .map((passed_at) => ({ passed_at, ...ratesAt(ruled, passed_at) }));
}

/**
 * The threshold that serves best: of those that reach both targets, else of those with the greatest sum of both rates, the one nearest to the
 * one in force. Null where there are no rows, or only good or only bad examples.
 */
export function bestThreshold(rows: readonly ThresholdRow[], inForce: number, targets: Targets): number | null {
  const rated = rows.flatMap(({ passed_at, pass, interception }) =>
    pass.rate === null || interception.rate === null
      ? []
      : [{ passed_at, pass: pass.rate, interception: interception.rate, sum: pass.rate + interception.rate }],
  );
  const reaching = rated.filter((row) => row.pass >= targets.pass && row.interception >= targets.interception);
  const most = Math.max(...rated.map(({ sum }) => sum));
  const eligible = reaching.length > 0 ? reaching : rated.filter(({ sum }) => sum === most);
  const nearest = eligible.toSorted((a, b) => Math.abs(a.passed_at - inForce) - Math.abs(b.passed_at - inForce));
  return nearest[0]?.passed_at ?? null;
}
