import type { Finding } from "../../core/finding.js";
import { type CheckInput, type CheckOutcome, type CheckQuery, NOTHING_FOUND } from "./check.js";
import { dependsOnOrder, inReversedOrder } from "./sql/row-order.js";
import { answerQuery, submittedReadings } from "./submission.js";

/**
 * Rule 6, `not-reproducible`: the submitting source, run again, gives another column signature, or nothing at all. No rows that come again
 * are legal. A warning where the same SQL gives another answer once the tables' rows are read in the opposite order: then the answer
 * is whatever stood first in the files (a LIMIT without an order, `first`, ties).
 */
export function notReproducible(input: CheckInput): CheckOutcome {
  const sql = answerQuery(input);
  if (sql === null) return NOTHING_FOUND;
  const again = input.facts.signature(sql);
  if (again === null) return { need: [{ sql, answer: "signature" }] };
  const { candidate } = input.candidate;
  if (!again.ok) {
    // A query that was stopped or lost says nothing about its answer.
    const isVerdict = again.error.code === "sql-error" || again.error.code === "refused";
    return isVerdict
      ? { findings: [finding("red", input.say.fails(again.error.message.slice(0, 300)))] }
      : NOTHING_FOUND;
  }
  if (again.signature !== candidate.signature) {
    return { findings: [finding("red", input.say.otherValues(again.rows, candidate.rows))] };
  }
  return inOtherOrder(sql, input);
}

function inOtherOrder(sql: string, input: CheckInput): CheckOutcome {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const submitted = read.submitted.find((one) => one.sql === sql);
  const dependence = submitted === undefined ? null : dependsOnOrder(submitted.tree);
  const reversed =
    submitted === undefined || dependence === null ? null : inReversedOrder(submitted.tree, input.started.catalog);
  if (reversed === null || dependence === null) return NOTHING_FOUND;
  const query: CheckQuery = { sql: reversed, answer: "signature" };
  const other = input.facts.signature(query.sql);
  if (other === null) return { need: [query] };
  return other.ok && other.signature !== input.candidate.candidate.signature
    ? { findings: [finding("warn", input.say.arbitraryOrder(dependence))] }
    : NOTHING_FOUND;
}

function finding(level: Finding["level"], detail: string): Finding {
  return { rule: "not-reproducible", level, evidence: [], detail };
}
