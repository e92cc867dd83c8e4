import type { Finding } from "../../core/finding.js";
import type { FanOutMend, FindingWords } from "../wording/wording.js";
import { countsRowsOf } from "./asked-count.js";
import { type CheckInput, type CheckOutcome, type CheckQuery, NOTHING_FOUND } from "./check.js";
import { type FanOutCheck, fanOutChecks } from "./fan-out-checks.js";
import type { Repetition } from "./sql/repetition.js";
import { submittedReadings } from "./submission.js";

/**
 * Rule 3, `fan-out`: a join repeats the rows of a table before they are summed, averaged, counted or shown. What counts is what is left
 * after all filters and within each group, so that a join to many rows of which a filter leaves one repeats nothing. Of a sum over rows
 * that were looked up from another table (a price per order line) code cannot tell whether it is meant: a warning.
 */
export function fanOut(input: CheckInput): CheckOutcome {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const checks = read.submitted.flatMap(({ reading }) =>
    reading.blocks.filter(({ leavesOut }) => !leavesOut).flatMap((block) => fanOutChecks(block, reading)),
  );
  const queries = checks.map(({ query }): CheckQuery => ({ sql: query.sql, answer: "rows" }));
  const open = queries.filter(({ sql, answer }) => !input.facts.has(sql, answer));
  if (open.length > 0) return { need: open };
  const findings = checks.flatMap((check) => {
    const answer = input.facts.rows(check.query.sql);
    const [row] = answer?.ok === true ? answer.table.rows : [];
    return row === undefined ? [] : (judge(check, check.query.read(row), input) ?? []);
  });
  return findings.length === 0 ? NOTHING_FOUND : { findings: withoutTwins(findings) };
}

function judge(check: FanOutCheck, all: readonly Repetition[], { started, say }: CheckInput): Finding | null {
  switch (check.kind) {
    case "sum":
    case "average":
      return judgeMeasure(check, all, say);
    case "count":
      return judgeCount(check, all, started.question, say);
    case "list":
      return judgeList(check, all, say);
  }
}

/** All rows of all tables stand more than once: the product of two tables, or a join many to many. */
function isProduct({ query }: FanOutCheck, all: readonly Repetition[]): boolean {
  return query.isComplete && all.length > 1 && all.every(({ repeats }) => repeats);
}

function judgeMeasure(check: FanOutCheck, all: readonly Repetition[], say: FindingWords): Finding | null {
  // An average over one row of a table does not change with how often that stands there.
  const own = all.filter(({ isMeasured }) => isMeasured);
  const changes = own.every((one) => (check.kind === "sum" ? one.repeats : one.repeatsAmongOthers));
  if (own.length === 0 || !changes) return null;
  const level = own.some(({ isFirst }) => isFirst) || isProduct(check, all) ? "red" : "warn";
  return finding(level, say.fanOut({ what: check.what, verb: "takes", rows: own, mend: "aggregate-first" }));
}

function judgeCount(
  check: FanOutCheck,
  all: readonly Repetition[],
  question: string,
  say: FindingWords,
): Finding | null {
  const repeated = all.filter(({ repeats, isKey }) => repeats && !isKey);
  const asked = repeated.filter(({ table }) => countsRowsOf(question, table));
  const said = (rows: readonly Repetition[], mend: FanOutMend) =>
    say.fanOut({ what: check.what, verb: "counts", rows, mend });
  if (asked.length > 0) return finding("red", said(asked, "exists"));
  if (isProduct(check, all)) return finding("red", said(all, "by-key"));
  const own = repeated.filter(({ isMeasured }) => isMeasured);
  return own.length === 0 ? null : finding("warn", said(own, "distinct"));
}

function judgeList(check: FanOutCheck, all: readonly Repetition[], say: FindingWords): Finding | null {
  const shown = all.filter(({ isMeasured }) => isMeasured);
  if (shown.some(({ repeats }) => !repeats)) return null;
  const others = all.filter(({ isMeasured }) => !isMeasured);
  const isIdle = others.length > 0 && others.every(({ isUsed }) => !isUsed);
  const said = say.fanOut({ what: null, verb: "shows", rows: shown, mend: "distinct-or-exists" });
  if (isProduct(check, all) || isIdle) return finding("red", said);
  return shown.some(({ isFirst }) => isFirst) ? finding("warn", said) : null;
}

function finding(level: Finding["level"], detail: string): Finding {
  return { rule: "fan-out", level, evidence: [], detail };
}

/** The same sentence once. */
function withoutTwins(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ detail }, index) => findings.findIndex((other) => other.detail === detail) === index);
}
