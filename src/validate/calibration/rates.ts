import { type Interval, wilson } from "../../stats/intervals.js";
import type { Label, RuledExample, Ruling } from "./example.js";

/** How often something came about, over examples that were heard. */
export interface Rate {
  /** Examples. */
  readonly n: number;
  /** 0 … 1, the mean over examples of the share of their repeats; null of none. */
  readonly rate: number | null;
  /** Wilson's 95 % interval; null of none. */
  readonly ci95: Interval | null;
}

/** How good examples fare, and how bad ones do. */
export interface BothRates {
  /** Good examples that pass. */
  readonly pass: Rate;
  /** Bad examples that are refused. */
  readonly interception: Rate;
}

/** At a threshold; null: as the judge ruled. */
export function ratesAt(ruled: readonly RuledExample[], threshold: number | null): BothRates {
  return {
    pass: rateOf(labelled(ruled, "good"), "passed", threshold),
    interception: rateOf(labelled(ruled, "bad"), "refused", threshold),
  };
}

export const labelled = (ruled: readonly RuledExample[], label: Label): readonly RuledExample[] =>
  ruled.filter(({ example }) => example.label === label);

/** A malformed verdict is in n and counts for neither; a judge that was not heard is not in n. */
export function rateOf(ruled: readonly RuledExample[], wanted: "passed" | "refused", threshold: number | null): Rate {
  const shares = ruled.flatMap(({ rulings }) => {
    const heard = rulings.filter(({ kind }) => kind !== "unheard");
    if (heard.length === 0) return [];
    return [heard.filter((ruling) => kindAt(ruling, threshold) === wanted).length / heard.length];
  });
  const sum = shares.reduce((all, share) => all + share, 0);
  const n = shares.length;
  return { n, rate: n === 0 ? null : sum / n, ci95: wilson(sum, n) };
}

/** What a ruling would be if scores parted at `threshold`; without a score it is what it is. */
function kindAt(ruling: Ruling, threshold: number | null): Ruling["kind"] {
  if (threshold === null || !("score" in ruling) || ruling.score === null) return ruling.kind;
  return ruling.score >= threshold ? "passed" : "refused";
}
