import { contentWords } from "./words.js";

/** Plans whose content words overlap so much (Jaccard) are the same plan (seed 3, section 5: a hash is escaped by rewording). */
const SAME_PLAN = 0.6;

/** The content words of a plan's goals. */
export function fingerprintOf(plan: readonly { readonly goal: string }[]): string[] {
  return contentWords(plan.map(({ goal }) => goal).join("\n"));
}

/** Whether a plan is one of those that failed before, reworded or not. True synonyms are not recognised. */
export function isDeadEnd(fingerprint: readonly string[], deadEnds: readonly (readonly string[])[]): boolean {
  return deadEnds.some((words) => jaccard(fingerprint, words) >= SAME_PLAN);
}

/** Shared members over all members, 0 … 1; of two empty sets 1. */
function jaccard(left: readonly string[], right: readonly string[]): number {
  const other = new Set(right);
  const shared = new Set(left.filter((word) => other.has(word))).size;
  const all = new Set([...left, ...right]).size;
  return all === 0 ? 1 : shared / all;
}
