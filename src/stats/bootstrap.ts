import { type Interval, percentile, variance } from "./intervals.js";
import { DEFAULT_SEED, mulberry32 } from "./random.js";

export interface Bootstrap {
  /** sd (ddof 1) of the resampled means. */
  readonly stderr: number;
  /** Percentile interval. */
  readonly ci95: Interval;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * Resamples tasks with replacement, one draw a pick, and looks at how their mean spreads. `values` are task means, or paired
 * differences. Null of fewer than two.
 */
export function bootstrap(
  values: readonly number[],
  { resamples = 10_000, seed = DEFAULT_SEED }: { readonly resamples?: number; readonly seed?: number } = {},
): Bootstrap | null {
  if (values.length < 2) return null;
  const means = resampledMeans(Float64Array.from(values), resamples, mulberry32(seed)).sort();
  const spread = variance([...means]);
  const low = percentile(means, 0.025);
  const high = percentile(means, 0.975);
  if (spread === null || low === null || high === null) return null;
  return { stderr: Math.sqrt(spread), ci95: [low, high], resamples, seed };
}

function resampledMeans(values: Float64Array, resamples: number, random: () => number): Float64Array {
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0;
    for (let pick = 0; pick < values.length; pick++) sum += values[Math.floor(random() * values.length)] ?? 0;
    means[resample] = sum / values.length;
  }
  return means;
}
