import { DEFAULT_SEED, mulberry32 } from "./random.js";

/** Up to so many sign patterns all of them are looked at: 16 tasks. */
const MAX_EXACT_FLIPS = 65_536;
const DRAWN_FLIPS = 10_000;

/** `less`: is the mean below 0; `greater`: above it. */
export type Alternative = "two-sided" | "less" | "greater";

export interface SignFlip {
  readonly p: number;
  /** Sign patterns that were looked at. */
  readonly flips: number;
  /** All of them, or `flips` drawn with `seed`. */
  readonly exact: boolean;
  /** Null where nothing was drawn. */
  readonly seed: number | null;
}

/**
 * The sign-flip permutation test of paired differences: if nothing changed, each difference was as likely to have the other
 * sign. p is the share of patterns whose sum is at least as extreme as the one seen; when drawn, (1 + #) / (1 + R). Null of
 * no differences.
 */
export function signFlip(
  differences: readonly number[],
  alternative: Alternative = "two-sided",
  seed: number = DEFAULT_SEED,
): SignFlip | null {
  if (differences.length === 0) return null;
  const isExtreme = extremeTest(differences, alternative);
  const patterns = 2 ** differences.length;
  if (patterns <= MAX_EXACT_FLIPS) {
    return { p: countExtreme(differences, 0, 0, isExtreme) / patterns, flips: patterns, exact: true, seed: null };
  }
  const extreme = countDrawn(differences, isExtreme, seed);
  return { p: (1 + extreme) / (1 + DRAWN_FLIPS), flips: DRAWN_FLIPS, exact: false, seed };
}

/** Sums that are equal but for rounding count as equal. */
function extremeTest(differences: readonly number[], alternative: Alternative): (sum: number) => boolean {
  const seen = differences.reduce((sum, difference) => sum + difference, 0);
  const rounding = 1e-9 * differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
  switch (alternative) {
    case "two-sided":
      return (sum) => Math.abs(sum) >= Math.abs(seen) - rounding;
    case "less":
      return (sum) => sum <= seen + rounding;
    case "greater":
      return (sum) => sum >= seen - rounding;
  }
}

/** Patterns of the differences from `index` on, on top of `sum`, that are extreme. */
function countExtreme(
  differences: readonly number[],
  index: number,
  sum: number,
  isExtreme: (sum: number) => boolean,
): number {
  const difference = differences[index];
  if (difference === undefined) return isExtreme(sum) ? 1 : 0;
  return (
    countExtreme(differences, index + 1, sum + difference, isExtreme) +
    countExtreme(differences, index + 1, sum - difference, isExtreme)
  );
}

/** Drawn patterns that are extreme. A number drawn gives the signs of 32 differences; a 0 needs none. */
function countDrawn(differences: readonly number[], isExtreme: (sum: number) => boolean, seed: number): number {
  const changed = Float64Array.from(differences.filter((difference) => difference !== 0));
  const random = mulberry32(seed);
  let extreme = 0;
  for (let flip = 0; flip < DRAWN_FLIPS; flip++) {
    let sum = 0;
    let signs = 0;
    for (let i = 0; i < changed.length; i++) {
      signs = i % 32 === 0 ? (random() * 2 ** 32) | 0 : signs >> 1;
      sum += (changed[i] ?? 0) * (((signs & 1) << 1) - 1);
    }
    if (isExtreme(sum)) extreme++;
  }
  return extreme;
}
