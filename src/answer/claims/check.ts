/**
 * `red`: an entity that is not in the domain. `warn`: not in it, but said to have no entries; or nothing to reconcile.
 * `error`: the domain could not be had. A check without findings is passed.
 */
export type FindingLevel = "red" | "warn" | "error";

export interface Finding {
  /** The check's name. */
  readonly check: string;
  readonly level: FindingLevel;
  /** As the conclusion writes it, after NFKC; null where the finding is of no entity. */
  readonly entity: string | null;
  /** The sentence that makes the claim, as it stands in the conclusion; null for columns and where there is none. */
  readonly sentence: string | null;
  /** Values of the domain that are most like the entity, most like first. */
  readonly nearest: readonly string[];
  /** One sentence for a person. */
  readonly detail: string;
}

/** What a check came to. `unchecked`: there was nothing that could be reconciled, which is not the same as passed. */
export interface CheckResult {
  readonly check: string;
  readonly state: "passed" | "red" | "unchecked";
  readonly findings: readonly Finding[];
}
