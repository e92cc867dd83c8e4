/** Column names, as a tool's result has them. */
export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Rows of cells, as a tool's result has them. */
export function isRows(value: unknown): value is readonly (readonly unknown[])[] {
  return Array.isArray(value) && value.every(Array.isArray);
}
