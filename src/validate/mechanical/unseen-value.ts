import type { Finding } from "../../core/finding.js";
import { type CheckInput, type CheckOutcome, type CheckQuery, NOTHING_FOUND } from "./check.js";
import { containsPhrase, documentTexts } from "./known-text.js";
import { isMisspelt, nearestValuesQuery } from "./nearest-values.js";
import { printExpression } from "./sql/print-expression.js";
import { quoteName } from "./sql/quote.js";
import { type TextTest, textTests } from "./sql/text-tests.js";
import { submittedReadings } from "./submission.js";

const MOST_FINDINGS = 5;
/** Longer lists are looked at in part. */
const MOST_TESTS = 200;

/** One column (or expression of it) and the texts that the submitted SQL compares it with. */
interface Comparison {
  readonly table: string;
  readonly column: string;
  readonly texts: readonly ComparedText[];
}

interface ComparedText {
  readonly test: TextTest;
  /** The test over the table's own columns, as SQL. */
  readonly condition: string;
  readonly isHeld: boolean;
}

/**
 * Rule 2, `unseen-value`: a filter compares a column with a text that the column does not hold. Numbers and dates are exempt, and texts
 * that the question or a document that was read contains: whether those are in the data is a fact, not a guess (rule 7 looks at what
 * they leave). A text that differs from a held value only in its spelling is red wherever it stands. One that merely stands beside
 * others that are held, or is only left out, is a warning: such lists are written in caution.
 */
export function unseenValue(input: CheckInput): CheckOutcome {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const tests = read.submitted
    .flatMap(({ reading }) => reading.blocks.flatMap(textTests))
    .filter(isOfText)
    .slice(0, MOST_TESTS);
  const asked = tests.flatMap((test) => {
    const condition = printExpression(test.condition);
    return condition === null ? [] : [{ test, condition }];
  });
  const open = asked
    .map(({ test, condition }) => rows(holdsQuery(test, condition)))
    .filter((query) => isOpen(query, input));
  if (open.length > 0) return { need: open };
  return judge(comparisons(asked, input), input);
}

const rows = (sql: string): CheckQuery => ({ sql, answer: "rows" });
const isOpen = ({ sql, answer }: CheckQuery, { facts }: CheckInput): boolean => !facts.has(sql, answer);

/** Columns of other types take a text for a number or a date. */
function isOfText({ subject }: TextTest): boolean {
  const { columns } = subject.base.table;
  return subject.columns.every((name) => columns.find((column) => column.name === name)?.type === "VARCHAR");
}

/** Texts that are numbers, dates or times, or blank, say nothing about how a value is written. */
function isAboutText({ text }: TextTest): boolean {
  return /[\p{L}]/u.test(text) && !/^\s*\d+[\d\s年月日号时分秒季度./:-]*$/u.test(text);
}

/** One row with 1 where the column holds the text, 0 where not. */
function holdsQuery({ subject }: TextTest, condition: string): string {
  return `SELECT count(*) FROM (SELECT 1 FROM ${quoteName(subject.base.table.name)} WHERE ${condition} LIMIT 1)`;
}

function comparisons(
  asked: readonly { readonly test: TextTest; readonly condition: string }[],
  { facts }: CheckInput,
): readonly Comparison[] {
  const groups = new Map<string, Comparison>();
  for (const { test, condition } of asked) {
    const held = facts.rows(holdsQuery(test, condition));
    // A test that cannot be run on the table alone is not judged.
    if (held?.ok !== true) continue;
    const [table, column] = [test.subject.base.table.name, test.subject.columns.join(", ")];
    const key = JSON.stringify([table, column]);
    const isHeld = held.table.rows[0]?.[0] !== "0";
    groups.set(key, { table, column, texts: [...(groups.get(key)?.texts ?? []), { test, condition, isHeld }] });
  }
  return [...groups.values()];
}

function judge(all: readonly Comparison[], input: CheckInput): CheckOutcome {
  const known = [input.started.question, ...documentTexts(input)];
  const heldSomewhere = new Set(
    all.flatMap(({ texts }) => texts.filter(({ isHeld }) => isHeld).map(({ test }) => test.text)),
  );
  const suspects = all.flatMap((comparison) =>
    comparison.texts
      .filter(({ isHeld, test }) => !isHeld && isAboutText(test) && !isKnown(test, known))
      .map((text) => ({ comparison, text, query: rows(nearestQuery(comparison, text)) })),
  );
  const unique = suspects.filter(
    ({ query }, index) => suspects.findIndex((other) => other.query.sql === query.sql) === index,
  );
  const shown = unique.slice(0, MOST_FINDINGS);
  const open = shown.map(({ query }) => query).filter((query) => isOpen(query, input));
  if (open.length > 0) return { need: open };
  const findings = shown.flatMap(({ comparison, text, query }) => {
    const answer = input.facts.rows(query.sql);
    const nearest = answer?.ok === true ? answer.table.rows.flatMap(([value]) => value ?? []) : [];
    const finding = findingOf(comparison, text, nearest, known, heldSomewhere, input.say);
    return finding === null ? [] : [withEvidence(finding, comparison, input)];
  });
  return findings.length === 0 ? NOTHING_FOUND : { findings };
}

/** The parts of a text that must be known for it to be known: of a pattern, what stands between its marks. */
function partsOf({ text, kind }: TextTest): readonly string[] {
  const parts = kind === "pattern" ? text.split(/[%_*^$()|\\.?+[\]]+/) : [text];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function isKnown(test: TextTest, known: readonly string[]): boolean {
  return partsOf(test).every((part) => known.some((text) => containsPhrase(text, part)));
}

function nearestQuery({ table, column }: Comparison, { test }: ComparedText): string {
  const [first = column] = test.subject.columns;
  const [longest = test.text] = partsOf(test).toSorted((a, b) => b.length - a.length);
  return nearestValuesQuery(table, first, longest);
}

function findingOf(
  { table, column, texts }: Comparison,
  { test, condition }: ComparedText,
  nearest: readonly string[],
  known: readonly string[],
  heldSomewhere: ReadonlySet<string>,
  say: CheckInput["say"],
): Omit<Finding, "evidence"> | null {
  const compared = new Set(texts.map((other) => other.test.text));
  const meant = nearest.find((value) => !compared.has(value) && isMisspelt(test.text, value));
  const lower = known.map((text) => text.toLowerCase());
  if (
    meant === undefined &&
    partsOf(test).every((part) => lower.some((text) => containsPhrase(text, part.toLowerCase())))
  ) {
    return null;
  }
  const isBeside = heldSomewhere.has(test.text) || texts.some(({ isHeld, test: other }) => isHeld && other.keeps);
  const level = meant === undefined && (isBeside || !test.keeps) ? "warn" : "red";
  const shown = nearest.map((value) => value.slice(0, 100));
  return {
    rule: "unseen-value",
    level,
    detail: say.unseenValue(`${table}.${column}`, condition.slice(0, 200), shown),
  };
}

/** What of the evidence shows the table's values. */
function withEvidence(finding: Omit<Finding, "evidence">, { table }: Comparison, { packet }: CheckInput): Finding {
  const items = packet.evidence_items.filter(({ source }) => source.kind === "table" && source.name === table);
  return { ...finding, evidence: items.map(({ id }) => id) };
}
