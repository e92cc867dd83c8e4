import type { Finding } from "../../core/finding.js";
import { type CheckInput, type CheckOutcome, NOTHING_FOUND } from "./check.js";
import { type Blame, blameOf } from "./empty-blame.js";
import { type Stage, stagesOf } from "./empty-stages.js";
import { submittedReadings, usedTables } from "./submission.js";

const MOST_FINDINGS = 5;

/**
 * Rule 7, `empty-source`: a stage of the submitted SQL leaves nothing on its own: a filter, the join, a condition on groups, the condition
 * of a conditional count. That several filters together leave nothing may be the answer. So may one alone, if its values are those of
 * the question or of a document: that is a warning, unless the column has such a value in another spelling.
 */
export function emptySource(input: CheckInput): CheckOutcome {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const blocks = read.submitted.flatMap(({ reading }) => reading.blocks).filter(({ leavesOut }) => !leavesOut);
  const stages = stagesOf(blocks, input.facts);
  if ("need" in stages) return stages;
  const judged = stages.empty.slice(0, MOST_FINDINGS).map((stage) => ({ stage, blame: blameOf(stage, input) }));
  const open = judged.flatMap(({ blame }) => ("need" in blame ? blame.need : []));
  if (open.length > 0) return { need: open };
  const found = judged.flatMap(({ stage, blame }) => ("need" in blame ? [] : [findingOf(stage, blame, input)]));
  const bare = usedTables(read.submitted).filter(({ table }) => table.rows === 0);
  const all = [...found, ...bare.map(({ table }) => finding("warn", input.say.tableWithoutRows(table.name)))];
  const findings = all.filter(({ detail }, index) => all.findIndex((other) => other.detail === detail) === index);
  return findings.length === 0 ? NOTHING_FOUND : { findings };
}

function findingOf({ kind, text }: Stage, { level, why }: Blame, { say }: CheckInput): Finding {
  return finding(level, say.emptyStage(kind, text.slice(0, 300), why));
}

function finding(level: Finding["level"], detail: string): Finding {
  return { rule: "empty-source", level, evidence: [], detail };
}
