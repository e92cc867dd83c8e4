import { tQuantile } from "./distributions.js";

export type Interval = readonly [low: number, high: number];

/** z of a two-sided 95 % interval. */
const Z95 = 1.959963984540054;

/** The arithmetic mean; null of nothing. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The sample variance (ddof 1), exactly 0 where all values are equal; null of fewer than two. */
export function variance(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  if (values.every((value) => value === values[0])) return 0;
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
}

/** Standard error of the mean of independent values: sd (ddof 1) / √n; null of fewer than two. */
export function standardError(values: readonly number[]): number | null {
  const spread = variance(values);
  return spread === null ? null : Math.sqrt(spread / values.length);
}

/** centre ± t(.975, df) · stderr, not clipped. */
export function tInterval(centre: number, stderr: number, df: number): Interval {
  const half = tQuantile(0.975, df) * stderr;
  return [centre - half, centre + half];
}

/** Wilson's 95 % interval of a share of `units`, `successes` need not be whole; null of no units. */
export function wilson(successes: number, units: number): Interval | null {
  if (units <= 0) return null;
  const share = successes / units;
  const weight = Z95 ** 2 / units;
  const centre = (share + weight / 2) / (1 + weight);
  const half = (Z95 / (1 + weight)) * Math.sqrt((share * (1 - share)) / units + weight / (4 * units));
  return clip([centre - half, centre + half], 0, 1);
}

/** The part of an interval that lies between two bounds. */
export function clip([low, high]: Interval, least: number, most: number): Interval {
  return [Math.min(Math.max(low, least), most), Math.min(Math.max(high, least), most)];
}

/** The p-quantile of sorted values, linear between neighbours: h = (n − 1) p. Null of nothing. */
export function percentile(sorted: readonly number[] | Float64Array, p: number): number | null {
  const h = (sorted.length - 1) * p;
  const lower = sorted[Math.floor(h)];
  const upper = sorted[Math.ceil(h)];
  return lower === undefined || upper === undefined ? null : lower + (h - Math.floor(h)) * (upper - lower);
}
