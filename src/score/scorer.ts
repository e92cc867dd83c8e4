import type { Connections } from "../context/connections/connection.js";
import { UsageError } from "../core/errors.js";
import type { DomainQuery } from "../core/ports/domain-query.js";
import { SCORER_NAMES } from "../core/profile.js";
import type { Score } from "../core/score.js";
import { cellF1 } from "./cell-f1.js";
import { claims } from "./claims-scorer.js";
import { exactTable } from "./exact-table.js";
import type { Gold } from "./gold.js";
import { kddColumns } from "./kdd-columns.js";
import { lineFormat } from "./line-format-scorer.js";
import { text } from "./text.js";

type ScorerName = (typeof SCORER_NAMES)[number];

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

/** What a trial brought. */
export interface Answer {
  /** Path of prediction.csv; null: a trial without an answer. */
  readonly prediction: string | null;
  /** Path of the conclusion in words; null where there is none. */
  readonly conclusion: string | null;
}

/** Opens what a task's claim checks ask for legal values: its own data and the connections of its checks. */
export type OpenDomains = (connections: Connections) => DomainQuery;

export interface Scorer {
  readonly name: string;
  /** Goes into the log; changes whenever a prediction could get another score. */
  readonly version: string;
  /** The options that its value depends on. */
  readonly options: readonly (keyof ScorerOptions)[];
  /**
   * Scores one answer. Whatever is in the files comes back as a status: no or unreadable prediction is 0 (`missing`,
   * `invalid`), no or unreadable gold is `unscored`. Rejects only on bugs.
   */
  score(answer: Answer, gold: Gold, options: ScorerOptions, domains: OpenDomains): Promise<Score>;
  /**
   * What a score depends on beside the answer, the options and the bytes of gold and checks: the legal values that checks
   * get from databases. Goes into the basis of the score.
   */
  readonly outside?: (gold: Gold, domains: OpenDomains) => Promise<unknown>;
}

const scorers: Readonly<Record<ScorerName, Scorer>> = {
  "kdd-columns": kddColumns,
  "exact-table": exactTable,
  "cell-f1": cellF1,
  text,
  claims,
  "line-format": lineFormat,
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
