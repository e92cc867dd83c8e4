import type { Instructions } from "./instructions.js";
import type { Statistic } from "./statistic.js";

/** Statistics of one numeric column that one aggregate gives. `column` is SQL. Null for statistics of another kind. */
export function aggregateSql(
  statistic: Statistic,
  column: string,
  how: Pick<Instructions, "population" | "biased">,
): string | null {
  const own = how.population ? "pop" : "samp";
  switch (statistic.kind) {
    case "mean":
      return `avg(${column})`;
    case "median":
      return `median(${column})`;
    case "mode":
      return `mode(${column} ORDER BY ${column})`;
    case "std":
      return `stddev_${own}(${column})`;
    case "variance":
      return `var_${own}(${column})`;
    case "min":
      return `min(${column})`;
    case "max":
      return `max(${column})`;
    case "range":
      return `max(${column}) - min(${column})`;
    case "sum":
      return `sum(${column})`;
    case "skewness":
      return how.biased
        ? `skewness(${column}) * (count(${column}) - 2) / sqrt(count(${column}) * (count(${column}) - 1))`
        : `skewness(${column})`;
    case "kurtosis":
      return how.biased ? `kurtosis_pop(${column})` : `kurtosis(${column})`;
    case "quantile":
      return `quantile_cont(${column}, ${statistic.at})`;
    case "iqr":
      return `quantile_cont(${column}, 0.75) - quantile_cont(${column}, 0.25)`;
    case "distinct":
      return `count(DISTINCT ${column})`;
    default:
      return null;
  }
}

/** Statistics of two numeric columns. `dependent` comes second in words, first in SQL. */
export function pairSql(statistic: Statistic, first: string, second: string): string | null {
  switch (statistic.kind) {
    case "correlation":
      return `corr(${first}, ${second})`;
    case "slope":
      return `regr_slope(${second}, ${first})`;
    case "intercept":
      return `regr_intercept(${second}, ${first})`;
    case "r-squared":
      return `regr_r2(${second}, ${first})`;
    case "mse":
      return `regr_syy(${second}, ${first}) * (1 - regr_r2(${second}, ${first})) / regr_count(${second}, ${first})`;
    case "rmse":
      return `sqrt(regr_syy(${second}, ${first}) * (1 - regr_r2(${second}, ${first})) / regr_count(${second}, ${first}))`;
    default:
      return null;
  }
}
