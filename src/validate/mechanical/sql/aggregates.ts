import { nodesOf, type SqlNode, textUnder } from "../sql-tree.js";

/** Aggregates whose value changes when rows are repeated. */
export const MEASURES: readonly string[] = [
  "sum",
  "fsum",
  "kahan_sum",
  "avg",
  "mean",
  "favg",
  "median",
  "stddev",
  "stddev_samp",
  "stddev_pop",
  "variance",
  "var_samp",
  "var_pop",
  "quantile",
  "quantile_cont",
  "quantile_disc",
  "corr",
  "covar_pop",
  "covar_samp",
  "regr_slope",
  "skewness",
  "kurtosis",
  "mode",
  "product",
];

/** Aggregates whose value depends on the order of rows, or on which of equal rows comes first. */
export const BY_ORDER: readonly string[] = [
  "first",
  "last",
  "any_value",
  "arbitrary",
  "arg_min",
  "arg_max",
  "argmin",
  "argmax",
  "min_by",
  "max_by",
  "string_agg",
  "group_concat",
  "listagg",
  "list",
  "array_agg",
  "mode",
];

const OTHERS: readonly string[] = [
  "count",
  "count_star",
  "count_if",
  "countif",
  "min",
  "max",
  "bool_and",
  "bool_or",
  "bit_and",
  "bit_or",
  "approx_count_distinct",
  "approx_quantile",
  "histogram",
  "entropy",
  "mad",
];

const AGGREGATES = new Set([...MEASURES, ...BY_ORDER, ...OTHERS]);

/** A call of an aggregate function, not as a window. */
export function isAggregate(node: SqlNode): boolean {
  return node.class === "FUNCTION" && AGGREGATES.has(textUnder(node, "function_name").toLowerCase());
}

/** Whether an expression can be computed from one row: no aggregate, window or subquery in it. */
export function isOfOneRow(expression: SqlNode): boolean {
  for (const node of nodesOf(expression)) {
    if (node.class === "WINDOW" || node.class === "SUBQUERY" || isAggregate(node)) return false;
  }
  return true;
}
