import { tableSignature } from "../answer/signature.js";
import { assertNever } from "../core/errors.js";
import type { CheckAnswer, QueryAnswer } from "../core/event.js";
import type { QueryWorker } from "../core/ports/query-worker.js";
import type { ToolsConfig } from "../core/profile.js";

/** Rows that a check by code may read: they go into the log. */
const CHECK_ROWS = 1000;

/** Answers one query of a check by code. SQL trouble is a value; rejects like the worker. */
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
