import type { ToolReturned } from "../../core/event.js";
import { evidenceId } from "../../core/evidence.js";
import { contentOf } from "../excerpt.js";
import type { CheckInput } from "./check.js";
import { returnsOf } from "./known-text.js";
import { isSqlNode, partsUnder, type SqlNode, textsUnder } from "./sql-tree.js";

/** How much of what it asked for an observation showed. */
export type Completeness = "whole" | "cut" | "failed";

/** One query of a probe, and what the agent saw of its result. */
export interface ProbedQuery {
  readonly sql: string;
  readonly step: number;
  readonly evidence: string;
  readonly shown: Completeness;
  /** The rows that were shown, as far as they are readable; of a query that code made none. */
  readonly rows: readonly (readonly unknown[])[];
  /** It brought more than nothing: some cell that is neither null, empty nor zero. */
  readonly hasContent: boolean;
}

/**
 * The queries of all probes, one by one, and those that Python made. In a probe that failed or was cut some results may be whole, and
 * those the agent has seen; what Python made of its queries was seen as far as its output was.
 */
export function probedQueries(input: CheckInput): readonly ProbedQuery[] {
  return returnsOf(input).flatMap(({ step, returned }) =>
    returned.tool === "execute_probe_query" ? queriesOf(returned, step) : issuedBy(returned, step),
  );
}

function issuedBy({ ok, truncated, call_id, queries }: ToolReturned, step: number): ProbedQuery[] {
  const shown: Completeness = !ok ? "failed" : truncated ? "cut" : "whole";
  return (queries ?? []).map(({ sql, rows }) => ({
    sql,
    step,
    evidence: evidenceId(step, call_id),
    shown: rows === null ? "failed" : shown,
    rows: [],
    hasContent: rows !== null && rows > 0,
  }));
}

function queriesOf(returned: ToolReturned, step: number): ProbedQuery[] {
  const { args, call_id, ok } = returned;
  const content = contentOf(returned.content);
  const results = isSqlNode(content) ? partsUnder(content, "results") : [];
  const evidence = evidenceId(step, call_id);
  return (isSqlNode(args) ? textsUnder(args, "queries") : []).map((sql, index) => {
    const result = results[index];
    const shown = result === undefined ? (ok ? "cut" : "failed") : completeness(result);
    const rows = result === undefined ? [] : rowsOf(result);
    return { sql, step, evidence, shown, rows, hasContent: rows.some((row) => row.some(isSomething)) };
  });
}

const isSomething = (cell: unknown): boolean => cell !== null && cell !== "0" && cell !== "";

function completeness(result: SqlNode): Completeness {
  if (result.ok !== true) return "failed";
  return result.truncated === true || "left_out" in result ? "cut" : "whole";
}

function rowsOf({ rows }: SqlNode): readonly (readonly unknown[])[] {
  return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : [];
}
