import type { CheckResult } from "../answer/claims/check.js";
import { isEmptyConclusion, nothingToReconcile, reconcileConclusion } from "../answer/claims/reconcile.js";
import { type PredictedColumns, reconcileColumn } from "../answer/claims/reconcile-column.js";
import type { ClaimCheck } from "../core/claim-check.js";
import type { DomainQuery } from "../core/ports/domain-query.js";
import { readCsvFile } from "./read-table.js";

/** What claim checks look at. */
export interface Reconcilable {
  /** Text; null or blank where there is none. */
  readonly conclusion: string | null;
  /** Path of prediction.csv; null where there is none. */
  readonly prediction: string | null;
}

/**
 * Makes claim checks of one answer, those of the conclusion first. An empty conclusion is one warning for all the checks of the
 * conclusion together, and their domains are not asked for. Rejects only on bugs.
 */
export async function reconcileAnswer(
  checks: readonly ClaimCheck[],
  { conclusion, prediction }: Reconcilable,
  domain: DomainQuery,
): Promise<readonly CheckResult[]> {
  const ofConclusion = checks.filter(({ column }) => column === null);
  const ofColumns = checks.filter(({ column }) => column !== null);
  const table = ofColumns.length === 0 ? null : await readPrediction(prediction);
  const results = isEmptyConclusion(conclusion)
    ? [...nothingToReconcile(ofConclusion)]
    : await Promise.all(
        ofConclusion.map(async (check) => reconcileConclusion(check, conclusion, await domain(check.domain_sql))),
      );
  const columns = await Promise.all(
    ofColumns.map(async (check) => reconcileColumn(check, table, await domain(check.domain_sql))),
  );
  return [...results, ...columns];
}

/** Null where there is no prediction that can be read: another scorer says so. */
async function readPrediction(file: string | null): Promise<PredictedColumns | null> {
  if (file === null) return null;
  let columns: readonly string[] = [];
  let cells: readonly Map<string, number>[] = [];
  const trouble = await readCsvFile(file, {
    header(header) {
      columns = header;
      cells = header.map(() => new Map());
    },
    row(row) {
      for (const [index, cell] of row.entries()) {
        const counts = cells[index];
        counts?.set(cell, (counts.get(cell) ?? 0) + 1);
      }
    },
  });
  return trouble === null ? { columns, cells } : null;
}
