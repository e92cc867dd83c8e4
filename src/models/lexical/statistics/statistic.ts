import { spacedName } from "../schema/name-words.js";
import type { AnswerField } from "./answer-format.js";

/** A statistic that needs nothing but its name. */
export interface PlainStatistic {
  readonly kind:
    | "mean"
    | "median"
    | "mode"
    | "std"
    | "variance"
    | "min"
    | "max"
    | "range"
    | "sum"
    | "skewness"
    | "kurtosis"
    | "iqr"
    | "count"
    | "distinct"
    | "share"
    | "missing-count"
    | "missing-share"
    | "has-missing"
    | "outlier-count"
    | "outlier-list"
    | "outlier-share"
    | "correlation"
    | "p-value"
    | "test-statistic"
    | "is-normal"
    | "relationship"
    | "significance"
    | "slope"
    | "intercept"
    | "r-squared"
    | "mse"
    | "rmse"
    /** The category that a superlative picks. */
    | "category";
}

/** What a value of an answer is. */
export type Statistic = PlainStatistic | { readonly kind: "quantile"; readonly at: number };

interface Rule {
  readonly statistic: Statistic;
  /** Every one of these must be among the words. */
  readonly words: readonly RegExp[];
}

const rule = (kind: PlainStatistic["kind"], ...words: RegExp[]): Rule => ({ statistic: { kind }, words });
const quantile = (at: number, ...words: RegExp[]): Rule => ({ statistic: { kind: "quantile", at }, words });

const MANY = /^(count|number|num|n|no|total|many|quantity|amount)s?$/;
const SHARE = /^(percentage|percent|pct|perc|proportion|share|fraction|ratio|rate)s?$/;
const OUTLIER = /^(outlier|anomaly|anomalie)s?$/;
const MISSING = /^(missing|null|nan|na|nul|absent|empty)s?$/;

/** Tried in this order: the first whose words are all there holds. */
const RULES: readonly Rule[] = [
  rule("has-missing", MISSING, /^(has|have|any|is|contain|exist)$/),
  rule("missing-share", MISSING, SHARE),
  rule("missing-count", MISSING),
  rule("std", /^(std|stdev|stddev|sd|standard|deviation|dev|stdv)s?$/),
  rule("variance", /^(variance|var)s?$/),
  rule("median", /^(median|med)s?$/),
  rule("mean", /^(mean|average|avg)s?$/),
  rule("outlier-share", OUTLIER, SHARE),
  rule("outlier-count", OUTLIER, MANY),
  rule("p-value", /^(p|pval|pvalue)s?$/, /^(val|value|pval|pvalue)s?$/),
  rule("p-value", /^(pval|pvalue)s?$/),
  rule("is-normal", /^(normal|normality|normally|gaussian)$/),
  rule("relationship", /^(relationship|relation|association|direction)$/),
  rule("significance", /^(significant|significance|significantly|reject|rejected|hypothesis)$/),
  rule("r-squared", /^(r2|rsquared|squared|determination)$/),
  rule("rmse", /^rmse?$/),
  rule("mse", /^mse?$/),
  rule("slope", /^slopes?$/),
  rule("intercept", /^intercept$/),
  rule("correlation", /^(corr|correlation|pearson|spearman|kendall)$/),
  rule("skewness", /^skew(ness)?$/),
  rule("kurtosis", /^kurt(osis)?$/),
  rule("iqr", /^iqr$/),
  rule("iqr", /^interquartile$/),
  quantile(0.25, /^(q1|first|lower|25|25th)$/, /^(quartile|percentile)s?$/),
  quantile(0.25, /^q1$/),
  quantile(0.75, /^(q3|third|upper|75|75th)$/, /^(quartile|percentile)s?$/),
  quantile(0.75, /^q3$/),
  quantile(0.5, /^q2$/),
  rule("mode", /^mode$/),
  rule("range", /^ranges?$/),
  rule("min", /^(min|minimum|lowest|smallest|least)$/),
  rule("max", /^(max|maximum|highest|largest|most|peak)$/),
  rule("test-statistic", /^(statistic|stat|statistics|shapiro|w|tstat|zstat|fstat|chi2|chisquare)$/),
  rule("correlation", /^(coefficient|coeff|coef|r)s?$/),
  rule("distinct", /^(unique|distinct|different)$/),
  rule("share", SHARE),
  rule("sum", /^(sum|total)$/),
  rule("outlier-list", OUTLIER),
  rule("count", MANY),
];

/** The statistic that a field's name, else its placeholder, asks for; null if neither says. */
export function statisticOf(field: Pick<AnswerField, "name" | "placeholder">): Statistic | null {
  return statisticIn(plainWords(field.name)) ?? statisticIn(plainWords(field.placeholder));
}

/** The words of a name or sentence, lower case, as they stand. */
export function plainWords(text: string): readonly string[] {
  return spacedName(text).toLowerCase().split(" ").filter(Boolean);
}

/** The statistic that some words ask for. */
export function statisticIn(words: readonly string[]): Statistic | null {
  const percentile = percentileIn(words);
  if (percentile !== null) return percentile;
  return (
    RULES.find(({ words: needed }) => needed.every((pattern) => words.some((word) => pattern.test(word))))?.statistic ??
    null
  );
}

function percentileIn(words: readonly string[]): Statistic | null {
  if (!words.some((word) => /^percentile/.test(word))) return null;
  const at = words.map((word) => /^p?(\d{1,2})(th|st|nd|rd)?$/.exec(word)?.[1]).find((found) => found !== undefined);
  return at === undefined ? null : { kind: "quantile", at: Number(at) / 100 };
}
