import type { SchemaColumn } from "../schema/schema.js";

/** Text that reads as times of a clock or stopwatch sorts like numbers. */
export function isClock(column: SchemaColumn): boolean {
  return (
    column.kind === "time" ||
    (column.kind === "text" &&
      column.top.length > 0 &&
      column.top.every((value) => /^\+?\d{1,3}:\d{2}(:\d{2})?(\.\d+)?$/.test(value)))
  );
}
