import type { CandidateFile, ColumnStructure } from "../core/event.js";
import type { Finding } from "../core/finding.js";
import { type CheckInput, type CheckOutcome, type MechanicalCheck, NOTHING_FOUND } from "./mechanical/check.js";
import { tableNames } from "./mechanical/sql-tree.js";
import { unaskedLimit } from "./mechanical/unasked-limit.js";
import type { FindingWords } from "./wording/wording.js";

/**
 * What code can say about an answer's form. Red are only the faults that no question asks for; what may be meant (an empty table, one
 * value in all rows, a LIMIT) is a warning for the model to judge.
 */
export const FORM_CHECKS: readonly MechanicalCheck[] = [tableForm, retypedTable, unaskedLimit];

function tableForm({ candidate, say }: CheckInput): CheckOutcome {
  const { columns, rows, structure } = candidate.candidate;
  const found = structure.flatMap((column, index) => columnFindings(column, index, candidate.candidate, say));
  if (rows > 0) return { findings: found };
  return { findings: [finding("empty-table", "warn", say.emptyTable(columns.length)), ...found] };
}

function columnFindings(
  column: ColumnStructure,
  index: number,
  { columns, rows }: CandidateFile,
  say: FindingWords,
): Finding[] {
  const { percent_cells, loose_date_cells, same_as, distinct, examples } = column;
  const name = columns[index] ?? String(index + 1);
  const found: Finding[] = [];
  if (percent_cells > 0) found.push(finding("percent-sign", "red", say.percentSign(name, percent_cells)));
  if (loose_date_cells > 0) {
    found.push(finding("loose-date", "warn", say.looseDate(name, loose_date_cells, examples[0] ?? "")));
  }
  if (same_as !== null && rows > 0) {
    const level = rows > 1 && distinct > 1 ? "red" : "warn";
    found.push(finding("duplicate-column", level, say.duplicateColumn(name, columns[same_as] ?? "")));
  }
  if (rows > 1 && columns.length > 1 && distinct <= 1) {
    found.push(finding("constant-column", "warn", say.constantColumn(name, examples[0], rows)));
  }
  return found;
}

/** An answer whose SQL reads no table was typed by hand. */
function retypedTable({ started, candidate, queries, facts, say }: CheckInput): CheckOutcome {
  const answer = queries.at(-1);
  if (answer === undefined || started.catalog.tables.length === 0) return NOTHING_FOUND;
  const parsed = facts.tree(answer);
  if (parsed === null) return { need: [{ sql: answer, answer: "tree" }] };
  if (!parsed.ok) return NOTHING_FOUND;
  const known = new Set(started.catalog.tables.map(({ name }) => name.toLowerCase()));
  if (tableNames(parsed.tree).some((name) => known.has(name.toLowerCase()))) return NOTHING_FOUND;
  const cells = candidate.candidate.rows * candidate.candidate.columns.length;
  return { findings: [finding("retyped-table", "red", say.retypedTable(cells))] };
}

function finding(rule: Finding["rule"], level: Finding["level"], detail: string): Finding {
  return { rule, level, evidence: [], detail };
}
