import { columnOf } from "../schema/schema.js";
import { computable, dateSql, isYearMonth, looseNumberSql, type Writer, written } from "./expressions.js";
import { quoteText } from "./names.js";
import type { Condition, Operand, Plan, Ref } from "./plan.js";

/** Writes a sub-plan as one SELECT. */
export type PlanWriter = (plan: Plan) => string;

/** A condition as SQL. */
export function conditionSql(condition: Condition, writer: Writer, writePlan: PlanWriter): string {
  switch (condition.kind) {
    case "equals":
      return equals(condition, writer);
    case "contains":
      return `${writer.column(condition.ref)} ${condition.negated ? "NOT ILIKE" : "ILIKE"} ${quoteText(`%${condition.text}%`)}`;
    case "compare":
      return `${leftSide(condition.left, condition.right, writer)} ${condition.operator} ${operand(condition.right, writer, writePlan)}`;
    case "between": {
      const left = leftSide(condition.left, condition.low, writer);
      return `${left} BETWEEN ${operand(condition.low, writer, writePlan)} AND ${operand(condition.high, writer, writePlan)}`;
    }
    case "period":
      return period(condition, writer);
    case "missing":
      return `${writer.column(condition.ref)} IS ${condition.negated ? "NOT " : ""}NULL`;
    case "member":
      return `${writer.column(condition.ref)} ${condition.negated ? "NOT IN" : "IN"} (${writePlan(condition.of)})`;
    case "written":
      return `(${written(condition.sql, writer)})`;
    case "all":
    case "any":
      return `(${condition.of.map((part) => conditionSql(part, writer, writePlan)).join(condition.kind === "all" ? " AND " : " OR ")})`;
  }
}

function equals(condition: Extract<Condition, { kind: "equals" }>, writer: Writer): string {
  const sql = writer.column(condition.ref);
  const column = columnOf(writer.schema, condition.ref);
  const literals = condition.values.map((value) => literal(value, column.kind));
  const [first] = literals;
  if (literals.length === 1 && first !== undefined) return `${sql} ${condition.negated ? "<>" : "="} ${first}`;
  return `${sql} ${condition.negated ? "NOT IN" : "IN"} (${literals.join(", ")})`;
}

function literal(value: string, kind: string): string {
  if (kind === "number" && /^-?\d+(\.\d+)?$/.test(value)) return value;
  return kind === "boolean" ? value.toLowerCase() : quoteText(value);
}

/** A text column that is compared with a number is read as a number. */
function leftSide(
  left: Condition & { kind: "compare" } extends { left: infer L } ? L : never,
  right: Operand,
  writer: Writer,
): string {
  const sql = computable(left, writer);
  const numeric =
    right.kind === "number" && left.kind === "column" && columnOf(writer.schema, left.ref).kind === "text";
  return numeric ? looseNumberSql(sql) : sql;
}

function operand(what: Operand, writer: Writer, writePlan: PlanWriter): string {
  switch (what.kind) {
    case "number":
      return String(what.value);
    case "text":
      return quoteText(what.text);
    case "value":
      return computable(what.value, writer);
    case "plan":
      return what.factor === 1 ? `(${writePlan(what.plan)})` : `${what.factor} * (${writePlan(what.plan)})`;
  }
}

function period(condition: Extract<Condition, { kind: "period" }>, writer: Writer): string {
  const sides = [
    boundary(condition.ref, ">=", condition.from, writer),
    boundary(condition.ref, "<", condition.to, writer),
  ];
  const sql = sides.filter((side) => side !== null).join(" AND ");
  return condition.negated ? `NOT (${sql})` : `(${sql})`;
}

/** One side of a period, for dates, whole years and year-months alike. */
function boundary(ref: Ref, operator: string, day: string | null, writer: Writer): string | null {
  if (day === null) return null;
  const column = columnOf(writer.schema, ref);
  const sql = writer.column(ref);
  if (column.kind === "date" || column.kind === "timestamp")
    return `${dateSql(column, sql)} ${operator} ${quoteText(day)}::${column.kind === "date" ? "DATE" : "TIMESTAMP"}`;
  const [year = "", month = ""] = day.split("-");
  if (isYearMonth(column)) return `CAST(${sql} AS INTEGER) ${operator} ${year}${month}`;
  return `TRY_CAST(${sql} AS INTEGER) ${operator} ${year}`;
}
