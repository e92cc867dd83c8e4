import type { Finding } from "../../core/finding.js";
import type { CheckInput, CheckOutcome } from "./check.js";
import { tableBases } from "./table-basis.js";

/**
 * Rule 1, `unseen-table` and `unseen-column`: the submitted SQL reads what was never profiled or probed and what no document that was
 * read describes. A table of which every look failed or was cut is rule 8's, `truncated-basis`.
 */
export function unseenSource(input: CheckInput): CheckOutcome {
  const read = tableBases(input);
  if ("need" in read) return read;
  const findings = read.tables.flatMap(({ table, basis }) => {
    if (basis.kind === "unseen") return [red("unseen-table", input.say.unseenTable(table.name))];
    if (basis.kind !== "seen" || basis.unseenColumns.length === 0) return [];
    const columns = basis.unseenColumns.map((column) => `${table.name}.${column}`);
    return [red("unseen-column", input.say.unseenColumns(columns))];
  });
  return { findings };
}

function red(rule: Finding["rule"], detail: string): Finding {
  return { rule, level: "red", evidence: [], detail };
}
