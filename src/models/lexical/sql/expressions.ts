import { dateFormat } from "../schema/column-kind.js";
import { columnOf, type Schema, type SchemaColumn } from "../schema/schema.js";
import { quoteText } from "./names.js";
import type { Ref, Value } from "./plan.js";

/** Writes columns and values of one FROM clause. */
export interface Writer {
  readonly schema: Schema;
  /** Qualified, quoted column as it is stored. */
  readonly column: (ref: Ref) => string;
}

/** A value to compute with: text that holds numbers is converted, dates kept as text become dates. */
export function computable(value: Value, writer: Writer): string {
  switch (value.kind) {
    case "column":
      return typed(value.ref, writer);
    case "number":
      return String(value.value);
    case "formula":
      return formula(value, writer);
    case "date-part":
      return datePart(value.part, value.of, writer);
    case "function":
      return `${value.name}(${computable(value.of, writer)})`;
    case "age":
      return age(value.of, value.on, writer);
    case "written":
      return `(${written(value.sql, writer)})`;
  }
}

/** A value to show: as it is stored. */
export function shown(value: Value, writer: Writer): string {
  if (value.kind !== "column") return computable(value, writer);
  return writer.column(value.ref);
}

function formula(value: Extract<Value, { kind: "formula" }>, writer: Writer): string {
  const left = computable(value.left, writer);
  const right = computable(value.right, writer);
  if (value.operator === "/") return `(CAST(${left} AS DOUBLE) / NULLIF(${right}, 0))`;
  return `(${left} ${value.operator} ${right})`;
}

/** Text with `{}` marks filled in by columns. */
export function written(parts: readonly (string | Ref)[], writer: Writer): string {
  return parts.map((part) => (typeof part === "string" ? part : typed(part, writer))).join("");
}

function typed(ref: Ref, writer: Writer): string {
  const column = columnOf(writer.schema, ref);
  const sql = writer.column(ref);
  if (column.kind === "text-number") return looseNumberSql(sql);
  if (column.kind === "date" || column.kind === "timestamp") return dateSql(column, sql);
  return sql;
}

/** A number out of text with padding, separators, a sign of currency or percent, or a bracketed range. */
export function looseNumberSql(sql: string): string {
  return `TRY_CAST(regexp_replace(regexp_replace(${sql}, '\\[.*$', ''), '[\\s,$€£¥%]', '', 'g') AS DOUBLE)`;
}

/** A date or timestamp, whatever it is stored as. */
export function dateSql(column: SchemaColumn, sql: string): string {
  if (!column.type.startsWith("VARCHAR")) return sql;
  const seen = [...column.first, ...column.top, column.min, column.max].filter((value) => value !== null);
  const dayFirst = seen.some((value) => Number(/^(\d{1,2})\/\d{1,2}\/\d/.exec(value)?.[1] ?? 0) > 12);
  const formats = [...new Set(seen.flatMap((value) => dateFormat(value) ?? []))].map((format) =>
    dayFirst ? format.replace("%m/%d", "%d/%m") : format,
  );
  const list = formats.length === 0 ? ["%Y-%m-%d"] : formats;
  const inBoth = list.flatMap((format) => (format.includes("T%H") ? [format, format.replace("T", " ")] : [format]));
  return `try_strptime(trim(${sql}), [${inBoth.map(quoteText).join(", ")}])`;
}

function datePart(part: "year" | "month" | "day" | "weekday", of: Ref, writer: Writer): string {
  const column = columnOf(writer.schema, of);
  const sql = writer.column(of);
  if (isYearMonth(column)) {
    const [from, length] = part === "year" ? [1, 4] : [5, 2];
    return `TRY_CAST(substr(CAST(${sql} AS VARCHAR), ${from}, ${length}) AS INTEGER)`;
  }
  const date =
    column.kind === "date" || column.kind === "timestamp" ? dateSql(column, sql) : `TRY_CAST(${sql} AS DATE)`;
  return part === "weekday" ? `dayname(${date})` : `${part}(${date})`;
}

/** Columns such as 201203: a year and a month in six digits. */
export function isYearMonth(column: SchemaColumn): boolean {
  const seen = [column.min, column.max].filter((value) => value !== null);
  return seen.length === 2 && seen.every((value) => /^(19|20)\d{2}(0[1-9]|1[0-2])$/.test(value));
}

function age(of: Ref, on: Ref | null, writer: Writer): string {
  const end = on === null ? "current_date" : typed(on, writer);
  return `date_diff('year', ${typed(of, writer)}, ${end})`;
}
