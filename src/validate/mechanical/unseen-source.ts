import type { Finding } from "../../core/finding.js";
import type { CheckInput, CheckOutcome } from "./check.js";
import type { LightTable } from "./sql/reading.js";
import { tableBases } from "./table-basis.js";

/**
 * Rule 1, `unseen-table` and `unseen-column`: the submitted SQL reads what was never profiled or probed and what no document that was
 * read describes. A table of which every look failed or was cut is rule 8's, `truncated-basis`.
 */
export function unseenSource(input: CheckInput): CheckOutcome {
  const read = tableBases(input);
  if ("need" in read) return read;
  const findings = read.tables.flatMap(({ table, basis }) => {
    if (basis.kind === "unseen") return [unseenTable(table)];
    return basis.kind === "seen" && basis.unseenColumns.length > 0 ? [unseenColumns(table, basis.unseenColumns)] : [];
  });
  return { findings };
}

function unseenTable({ name }: LightTable): Finding {
  return {
    rule: "unseen-table",
    level: "red",
    evidence: [],
    detail: `The submitted SQL reads the table ${name}, which no call has shown and no document that was read describes: look at it (get_table_profile or a query) before relying on it.`,
  };
}

function unseenColumns({ name }: LightTable, columns: readonly string[]): Finding {
  const list = columns.map((column) => `${name}.${column}`).join(", ");
  const [they, them] = columns.length === 1 ? ["it holds", "it"] : ["they hold", "them"];
  return {
    rule: "unseen-column",
    level: "red",
    evidence: [],
    detail: `The submitted SQL reads ${list}, which no call has shown and no document that was read describes: look at what ${they} (get_field_profile or a query) before relying on ${them}.`,
  };
}
