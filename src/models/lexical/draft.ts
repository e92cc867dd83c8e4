import type { Chooser } from "./choice.js";
import type { Investigation } from "./investigation.js";
import { linkQuestion } from "./linking/link-question.js";
import { composePlan } from "./reading/compose.js";
import { quoteName } from "./sql/names.js";
import { writePlan } from "./sql/write-plan.js";
import { type AnswerField, readAnswerFormat } from "./statistics/answer-format.js";
import { statisticsDraft } from "./statistics/compose.js";
import { readInstructions } from "./statistics/instructions.js";

/** An answer that could be submitted. */
export interface Draft {
  readonly sql: string;
  readonly conclusion: string;
}

/** Reads a question with all that was found out, and writes the SQL that answers it. Pure. */
export function draftAnswer(question: string, seen: Investigation, chooser: Chooser): Draft {
  return statisticsDraft(question, seen.knowledge, chooser) ?? plainDraft(question, seen, chooser);
}

function plainDraft(asked: string, seen: Investigation, chooser: Chooser): Draft {
  const { task, fields } = readAnswerFormat(asked);
  const question = fields.length === 0 ? asked : readInstructions(task).asks.join(" ");
  const linked = linkQuestion(question, seen.knowledge, chooser);
  const plan = composePlan(linked);
  const sql = inFormat(writePlan(plan, seen.knowledge.schema), plan.select.length, fields);
  return {
    sql,
    conclusion: `Computed from ${[...new Set(seen.knowledge.schema.tables.map((table) => table.name))].join(", ")}: ${sql}`,
  };
}

/** Names and rounds the columns as an answer format asks, where there is one field for each. */
function inFormat(sql: string, columns: number, fields: readonly AnswerField[]): string {
  if (fields.length !== columns || fields.length === 0) return sql;
  const names = fields.map((_, index) => `c${index + 1}`);
  const items = fields.map((field, index) => `${rounded(`c${index + 1}`, field.decimals)} AS ${quoteName(field.name)}`);
  return `SELECT ${items.join(", ")} FROM (${sql}) AS answer(${names.join(", ")})`;
}

/** Text stays as it is; a number that is kept as text is one. */
function rounded(column: string, decimals: number | null): string {
  if (decimals === null) return column;
  return `coalesce(CAST(round(TRY_CAST(CAST(${column} AS VARCHAR) AS DOUBLE), ${decimals}) AS VARCHAR), CAST(${column} AS VARCHAR))`;
}
