import type { ToolReturned } from "../../core/event.js";
import { contentOf } from "../excerpt.js";
import { evidenceId } from "../packet.js";
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
  /** The rows that were shown, as far as they are readable. */
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * The queries of all probes, one by one: in a call that failed or was cut some results may be whole, and those the agent has seen.
 */
export function probedQueries(input: CheckInput): readonly ProbedQuery[] {
  return returnsOf(input).flatMap(({ step, returned }) =>
    returned.tool === "execute_probe_query" ? queriesOf(returned, step) : [],
  );
}

function queriesOf(returned: ToolReturned, step: number): ProbedQuery[] {
  const { args, call_id, ok } = returned;
  const content = contentOf(returned.content);
  const results = isSqlNode(content) ? partsUnder(content, "results") : [];
  const evidence = evidenceId(step, call_id);
  return (isSqlNode(args) ? textsUnder(args, "queries") : []).map((sql, index) => {
    const result = results[index];
    const shown = result === undefined ? (ok ? "cut" : "failed") : completeness(result);
    return { sql, step, evidence, shown, rows: result === undefined ? [] : rowsOf(result) };
  });
}

function completeness(result: SqlNode): Completeness {
  if (result.ok !== true) return "failed";
  return result.truncated === true || "left_out" in result ? "cut" : "whole";
}

function rowsOf({ rows }: SqlNode): readonly (readonly unknown[])[] {
  return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : [];
}
