import type { Question } from "../reading/question.js";
import { columnValue, type Ref, type Value } from "../sql/plan.js";
import { stemSet } from "../words/stem.js";
import { eitherSql, relationshipSql } from "./decisions.js";
import type { ReadField } from "./fields.js";
import type { Instructions } from "./instructions.js";
import { aggregateSql, pairSql } from "./measures.js";
import type { Relation } from "./relation.js";
import type { Stages } from "./stages.js";
import { plainWords } from "./statistic.js";
import {
  correlationTest,
  independenceTest,
  meansTest,
  normalityTest,
  omnibusTest,
  type TestTables,
  varianceTest,
} from "./tests.js";
import type { Winner } from "./winner.js";

export interface FieldContext {
  readonly how: Instructions;
  readonly relation: Relation;
  readonly staged: Stages;
  /** Columns of categories that the task speaks of. */
  readonly categories: readonly Ref[];
  readonly asked: Question;
  readonly winner: Winner | null;
}

export interface WrittenField {
  /** A scalar. */
  readonly sql: string;
  /** Common table expressions that it needs. */
  readonly tables: readonly string[];
  /** For the conclusion. */
  readonly note: string;
}

/** One value of the answer as a scalar subquery. */
export function fieldSql(read: ReadField, context: FieldContext): WrittenField {
  const { statistic, field } = read;
  const done = (sql: string, tables: readonly string[] = []): WrittenField => ({
    sql,
    tables,
    note: `${field.name}: ${statistic.kind}.`,
  });
  switch (statistic.kind) {
    case "missing-count":
      return done(scalar(`count(*) - count(${rawColumn(read, context)})`, "base", read, context));
    case "missing-share":
      return done(scalar(missingShare(read, context), "base", read, context));
    case "has-missing":
      return done(eitherSql(`(SELECT count(*) > count(${mainColumn(read, context)}) FROM base)`, field.choices));
    case "category":
      return done(context.winner === null ? "NULL" : "(SELECT category FROM winner)");
    case "outlier-count":
      return done(
        scalar(
          `${counted(read, context)} FILTER (WHERE ${context.staged.isOutlier ?? "false"})`,
          "base",
          read,
          context,
        ),
      );
    case "outlier-share":
      return done(
        scalar(
          `100.0 * count(*) FILTER (WHERE ${context.staged.isOutlier ?? "false"}) / count(${mainColumn(read, context)})`,
          "base",
          read,
          context,
        ),
      );
    case "outlier-list":
      return done(outlierList(context));
    case "count":
      return done(scalar("count(*)", relationOf(read, context), read, context));
    case "share":
      return done(shareSql(read, context));
    case "correlation":
    case "slope":
    case "intercept":
    case "r-squared":
    case "mse":
    case "rmse":
      return done(pair(read, context));
    case "p-value":
    case "test-statistic":
    case "is-normal":
    case "significance":
    case "relationship":
      return tested(read, context, done);
    default:
      return done(
        scalar(
          aggregateSql(statistic, mainColumn(read, context), context.how) ?? "NULL",
          relationOf(read, context),
          read,
          context,
        ),
      );
  }
}

function missingShare(read: ReadField, context: FieldContext): string {
  return `100.0 * (count(*) - count(${rawColumn(read, context)})) / count(*)`;
}

/** `number of countries with outliers` counts countries, not rows. */
function counted({ category }: ReadField, { relation }: FieldContext): string {
  return category === null ? "count(*)" : `count(DISTINCT ${relation.stored(columnValue(category))})`;
}

function scalar(
  expression: string,
  relation: string,
  read: ReadField,
  { relation: columns, winner }: FieldContext,
): string {
  const tests = [
    ...read.where.map((condition) => columns.test(condition)),
    ...(winner === null ? [] : [winner.condition]),
  ];
  return `(SELECT ${expression} FROM ${relation}${tests.length === 0 ? "" : ` WHERE ${tests.join(" AND ")}`})`;
}

const BEFORE = /^(original|before|raw|with|including|initial)$/;
const AFTER = /^(without|after|clean|cleaned|removed|excluding|excluded|filtered|final|non)$/;

/** Which rows a field is about: all, those without outliers, or the outliers. */
function relationOf({ field }: ReadField, { staged, how }: FieldContext): string {
  if (staged.isOutlier === null) return staged.work;
  const words = plainWords(field.name);
  if (words.some((word) => AFTER.test(word))) return staged.clean;
  if (words.some((word) => BEFORE.test(word))) return staged.work;
  if (words.some((word) => /^outliers?$/.test(word))) return `(SELECT * FROM base WHERE ${staged.isOutlier})`;
  return how.removesOutliers ? staged.clean : staged.work;
}

function mainValue(read: ReadField): Value | null {
  return read.values[0] ?? null;
}

function mainColumn(read: ReadField, { staged }: FieldContext): string {
  const value = mainValue(read);
  const original = plainWords(read.field.name).some(
    (word) => BEFORE.test(word) && word !== "with" && word !== "including",
  );
  return value === null ? "NULL" : staged.column(value, !original);
}

function rawColumn(read: ReadField, { relation }: FieldContext): string {
  const value = mainValue(read);
  return value === null ? "NULL" : relation.stored(value);
}

const LABELS = stemSet("year date name country id");

/** What the outliers are called by: years or other labels beside the column. */
function outlierList({ staged, relation, asked }: FieldContext): string {
  const label = asked.schema.tables[0]?.columns.find((column) => column.words.some((word) => LABELS.has(word)));
  const shown =
    label === undefined
      ? (staged.outlierColumn ?? "NULL")
      : relation.stored(columnValue({ table: label.table, column: label.name, via: null }));
  return `(SELECT coalesce(string_agg(CAST(${shown} AS VARCHAR), ', ' ORDER BY ${shown}), '[]') FROM base WHERE ${staged.isOutlier ?? "false"})`;
}

function shareSql(read: ReadField, { relation }: FieldContext): string {
  const tests = read.where.map((condition) => relation.test(condition));
  return `(SELECT 100.0 * count(*) FILTER (WHERE ${tests.length === 0 ? "true" : tests.join(" AND ")}) / count(*) FROM base)`;
}

function pairColumns(read: ReadField, { staged, how }: FieldContext): readonly [string, string] | null {
  const [first, second] = read.values;
  if (first === undefined || second === undefined) return null;
  const columns = [staged.column(first, true), staged.column(second, true)] as const;
  return how.rank ? [ranked(columns[0], columns), ranked(columns[1], columns)] : columns;
}

/** Average rank among the rows that have both values. */
function ranked(column: string, both: readonly string[]): string {
  const whole = both.map((other) => `${other} IS NOT NULL`).join(" AND ");
  return `(CASE WHEN ${whole} THEN rank() OVER (PARTITION BY ${whole} ORDER BY ${column}) + (count(*) OVER (PARTITION BY ${whole}, ${column}) - 1) / 2.0 END)`;
}

function pair(read: ReadField, context: FieldContext): string {
  const columns = pairColumns(read, context);
  if (columns === null) return "NULL";
  const rows = relationOf(read, context);
  const [first, second] = columns;
  if (context.how.rank)
    return `(SELECT ${pairSql(read.statistic, "a", "b")} FROM (SELECT ${first} AS a, ${second} AS b FROM ${rows}))`;
  return scalar(pairSql(read.statistic, first, second) ?? "NULL", rows, read, context);
}

/** p-values, test statistics and decisions. */
function tested(
  read: ReadField,
  context: FieldContext,
  done: (sql: string, tables?: readonly string[]) => WrittenField,
): WrittenField {
  const { how } = context;
  const tables = testTables(read, context);
  if (tables === null) return done("NULL");
  const p = "(SELECT p FROM test)";
  const w = "(SELECT w FROM test)";
  switch (read.statistic.kind) {
    case "p-value":
      return done(p, tables);
    case "test-statistic":
      return done(w, tables);
    case "is-normal":
      return done(eitherSql(`${p} > ${how.alpha}`, read.field.choices), tables);
    case "significance":
      return done(eitherSql(`${p} < ${how.alpha}`, read.field.choices), tables);
    default:
      return done(relationshipSql(w, p, read.field.choices, how.correlationLimit, how.alpha), tables);
  }
}

function testTables(read: ReadField, context: FieldContext): TestTables | null {
  const { how, staged } = context;
  const rows = staged.isOutlier !== null && how.removesOutliers ? staged.clean : staged.work;
  const x = mainColumn(read, context);
  const pairOf = pairColumns(read, context);
  const groups = context.categories.map((ref) => context.relation.stored(columnValue(ref)));
  const kind =
    read.statistic.kind === "relationship"
      ? "correlation"
      : (how.test ?? (read.statistic.kind === "is-normal" ? "shapiro" : "correlation"));
  switch (kind) {
    case "shapiro":
      return x === "NULL" ? null : normalityTest("test", rows, x);
    case "normaltest":
      return x === "NULL" ? null : omnibusTest("test", rows, x);
    case "correlation":
      return pairOf === null
        ? null
        : how.rank
          ? [
              `paired AS (SELECT ${pairOf[0]} AS a, ${pairOf[1]} AS b FROM ${rows})`,
              ...correlationTest("test", "paired", "a", "b"),
            ]
          : correlationTest("test", rows, pairOf[0], pairOf[1]);
    case "t-test":
    case "welch":
      return groups[0] === undefined
        ? null
        : meansTest(
            "test",
            `(SELECT *, dense_rank() OVER (ORDER BY ${groups[0]}) AS side FROM ${rows} WHERE ${groups[0]} IS NOT NULL)`,
            x,
            "side",
            kind === "welch",
          );
    case "anova":
      return groups[0] === undefined ? null : varianceTest("test", rows, x, groups[0]);
    case "chi-squared":
      return groups[0] === undefined || groups[1] === undefined
        ? null
        : independenceTest("test", rows, groups[0], groups[1]);
  }
}
