/** The seed of everything that is drawn in a statistic, printed beside it. */
export const DEFAULT_SEED = 42;

/** The mulberry32 generator: numbers in [0, 1) with 32 bits, the same sequence for a seed on every machine. */
export function mulberry32(seed: number): () => number {
  // Whole numbers of 32 bits with a sign throughout: engines do not box those.
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
