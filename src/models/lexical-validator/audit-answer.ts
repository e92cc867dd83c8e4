import type { ModelRequest } from "../../core/message.js";
import { auditWords } from "./audit-words.js";
import { inside, objectsOf, partOf, textInside } from "./request-parts.js";

/**
 * The answer validator's role without a language model: rules over the same request text. It refuses what code calls red and columns in
 * which no row has anything; whether the columns are those that the question asks for it cannot tell.
 */
export function auditAnswer(request: ModelRequest): object {
  const red = objectsOf(request, "form_findings").filter((finding) => textInside(finding, "level") === "red");
  const rows = Number(partOf(request, "row_count"));
  const hollow = objectsOf(request, "columns").filter((column) => rows > 0 && inside(column, "nulls") === rows);
  const issues = [
    ...red.map((finding) => textInside(finding, "detail") ?? "a red finding"),
    ...hollow.map((column) => auditWords(request).hollow(JSON.stringify(inside(column, "name")))),
  ];
  return { valid: issues.length === 0, issues, required_next_actions: [] };
}
