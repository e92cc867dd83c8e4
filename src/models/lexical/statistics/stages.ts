import type { Value } from "../sql/plan.js";
import type { Feature } from "./features.js";
import type { ReadField } from "./fields.js";
import type { Instructions, MissingRule, OutlierRule, Transform } from "./instructions.js";
import type { Relation } from "./relation.js";

/** Relations from the rows as they are to the rows that are left, and the columns in them. */
export interface Stages {
  /** Common table expressions after `base`. */
  readonly tables: readonly string[];
  /** All rows, missing values filled and columns transformed as told. */
  readonly work: string;
  /** `work` without outliers; the same where nothing is an outlier. */
  readonly clean: string;
  /** A condition on `work` that outliers meet; null where the task knows none. */
  readonly isOutlier: string | null;
  /** The column of a value in `work` and `clean`: transformed, or as it was. */
  readonly column: (value: Value, transformed: boolean) => string;
  /** The column whose outliers are meant. */
  readonly outlierColumn: string | null;
}

export function stages(
  fields: readonly ReadField[],
  how: Instructions,
  relation: Relation,
  features: readonly Feature[],
): Stages {
  const zeroed = new Set(
    features.filter((feature) => feature.zeroForNone).map((feature) => JSON.stringify(feature.value)),
  );
  const plain = (value: Value) =>
    zeroed.has(JSON.stringify(value)) ? `coalesce(${relation.numeric(value)}, 0)` : relation.numeric(value);
  const main = fields.find(({ values }) => values.length > 0)?.values[0] ?? null;
  const filled = (value: Value) => fill(plain(value), how.missing);
  const column = (value: Value, transformed: boolean) => {
    const whole = filled(value);
    return transformed && main !== null && isMain(value, main) ? transform(whole, how.transform) : whole;
  };
  const numeric = fields.filter(({ statistic }) => !["count", "outlier-list", "category"].includes(statistic.kind));
  const outlierValue = numeric.find(({ values }) => values.length > 0)?.values[0] ?? main;
  if (how.outliers === null || outlierValue === null) {
    return { tables: [], work: "base", clean: "base", isOutlier: null, column, outlierColumn: null };
  }
  const x = column(outlierValue, true);
  const isOutlier = outlierCondition(x, how.outliers);
  return {
    tables: [`clean AS (SELECT * FROM base WHERE NOT coalesce(${isOutlier}, false))`],
    work: "base",
    clean: "clean",
    isOutlier,
    column,
    outlierColumn: x,
  };
}

const isMain = (value: Value, main: Value) => JSON.stringify(value) === JSON.stringify(main);

function fill(column: string, rule: MissingRule): string {
  switch (rule) {
    case "leave-out":
      return column;
    case "fill-mean":
      return `coalesce(${column}, (SELECT avg(${column}) FROM base))`;
    case "fill-median":
      return `coalesce(${column}, (SELECT median(${column}) FROM base))`;
    case "fill-mode":
      return `coalesce(${column}, (SELECT mode(${column} ORDER BY ${column}) FROM base))`;
    case "fill-zero":
      return `coalesce(${column}, 0)`;
  }
}

function transform(column: string, how: Transform | null): string {
  switch (how) {
    case null:
      return column;
    case "ln":
    case "log10":
    case "log2":
      return `${how}(CASE WHEN ${column} > 0 THEN ${column} END)`;
    case "sqrt":
      return `sqrt(CASE WHEN ${column} >= 0 THEN ${column} END)`;
    case "min-max":
      return `((${column} - (SELECT min(${column}) FROM base)) * 1.0 / (SELECT max(${column}) - min(${column}) FROM base))`;
    case "standardise":
      return `((${column} - (SELECT avg(${column}) FROM base)) / (SELECT stddev_pop(${column}) FROM base))`;
  }
}

function outlierCondition(x: string, rule: OutlierRule): string {
  if (rule.kind === "z-score") {
    return `abs(${x} - (SELECT avg(${x}) FROM base)) > ${rule.threshold} * (SELECT stddev_pop(${x}) FROM base)`;
  }
  const q1 = `(SELECT quantile_cont(${x}, 0.25) FROM base)`;
  const q3 = `(SELECT quantile_cont(${x}, 0.75) FROM base)`;
  return `(${x} < ${q1} - ${rule.factor} * (${q3} - ${q1}) OR ${x} > ${q3} + ${rule.factor} * (${q3} - ${q1}))`;
}
