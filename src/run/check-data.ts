import { tableSignature } from "../answer/signature.js";
import type { QueryEffect } from "../core/effect.js";
import { assertNever } from "../core/errors.js";
import type { CheckAnswer, DataQueried, QueryAnswer } from "../core/event.js";
import { type OverlayTable, overlayOf } from "../core/overlay.js";
import type { QueryWorker } from "../core/ports/query-worker.js";
import type { ToolsConfig } from "../core/profile.js";
import type { TrialState } from "../core/state.js";
import { during, type WorkClock } from "./work-clock.js";

/** Rows that a check by code may read: they go into the log. */
const CHECK_ROWS = 1000;

/** What a check by code on the task's data comes to, as the event to append. Rejects as the worker does. */
export type QueryData = (effect: QueryEffect, state: () => TrialState, signal: AbortSignal) => Promise<DataQueried>;

/** Asks the data itself, with the tables that the trial made so far. SQL trouble is a value. */
export function dataQuerier(
  workerWith: (overlay: readonly OverlayTable[]) => QueryWorker,
  tools: ToolsConfig,
  workClock: WorkClock,
): QueryData {
  return async ({ validator, why, answer, queries }, state, signal) => {
    const worker = workerWith(overlayOf(state().trajectory));
    const before = workClock.worked();
    const results: CheckAnswer[] = [];
    for (const sql of queries) {
      results.push(await during(workClock, () => checkData(sql, answer, worker, { tools, signal })));
    }
    return { type: "data-queried", validator, why, answer, queries, results, ms: workClock.worked() - before };
  };
}

export async function checkData(
  sql: string,
  answer: QueryAnswer,
  worker: QueryWorker,
  { tools, signal }: { readonly tools: ToolsConfig; readonly signal: AbortSignal },
): Promise<CheckAnswer> {
  const limits = { timeout_ms: tools.query_timeout_seconds * 1000, signal };
  switch (answer) {
    case "rows":
      return worker.query(sql, { ...limits, max_rows: CHECK_ROWS });
    case "tree": {
      signal.throwIfAborted();
      const parsed = await worker.parse(sql);
      return parsed.ok ? parsed : { ...parsed, ms: 0 };
    }
    case "signature": {
      const result = await worker.query(sql, { ...limits, max_rows: tools.max_answer_rows });
      if (!result.ok) return result;
      const { columns, rows } = result.table;
      return { ok: true, columns, rows: rows.length, signature: tableSignature(result.table) };
    }
    default:
      return assertNever(answer);
  }
}
