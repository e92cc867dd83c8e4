import { editDistance } from "../../core/nearest.js";
import { quoteName, quoteText } from "./sql/quote.js";

const NEAREST = 5;

/** A query for the values of a text column that are most like a text, as they are stored, most like it first. */
export function nearestValuesQuery(table: string, column: string, text: string): string {
  const value = quoteName(column);
  const distinct = `SELECT DISTINCT ${value} AS value FROM ${quoteName(table)} WHERE ${value} IS NOT NULL`;
  const likeness = `jaro_winkler_similarity(lower(value), ${quoteText(text.toLowerCase())})`;
  return `SELECT value FROM (${distinct}) ORDER BY ${likeness} DESC, value LIMIT ${NEAREST}`;
}

/** Whether a text is a value in all but its spelling: case, marks and spaces, or one letter in five. */
export function isMisspelt(text: string, value: string): boolean {
  const [a, b] = [plain(text), plain(value)];
  if (a === "" || b === "" || value === text) return false;
  return a === b || editDistance(a, b) <= Math.floor(Math.min(a.length, b.length) / 5);
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
