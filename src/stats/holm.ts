/**
 * Holm's adjustment of p values for looking at several questions at once, in the given order: the chance of even one false alarm among them stays below
 * the level that an adjusted value is held against.
 */
export function holm(values: readonly number[]): number[] {
  const order = values.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(values.length).fill(1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    // Never smaller than that of a smaller p.
    least = Math.min(1, Math.max(least, p * (values.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
