import type { Finding } from "../../core/finding.js";
import { contentOf } from "../excerpt.js";
import { asksForNumber, asksForSome } from "./asked-rows.js";
import { type CheckInput, type CheckOutcome, NOTHING_FOUND } from "./check.js";
import { returnsOf } from "./known-text.js";
import { probedQueries } from "./probes.js";
import { literalOf } from "./sql/literal.js";
import { printQuery } from "./sql/print-query.js";
import { isSqlNode, nodesOf, partOf, partsUnder, type SqlNode, textUnder } from "./sql-tree.js";
import { answerQuery, type SubmittedQuery, submittedReadings } from "./submission.js";

/** Rows that a tool showed of a result that had more. */
interface CutResult {
  readonly step: number;
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Rule 4, `preview-submitted`: the candidate is what a tool had shown of a longer result, not the result: it has as many rows, and the
 * same first ones or a LIMIT that cuts it to them; or its cells end in the mark of a cut text that the SQL itself wrote.
 */
export function previewSubmitted(input: CheckInput): CheckOutcome {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const answer = read.submitted.find(({ sql }) => sql === answerQuery(input)) ?? null;
  const marked = markedCell(input, answer);
  const findings = marked === null ? [] : [finding("red", input.say.previewCells(marked.slice(-60)))];
  const cut = cutsOf(input).filter(({ rows }) => isPossible(rows.length, input));
  const shown = cut.find(({ rows }) => startsWith(input, rows) && (answer === null || isCutBySql(answer, rows.length)));
  if (shown !== undefined) return { findings: [...findings, cutRows(shown, input)] };
  const limited = answer === null ? null : limitedRows(answer, input);
  const same = cut.find(({ rows }) => rows.length === limited?.limit);
  if (limited === null || same === undefined) return findings.length === 0 ? NOTHING_FOUND : { findings };
  const whole = input.facts.rows(limited.wholeCount);
  if (whole === null) return { need: [{ sql: limited.wholeCount, answer: "rows" }] };
  const rows = whole.ok ? Number(whole.table.rows[0]?.[0]) : 0;
  return { findings: rows > limited.limit ? [...findings, cutRows(same, input)] : findings };
}

function isPossible(rows: number, { candidate, started }: CheckInput): boolean {
  return rows > 1 && rows === candidate.candidate.rows && !asksForNumber(started.question, rows);
}

/** Results of probes and lists of values of which more was there than was shown. */
function cutsOf(input: CheckInput): readonly CutResult[] {
  const probes = probedQueries(input).filter(({ shown, rows }) => shown === "cut" && rows.length > 0);
  const lists = returnsOf(input).flatMap(({ step, returned }) => {
    const content = returned.tool === "get_column_distinct_values" ? contentOf(returned.content) : null;
    const values = isSqlNode(content) && returned.truncated && Array.isArray(content.values) ? content.values : null;
    return values === null ? [] : [{ step, rows: values.map((value: unknown) => [value]) }];
  });
  return [...probes.map(({ step, rows }) => ({ step, rows })), ...lists];
}

/** The candidate's first rows, as far as they are known, are those that were shown, whatever the order of columns. */
function startsWith({ candidate }: CheckInput, rows: readonly (readonly unknown[])[]): boolean {
  const cells = (row: readonly unknown[] | undefined) => JSON.stringify([...(row ?? [])].map(String).sort());
  return candidate.candidate.preview.every((row, index) => cells(row) === cells(rows[index]));
}

/** Whether SQL itself keeps a number of rows: by LIMIT, by numbering them, by a list of that many constants, or typed in. */
function isCutBySql({ tree, reading }: SubmittedQuery, rows: number): boolean {
  if (reading.bases.length === 0) return true;
  return [...nodesOf(tree)].some(
    (node) =>
      node.type === "LIMIT_MODIFIER" ||
      node.type === "LIMIT_PERCENT_MODIFIER" ||
      (node.class === "WINDOW" && textUnder(node, "function_name") === "row_number") ||
      (node.type === "COMPARE_IN" && partsUnder(node, "children").length > rows) ||
      (node.type === "EXPRESSION_LIST" && Array.isArray(node.values) && node.values.length >= rows),
  );
}

/** The outermost LIMIT, and a query that counts the rows without it. */
function limitedRows(
  { tree }: SubmittedQuery,
  { started }: CheckInput,
): { readonly limit: number; readonly wholeCount: string } | null {
  const modifiers = partsUnder(tree, "modifiers");
  const limit = modifiers.map((modifier) => partOf(modifier, "limit")).find((part) => part !== null);
  const literal = limit === undefined ? null : literalOf(limit);
  if (literal?.kind !== "number" || asksForSome(started.question)) return null;
  const rest = modifiers.filter((modifier) => modifier.type === "DISTINCT_MODIFIER");
  const whole = printQuery({ ...tree, modifiers: rest });
  return whole === null ? null : { limit: Number(literal.text), wholeCount: `SELECT count(*) FROM (${whole})` };
}

function cutRows({ step, rows }: CutResult, { started, say }: CheckInput): Finding {
  return finding(asksForSome(started.question) ? "warn" : "red", say.previewRows(rows.length, step));
}

function finding(level: Finding["level"], detail: string): Finding {
  return { rule: "preview-submitted", level, evidence: [], detail };
}

/** `… (+12 characters)`, `abc...`, `[truncated]` at the end of a text. */
const MARK = /(?:…|\.\.\.)\s*(?:\(\+?\d+[^)]*\))?$|[[(]truncated[\])]$/i;
/** The mark of our own tools. */
const OWN_MARK = /… \(\+\d+ characters\)$/;

/** A cell that ends in the mark of a cut text which comes from the SQL, not from the data. */
function markedCell({ candidate }: CheckInput, answer: SubmittedQuery | null): string | null {
  const { preview, structure } = candidate.candidate;
  const cells = [...preview.flat(), ...structure.flatMap(({ examples }) => examples)].filter((cell) => cell !== null);
  const written = answer === null ? [] : textsIn(answer.tree);
  const isMade = written.some((text) => /…|\.\.\.|truncated/i.test(text));
  return cells.find((cell) => OWN_MARK.test(cell) || (isMade && MARK.test(cell))) ?? null;
}

function textsIn(tree: SqlNode): readonly string[] {
  return [...nodesOf(tree)].flatMap((node) => {
    const literal = node.class === "CONSTANT" ? literalOf(node) : null;
    return literal?.kind === "text" ? [literal.text] : [];
  });
}
