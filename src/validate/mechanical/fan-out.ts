import type { Finding } from "../../core/finding.js";
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
    return row === undefined ? [] : (judge(check, check.query.read(row), input.started.question) ?? []);
  });
  return findings.length === 0 ? NOTHING_FOUND : { findings: withoutTwins(findings) };
}

function judge(check: FanOutCheck, all: readonly Repetition[], question: string): Finding | null {
  switch (check.kind) {
    case "sum":
    case "average":
      return judgeMeasure(check, all);
    case "count":
      return judgeCount(check, all, question);
    case "list":
      return judgeList(check, all);
  }
}

/** All rows of all tables stand more than once: the product of two tables, or a join many to many. */
function isProduct({ query }: FanOutCheck, all: readonly Repetition[]): boolean {
  return query.isComplete && all.length > 1 && all.every(({ repeats }) => repeats);
}

function judgeMeasure(check: FanOutCheck, all: readonly Repetition[]): Finding | null {
  // An average over one row of a table does not change with how often that stands there.
  const own = all.filter(({ isMeasured }) => isMeasured);
  const changes = own.every((one) => (check.kind === "sum" ? one.repeats : one.repeatsAmongOthers));
  if (own.length === 0 || !changes) return null;
  const level = own.some(({ isFirst }) => isFirst) || isProduct(check, all) ? "red" : "warn";
  return finding(level, `${check.what} takes`, own, "aggregate before the join, or join to one row each");
}

function judgeCount(check: FanOutCheck, all: readonly Repetition[], question: string): Finding | null {
  const repeated = all.filter(({ repeats, isKey }) => repeats && !isKey);
  const asked = repeated.filter(({ table }) => countsRowsOf(question, table));
  const what = `${check.what} counts`;
  if (asked.length > 0)
    return finding("red", what, asked, "count distinct rows, or test with EXISTS instead of a join");
  if (isProduct(check, all)) return finding("red", what, all, "join the tables by a key");
  const own = repeated.filter(({ isMeasured }) => isMeasured);
  return own.length === 0 ? null : finding("warn", what, own, "count distinct rows");
}

function judgeList(check: FanOutCheck, all: readonly Repetition[]): Finding | null {
  const shown = all.filter(({ isMeasured }) => isMeasured);
  if (shown.some(({ repeats }) => !repeats)) return null;
  const others = all.filter(({ isMeasured }) => !isMeasured);
  const isIdle = others.length > 0 && others.every(({ isUsed }) => !isUsed);
  const mend = "use DISTINCT, or EXISTS instead of a join";
  if (isProduct(check, all) || isIdle) return finding("red", "the answer shows", shown, mend);
  return shown.some(({ isFirst }) => isFirst) ? finding("warn", "the answer shows", shown, mend) : null;
}

function finding(level: Finding["level"], what: string, rows: readonly Repetition[], mend: string): Finding {
  const times = rows.map(({ table, joined, distinct }) => `${distinct} rows of ${table} ${joined} times`).join(" and ");
  return {
    rule: "fan-out",
    level,
    evidence: [],
    detail: `The join of the submitted SQL repeats rows: ${what} ${times}. Unless that is meant, ${mend}.`,
  };
}

/** The same sentence once. */
function withoutTwins(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ detail }, index) => findings.findIndex((other) => other.detail === detail) === index);
}
