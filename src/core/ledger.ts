/** What the process validator remembers from one check to the next. It alone ever reads it: never the agent, never the answer validator. */
export interface SemanticLedger {
  readonly intent_summary: string;
  readonly verified_claims: readonly string[];
  readonly unverified_assumptions: readonly string[];
  readonly unresolved_ambiguities: readonly string[];
  readonly drift_risks: readonly string[];
}
