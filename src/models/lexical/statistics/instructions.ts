/** How missing values are to be treated. */
export type MissingRule = "leave-out" | "fill-mean" | "fill-median" | "fill-mode" | "fill-zero";

export type OutlierRule =
  | { readonly kind: "iqr"; readonly factor: number }
  | { readonly kind: "z-score"; readonly threshold: number };

export type Transform = "ln" | "log10" | "log2" | "sqrt" | "min-max" | "standardise";

/** What a task says about how to compute, apart from what to compute. */
export interface Instructions {
  /** Sentences that say what is asked, in their order. */
  readonly asks: readonly string[];
  readonly missing: MissingRule;
  readonly outliers: OutlierRule | null;
  /** Outliers are taken out before the statistics, unless a value says otherwise. */
  readonly removesOutliers: boolean;
  readonly transform: Transform | null;
  /** Divides by n rather than n − 1: numpy's and scipy's habit. */
  readonly population: boolean;
  /** Skewness and kurtosis without the correction for small numbers: scipy's habit. */
  readonly biased: boolean;
  readonly rank: boolean;
  readonly test: "shapiro" | "normaltest" | "t-test" | "welch" | "anova" | "chi-squared" | "correlation" | null;
  readonly alpha: number;
  /** From what absolute correlation on a relationship counts. */
  readonly correlationLimit: number;
}

/** Sorts the sentences of a task into what is asked and how it is to be done. */
export function readInstructions(task: string): Instructions {
  const all = sentencesOf(task);
  const text = task.toLowerCase();
  const asks = all.filter((sentence) => !isInstruction(sentence));
  const outliers = outlierRule(text);
  return {
    asks: asks.length > 0 ? asks : all.slice(0, 1),
    missing: missingRule(text),
    outliers,
    removesOutliers:
      outliers !== null &&
      /\b(remov|prun|exclud|drop|eliminat|filter(?:ing|ed)? out|trim|without|clean|discard)/.test(text),
    transform: transformOf(text),
    population:
      /\bnumpy\b|np\.std|population standard|ddof\s*=\s*0/.test(text) &&
      !/\bpandas\b|sample standard|ddof\s*=\s*1/.test(text),
    biased: /\bscipy\b/.test(text),
    rank: /\bspearman/.test(text),
    test: testOf(text),
    alpha: Number(
      /(?:alpha|significance level)[^.0-9]*(0?\.\d+)/.exec(text)?.[1] ??
        /p[- ]?values?[^.0-9]*(?:less|smaller|lower|below|<)[^.0-9]*(0?\.\d+)/.exec(text)?.[1] ??
        0.05,
    ),
    correlationLimit: limitOf(text),
  };
}

/** Sentences of a task; full stops in numbers, names and abbreviations do not end one. */
function sentencesOf(task: string): readonly string[] {
  return task
    .replaceAll(/^\s*\d+\.\s+/gm, "")
    .split(/(?<=[.!?])\s+(?=["'(]?\p{Lu})|\n+/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

const HOW = [
  /^(?:ignore|omit|disregard|use|utilize|apply the|handle|treat|do not|don't|round|report|assume|convert|ensure|make sure|be sure|note|keep|present|return|express|store|implement|interpret|set the|values? (?:in|of)|the (?:calculation|values?|result|answer|null hypothesis|shapiro|test|significance|p[- ]?value|number should|output|data|outliers?|missing|correlation coefficient should|missing values))\b/i,
  /^(?:if|otherwise|on the other hand|else|when|while|given that|where)\b/i,
  /^(?:identify an outlier as|consider (?:any|a|the) (?:value|relationship|data ?point|correlation|p-value|distribution)|outliers? (?:is|are)|consider the relationship)/i,
  /^(?:exclude|drop|remove|skip|include|filter out|consider only)\b[^.]*\b(?:missing|null|nan|na values|empty|blank|recorded|available|duplicates?|all (?:years|rows|data))\b/i,
  /^(?:missing values|null values|rows with|any rows)/i,
  /\b(?:python|pandas|numpy|scipy|scikit|sklearn|library|libraries)\b.*\b(?:use|using|function|library)\b/i,
  /\bshould be (?:rounded|a number|an integer|in the format|represented|reported)/i,
];

function isInstruction(sentence: string): boolean {
  const asks =
    /^(?:calculate|compute|find|determine|what|which|how|is|are|check|identify (?:the|all|any)|perform|create|analy[sz]e|generate|build|train|count|does|do)\b/i.test(
      sentence,
    );
  if (asks && !/^how (?:do|does)\b/i.test(sentence)) return false;
  return HOW.some((pattern) => pattern.test(sentence));
}

function missingRule(text: string): MissingRule {
  const filled = /\b(?:fill|replac|imput|substitut|handl)\w*\b[^.@]*?\b(mean|average|median|mode|zero|0)\b/.exec(text);
  const about =
    filled === null
      ? false
      : /\b(?:missing|null|nan|na|empty)\b/.test(
          text.slice(Math.max(0, filled.index - 60), filled.index + filled[0].length + 60),
        );
  if (filled === null || !about) return "leave-out";
  const by = filled[1];
  if (by === "median") return "fill-median";
  if (by === "mode") return "fill-mode";
  return by === "zero" || by === "0" ? "fill-zero" : "fill-mean";
}

function outlierRule(text: string): OutlierRule | null {
  if (!/outlier|anomal/.test(text)) return null;
  const factor = Number(/(\d+(?:\.\d+)?)\s*(?:\*|x|×|times)\s*(?:the\s+)?(?:iqr|interquartile)/.exec(text)?.[1] ?? 1.5);
  const byQuartiles = /q1\s*-|\biqr\b|interquartile|quartile/.test(text);
  if (byQuartiles) return { kind: "iqr", factor };
  const threshold = Number(
    /(?:threshold|cutoff|cut-off|z-?score)[^.0-9]*?(?:of|is|>|than|=|\+\/-|±)\s*([0-9]+(?:\.[0-9]+)?)/.exec(
      text,
    )?.[1] ?? 3,
  );
  const deviations = /(\d+(?:\.\d+)?|two|three)\s+standard deviations/.exec(text)?.[1];
  if (deviations !== undefined)
    return { kind: "z-score", threshold: deviations === "two" ? 2 : deviations === "three" ? 3 : Number(deviations) };
  return /z-?\s?score|standard deviation/.test(text) ? { kind: "z-score", threshold } : { kind: "iqr", factor };
}

function transformOf(text: string): Transform | null {
  if (/\blog(?:arithm\w*)?\b/.test(text)) {
    if (/base[- ]?10|log10|base ten|common log/.test(text)) return "log10";
    if (/base[- ]?2|log2/.test(text)) return "log2";
    return /log(?:arithmic)?[- ]?(?:transform|scale|arithm)|natural log|log of|logarithm/.test(text) ? "ln" : null;
  }
  if (/square[- ]root transform/.test(text)) return "sqrt";
  if (/min[- ]?max (?:scal|normal)|normali[sz]e\b.*\b(?:between|range|from) 0|minmaxscaler/.test(text))
    return "min-max";
  return /z-?score (?:normali[sz]|standardi[sz])|\bstandardi[sz]e|standardscaler/.test(text) ? "standardise" : null;
}

function testOf(text: string): Instructions["test"] {
  if (/shapiro/.test(text)) return "shapiro";
  if (/d'agostino|normaltest|omnibus/.test(text)) return "normaltest";
  if (/welch|unequal variance/.test(text)) return "welch";
  if (/\bt-?\s?test/.test(text)) return "t-test";
  if (/\banova\b|analysis of variance/.test(text)) return "anova";
  if (/chi-?\s?squared?/.test(text)) return "chi-squared";
  return /correlation|pearson|spearman/.test(text) ? "correlation" : null;
}

function limitOf(text: string): number {
  const stated =
    /(?:coefficient|\br\b|r value|correlation|absolute value)[^.]*?(?:>=|>|greater than(?: or equal to)?|at least|above|exceed\w*)\s*(?:or equal to\s*)?(0?\.\d+)/.exec(
      text,
    );
  return Number(stated?.[1] ?? 0.5);
}
