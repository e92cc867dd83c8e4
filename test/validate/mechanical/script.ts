import type { MechanicalRule } from "../../../src/core/finding.js";
import type { ToolsConfig } from "../../../src/core/profile.js";

/** One tool call of a scripted agent; each is a model step of its own. */
export interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What an agent does in one trial: some calls, then a submission of SQL. */
export interface Script {
  /** In words: what is right or wrong about it. */
  readonly name: string;
  /** Folder of the suite and of the task: `kdd-demo/task_261`, `demo/task_05_strike_costs`. */
  readonly task: string;
  /** In place of the task's own question. */
  readonly question?: string;
  readonly steps: readonly Step[];
  readonly submit: readonly string[];
  readonly tools?: Partial<ToolsConfig>;
  /** A file of the context that is edited between the submission and its check. */
  readonly edit?: { readonly file: string; readonly from: string; readonly to: string };
}

/** A submission that one of the eight rules is there to catch. */
export interface Fault extends Script {
  readonly rule: RuleNumber;
}

export type RuleNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The findings that count as a rule's own. */
export const RULES: Readonly<Record<RuleNumber, readonly MechanicalRule[]>> = {
  1: ["unseen-table", "unseen-column"],
  2: ["unseen-value"],
  3: ["unproven-join", "fan-out"],
  4: ["preview-submitted"],
  5: ["unasked-limit"],
  6: ["not-reproducible"],
  7: ["empty-source"],
  8: ["truncated-basis"],
};

export const profile = (table: string): Step => ({ tool: "get_table_profile", args: { table } });
export const field = (table: string, column: string): Step => ({ tool: "get_field_profile", args: { table, column } });
export const values = (table: string, column: string, more: { contains?: string; limit?: number } = {}): Step => ({
  tool: "get_column_distinct_values",
  args: { table, column, ...more },
});
export const relationships = (table?: string): Step => ({
  tool: "get_table_relationships",
  args: table === undefined ? {} : { table },
});
export const probe = (...queries: string[]): Step => ({ tool: "execute_probe_query", args: { queries } });
/** A probe that shows so many rows. */
export const peek = (limit: number, ...queries: string[]): Step => ({
  tool: "execute_probe_query",
  args: { queries, limit },
});
export const read = (path: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  tool: "read_doc",
  args: { path, ...more },
});
export const look: Step = { tool: "list_context", args: {} };
export const search = (query: string): Step => ({ tool: "search_semantic_catalog", args: { query } });
