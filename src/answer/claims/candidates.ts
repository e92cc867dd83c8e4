/** A span of a claim's comparable text that may be an entity. */
export interface Candidate {
  readonly entity: string;
  readonly start: number;
  readonly end: number;
}
