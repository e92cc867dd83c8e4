import type { CandidateFile, ColumnStructure } from "../core/event.js";
import type { Finding } from "../core/finding.js";
import { overlayOf } from "../core/overlay.js";
import { type CheckInput, type CheckOutcome, type MechanicalCheck, NOTHING_FOUND } from "./mechanical/check.js";
import { tableNames } from "./mechanical/sql-tree.js";
import { unaskedLimit } from "./mechanical/unasked-limit.js";

/**
 * What code can say about an answer's form. Red are only the faults that no question asks for; what may be meant (an empty table, one
 * value in all rows, a LIMIT) is a warning for the model to judge.
 */
export const FORM_CHECKS: readonly MechanicalCheck[] = [tableForm, retypedTable, unaskedLimit];

function tableForm({ candidate }: CheckInput): CheckOutcome {
  const { columns, rows, structure } = candidate.candidate;
  const found = structure.flatMap((column, index) => columnFindings(column, index, candidate.candidate));
  if (rows > 0) return { findings: found };
  return {
    findings: [finding("empty-table", "warn", `The table has ${columns.length} columns and no rows.`), ...found],
  };
}

function columnFindings(column: ColumnStructure, index: number, { columns, rows }: CandidateFile): Finding[] {
  const name = JSON.stringify(columns[index] ?? String(index + 1));
  const found: Finding[] = [];
  if (column.percent_cells > 0) {
    found.push(
      finding(
        "percent-sign",
        "red",
        `Column ${name} has ${column.percent_cells} cells with a % sign: hand in the plain number, 12.5 for 12.5%.`,
      ),
    );
  }
  if (column.loose_date_cells > 0) {
    found.push(
      finding(
        "loose-date",
        "warn",
        `Column ${name} has ${column.loose_date_cells} dates that are not written YYYY-MM-DD, e.g. ${JSON.stringify(column.examples[0] ?? "")}.`,
      ),
    );
  }
  if (column.same_as !== null && rows > 0) {
    const other = JSON.stringify(columns[column.same_as] ?? "");
    const level = rows > 1 && column.distinct > 1 ? "red" : "warn";
    found.push(
      finding("duplicate-column", level, `Column ${name} holds the same cells as column ${other}: hand in one.`),
    );
  }
  if (rows > 1 && columns.length > 1 && column.distinct <= 1) {
    const value = column.examples[0];
    const what = value === undefined ? "no value" : `only ${JSON.stringify(value)}`;
    found.push(
      finding(
        "constant-column",
        "warn",
        `Column ${name} has ${what} in all ${rows} rows: leave it out unless the question asks for it.`,
      ),
    );
  }
  return found;
}

/** An answer whose SQL reads no table was typed by hand. */
function retypedTable({ started, candidate, queries, trajectory, facts }: CheckInput): CheckOutcome {
  const answer = queries.at(-1);
  if (answer === undefined || started.catalog.tables.length === 0) return NOTHING_FOUND;
  const parsed = facts.tree(answer);
  if (parsed === null) return { need: [{ sql: answer, answer: "tree" }] };
  if (!parsed.ok) return NOTHING_FOUND;
  const known = new Set([...started.catalog.tables, ...overlayOf(trajectory)].map(({ name }) => name.toLowerCase()));
  if (tableNames(parsed.tree).some((name) => known.has(name.toLowerCase()))) return NOTHING_FOUND;
  const cells = candidate.candidate.rows * candidate.candidate.columns.length;
  return {
    findings: [
      finding(
        "retyped-table",
        "red",
        `The submitted SQL reads no table: its ${cells} cells were typed in. Submit the query that computes them.`,
      ),
    ],
  };
}

function finding(rule: Finding["rule"], level: Finding["level"], detail: string): Finding {
  return { rule, level, evidence: [], detail };
}
