/** How an entity is found in a claim: by its ending, by its marks, or by its likeness to a value of the domain. */
export const EXTRACT_MODES = ["suffix", "quoted", "domain"] as const;
export type ExtractMode = (typeof EXTRACT_MODES)[number];

/** One check of a conclusion, or of a prediction's column, against the values that a database really holds (seed 2). */
export interface ClaimCheck {
  /** Says to a person what is checked. */
  readonly name: string;
  /** Asks for the legal values, one column. A first line `-- name` picks the connection. */
  readonly domain_sql: string;
  /** Only sentences with one of these are claims. Of no use where `column` is given. */
  readonly anchors: readonly string[];
  readonly extract: ExtractMode;
  /** Endings of names beside the built-in ones, literally. */
  readonly entity_suffixes: readonly string[];
  /** A span with one of these, or with a built-in one, names nothing. */
  readonly generic_terms: readonly string[];
  /** Words, beside the built-in ones, that say that an entity has no entries. */
  readonly zero_use_terms: readonly string[];
  /** Reconciles this column of the prediction instead of the conclusion. */
  readonly column: string | null;
}
