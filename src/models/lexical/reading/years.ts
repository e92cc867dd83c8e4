import type { SchemaColumn } from "../schema/schema.js";
import { isYearMonth } from "../sql/expressions.js";

/** Whole numbers that are years by their range and name. */
export function isYearNumber(column: SchemaColumn): boolean {
  if (column.kind !== "number" || isYearMonth(column)) return false;
  const inRange = [column.min, column.max].every(
    (value) => value === null || (Number(value) >= 1000 && Number(value) <= 2100),
  );
  return (
    inRange &&
    column.words.some((word) =>
      /^(year|yr|season|founded|found|established|establish|born|birth|built|yob|.*年份?|年度)$/.test(word),
    )
  );
}
