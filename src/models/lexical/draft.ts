import type { Chooser } from "./choice.js";
import type { Investigation } from "./investigation.js";
import { linkQuestion } from "./linking/link-question.js";
import { composePlan } from "./reading/compose.js";
import { writePlan } from "./sql/write-plan.js";

/** An answer that could be submitted. */
export interface Draft {
  readonly sql: string;
  readonly conclusion: string;
}

/** Reads a question with all that was found out, and writes the SQL that answers it. Pure. */
export function draftAnswer(question: string, seen: Investigation, chooser: Chooser): Draft {
  const linked = linkQuestion(question, seen.knowledge, chooser);
  const plan = composePlan(linked);
  const sql = writePlan(plan, seen.knowledge.schema);
  return {
    sql,
    conclusion: `Computed from ${[...new Set(seen.knowledge.schema.tables.map((table) => table.name))].join(", ")}: ${sql}`,
  };
}
