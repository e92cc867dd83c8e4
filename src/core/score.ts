/** What a scorer says of one prediction. `value` is null exactly where `status` is `unscored`. */
export interface Score {
  readonly status: "perfect" | "partial" | "none" | "missing" | "invalid" | "unscored";
  /** 0 … 1. */
  readonly value: number | null;
  /** Why it is missing, invalid or unscored; null otherwise. */
  readonly reason: string | null;
  /** Scorer-specific facts; never cells of the gold table. */
  readonly details: Readonly<Record<string, unknown>>;
}
