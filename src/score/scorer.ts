import { UsageError } from "../core/errors.js";
import { SCORER_NAMES } from "../core/profile.js";
import type { Score } from "../core/score.js";
import { cellF1 } from "./cell-f1.js";
import { exactTable } from "./exact-table.js";
import type { Gold } from "./gold.js";
import { kddColumns } from "./kdd-columns.js";
import { text } from "./text.js";

export type ScorerName = (typeof SCORER_NAMES)[number];

/** What a score may depend on beside prediction and gold: the profile's `scoring`, overlaid with the task's checks. */
export interface ScorerOptions {
  /** λ of kdd-columns, from 0. */
  readonly penalty: number;
  /** Whether kdd-columns takes first + last name for a full name. */
  readonly names: "accept" | "strict";
  /** Whether `1,234` is a number. */
  readonly thousands: boolean;
  /** How far apart two numbers may be for `text`. */
  readonly tolerance: number;
}

export interface Scorer {
  readonly name: ScorerName;
  /** Goes into the log; changes whenever a prediction could get another score. */
  readonly version: string;
  /** The options that its value depends on. */
  readonly options: readonly (keyof ScorerOptions)[];
  /**
   * Scores one prediction file; null is a trial without an answer. Whatever is in the files comes back as a status: no or
   * unreadable prediction is 0 (`missing`, `invalid`), no or unreadable gold is `unscored`. Rejects only on bugs.
   */
  score(prediction: string | null, gold: Gold, options: ScorerOptions): Promise<Score>;
}

const scorers: Readonly<Record<ScorerName, Scorer>> = {
  "kdd-columns": kddColumns,
  "exact-table": exactTable,
  "cell-f1": cellF1,
  text,
};

/** The scorer of that name. Throws UsageError with the known names. */
export function scorerNamed(name: string): Scorer {
  const known = SCORER_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw new UsageError(`"${name}" is not a scorer: known are ${SCORER_NAMES.join(", ")}`);
  return scorers[known];
}

/** The version that a scorer has now; null where there is none of that name. */
export function scorerVersion(name: string): string | null {
  const known = SCORER_NAMES.find((candidate) => candidate === name);
  return known === undefined ? null : scorers[known].version;
}
