import type { Chooser } from "../choice.js";
import type { Draft } from "../draft.js";
import { type Knowledge, linkQuestion } from "../linking/link-question.js";
import { pickColumn } from "../reading/columns.js";
import { readConditions } from "../reading/conditions.js";
import type { Question } from "../reading/question.js";
import { isIdentifier } from "../schema/schema.js";
import { quoteName } from "../sql/names.js";
import { type Condition, type Ref, refsOfCondition } from "../sql/plan.js";
import { readAnswerFormat } from "./answer-format.js";
import { type Feature, readFeatures } from "./features.js";
import { type FieldContext, fieldSql } from "./field-sql.js";
import { type ReadField, readField } from "./fields.js";
import { type Instructions, readInstructions } from "./instructions.js";
import { createRelation } from "./relation.js";
import { stages } from "./stages.js";
import type { Statistic } from "./statistic.js";
import { readWinner } from "./winner.js";

/** Answers a question with an answer format by statistics over one relation; null where it is no such question. */
export function statisticsDraft(question: string, knowledge: Knowledge, chooser: Chooser): Draft | null {
  const { task, fields } = readAnswerFormat(question);
  if (fields.length === 0) return null;
  const how = readInstructions(task);
  const features = readFeatures(task, knowledge, chooser);
  const asked = linkQuestion(how.asks.join(" "), knowledge, chooser);
  const reading = readConditions(asked);
  const read = fields.map((field) => readField(field, { how, features, asked, reading, knowledge, chooser }));
  const known = read.filter((one) => one !== null);
  if (known.length < read.length || !needsStatistics(known, how, features)) return null;
  const spoken = known.flatMap(({ where }) => where.flatMap(refsOfCondition));
  const where = lastStated(reading.conditions.map(({ what }) => what)).filter((condition) =>
    isFilter(condition, spoken),
  );
  const root = rootOf(known, knowledge);
  const relation = createRelation(knowledge.schema, root, where);
  const staged = stages(known, how, relation, features);
  const winner = readWinner(known, reading, relation, staged, how);
  if (winner === null && known.some(({ statistic }) => statistic.kind === "category")) return null;
  return write(known, { how, relation, staged, categories: categoriesIn(asked), asked, winner });
}

/** Simple counts and means without anything special about them are read like any other question. */
function needsStatistics(fields: readonly ReadField[], how: Instructions, features: readonly Feature[]): boolean {
  const plain: ReadonlySet<Statistic["kind"]> = new Set(["count", "share", "sum", "distinct", "category"]);
  if (how.outliers !== null || how.transform !== null || features.length > 0 || how.missing !== "leave-out")
    return true;
  if (fields.length > 1 && fields.some(({ statistic }) => statistic.kind === "category")) return true;
  if (fields.length === 1) return !plain.has(fields[0]?.statistic.kind ?? "count");
  return fields.some(({ statistic }) => !plain.has(statistic.kind));
}

/** A limit that is stated again, more exactly, replaces the first statement. */
function lastStated(conditions: readonly Condition[]): readonly Condition[] {
  const key = (condition: Condition) =>
    condition.kind === "compare" && condition.right.kind === "number"
      ? JSON.stringify([condition.left, condition.right.value])
      : JSON.stringify(condition);
  return [...new Map(conditions.map((condition) => [key(condition), condition])).values()];
}

/** A condition that only repeats what a field is about is none on all rows. */
function isFilter(condition: Condition, spoken: readonly Ref[]): boolean {
  if (condition.kind === "missing") return false;
  return !refsOfCondition(condition).some((used) =>
    spoken.some((other) => other.table === used.table && other.column === used.column),
  );
}

function rootOf(fields: readonly ReadField[], knowledge: Knowledge): string {
  const tables = fields.flatMap(({ values, where }) => [
    ...values.flatMap((value) => (value.kind === "column" ? [value.ref.table] : [])),
    ...where.flatMap(refsOfCondition).map((used) => used.table),
  ]);
  const [first] = tables;
  const largest = [...knowledge.schema.tables].sort((left, right) => right.rows - left.rows)[0]?.name;
  if (first === undefined && largest === undefined) throw new Error("statistics over no table");
  return first ?? largest ?? "";
}

function write(fields: readonly ReadField[], context: FieldContext): Draft {
  const items: string[] = [];
  const tables: string[] = [];
  const notes: string[] = [];
  for (const read of fields) {
    const written = fieldSql(read, context);
    tables.push(...written.tables);
    notes.push(written.note);
    items.push(`${rounded(written.sql, read)} AS ${quoteName(read.field.name)}`);
  }
  const winner = context.winner === null ? [] : [context.winner.table];
  const all = [context.relation.sql(), ...context.staged.tables, ...winner, ...new Set(tables)];
  const sql = `WITH ${all.join(", ")} SELECT ${items.join(", ")}`;
  return { sql, conclusion: notes.join(" ") };
}

/** Columns of categories that the task speaks of: groups of a test. */
function categoriesIn(asked: Question): readonly Ref[] {
  return asked.mentions.flatMap((mention) => {
    const value = mention.columns.length === 0 ? mention.values[0]?.column : undefined;
    if (value !== undefined) return [{ table: value.table, column: value.name, via: null }];
    const picked = pickColumn(asked, mention, {
      suits: (column) => (column.distinct ?? 99) <= 30 && !isIdentifier(column),
      asStored: true,
    });
    return picked === null ? [] : [picked];
  });
}

const TEXTS: ReadonlySet<Statistic["kind"]> = new Set([
  "category",
  "mode",
  "has-missing",
  "is-normal",
  "relationship",
  "significance",
  "outlier-list",
]);

function rounded(sql: string, { field, statistic }: ReadField): string {
  if (field.decimals === null || TEXTS.has(statistic.kind)) return sql;
  if (field.decimals === 0) return `CAST(round(${sql}) AS BIGINT)`;
  return `round(${sql}, ${field.decimals})`;
}
