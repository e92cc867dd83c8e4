import type { Reading } from "../reading/question.js";
import { readSuperlative } from "../reading/superlatives.js";
import { columnValue } from "../sql/plan.js";
import type { ReadField } from "./fields.js";
import type { Instructions } from "./instructions.js";
import { aggregateSql } from "./measures.js";
import type { Relation } from "./relation.js";
import type { Stages } from "./stages.js";
import type { Statistic } from "./statistic.js";

/** The category that a superlative of the task picks, as a common table expression `winner(category)`. */
export interface Winner {
  readonly table: string;
  /** A condition on rows: they are of the category that was picked. */
  readonly condition: string;
}

/** The group with the highest, lowest or most frequent of what the task ranks by; null where it ranks nothing. */
export function readWinner(
  fields: readonly ReadField[],
  reading: Reading,
  relation: Relation,
  staged: Stages,
  how: Instructions,
): Winner | null {
  const category = fields.find(({ statistic }) => statistic.kind === "category")?.category ?? null;
  const superlative = category === null ? null : readSuperlative(reading);
  if (category === null || superlative === null) return null;
  const key = relation.stored(columnValue(category));
  const by = superlative.by;
  const measure =
    by.kind === "value" ? aggregateOf(by.fn, superlative.descending, staged.column(by.value, true), how) : "count(*)";
  const direction = superlative.descending ? "DESC" : "ASC";
  const table = `winner AS (SELECT ${key} AS category FROM ${staged.clean} WHERE ${key} IS NOT NULL GROUP BY 1 ORDER BY ${measure} ${direction} NULLS LAST, 1 LIMIT 1${superlative.skip > 0 ? ` OFFSET ${superlative.skip}` : ""})`;
  return { table, condition: `${key} = (SELECT category FROM winner)` };
}

const KINDS: Readonly<Record<string, Statistic["kind"]>> = {
  avg: "mean",
  sum: "sum",
  median: "median",
  min: "min",
  max: "max",
  stddev_samp: "std",
  var_samp: "variance",
};

function aggregateOf(fn: string | null, descending: boolean, column: string, how: Instructions): string {
  const kind = fn === null ? (descending ? "max" : "min") : (KINDS[fn] ?? "mean");
  return kind === "quantile" ? `median(${column})` : (aggregateSql({ kind }, column, how) ?? `max(${column})`);
}
