import type { ClaimCheck } from "../../core/claim-check.js";
import type { DomainReply } from "../../core/ports/domain-query.js";
import { normaliseCell } from "../cell.js";
import type { CheckResult } from "./check.js";
import { conclude, finding, notAmong, readDomain, unchecked } from "./findings.js";
import { comparable } from "./text.js";

/** Reds that a column lists; the last one says how many more there are. */
const MOST_FINDINGS = 100;

/** A prediction's columns, each as its cells and how many rows have them. */
export interface PredictedColumns {
  readonly columns: readonly string[];
  readonly cells: readonly ReadonlyMap<string, number>[];
}

/**
 * Reconciles every value of the prediction's column `check.column` with the legal values: equal as comparable text or as
 * normalised cells (`7` is `7.0`), or contained as in a conclusion. Blank cells are nothing to reconcile. No prediction or no such column is one `warn`.
 */
export function reconcileColumn(
  check: ClaimCheck,
  prediction: PredictedColumns | null,
  reply: DomainReply,
): CheckResult {
  if (prediction === null) return unchecked(check, "warn", "there is no prediction to reconcile");
  const column = columnIndex(prediction.columns, check.column ?? "");
  if (column === -1) {
    return unchecked(
      check,
      "warn",
      `the prediction has no column "${check.column}", only ${prediction.columns.join(", ")}`,
    );
  }
  const domain = readDomain(reply);
  if (typeof domain === "string") return unchecked(check, "error", domain);
  const cells = new Set(domain.values.map((value) => normaliseCell(value)));
  const rowsOf = new Map<string, number>();
  for (const [cell, rows] of prediction.cells[column] ?? []) {
    const value = comparable(cell);
    if (value !== "") rowsOf.set(value, (rowsOf.get(value) ?? 0) + rows);
  }
  if (rowsOf.size === 0) return unchecked(check, "warn", `the prediction's column "${check.column}" has no value`);
  const outside = [...rowsOf].filter(([value]) => !cells.has(normaliseCell(value)) && !domain.has(value));
  const findings = outside.slice(0, MOST_FINDINGS).map(([value, rows], index) => {
    const more = index === MOST_FINDINGS - 1 ? outside.length - MOST_FINDINGS : 0;
    const rest = more === 0 ? "" : `; ${more} more values of the column are not either`;
    const where = `in ${rows} row${rows === 1 ? "" : "s"} of ${check.column}`;
    return finding(check, "red", value, null, domain, `"${value}" (${where}) is ${notAmong(domain)}${rest}`);
  });
  return conclude(check, findings);
}

/** By name as it stands, else ignoring case; −1 for none. */
function columnIndex(columns: readonly string[], name: string): number {
  const wanted = comparable(name);
  const exact = columns.findIndex((column) => comparable(column) === wanted);
  if (exact !== -1) return exact;
  return columns.findIndex((column) => comparable(column).toLowerCase() === wanted.toLowerCase());
}
