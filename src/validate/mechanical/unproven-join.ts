import type { LightCatalog } from "../../core/catalog.js";
import type { Finding } from "../../core/finding.js";
import { type CheckInput, type CheckOutcome, type CheckQuery, NOTHING_FOUND } from "./check.js";
import { documentTexts, names, plainWords } from "./known-text.js";
import { probedQueries } from "./probes.js";
import { type JoinPair, joinPairs } from "./sql/join-pairs.js";
import { sameName } from "./sql/resolve.js";
import { readingsOf, type SubmittedQuery, submittedReadings } from "./submission.js";

/**
 * Rule 3, `unproven-join` (a warning): two columns are joined that no relationship of the catalog, declared or inferred, connects, that
 * no document that was read names together, and that no earlier query joined with a result. The submitted query itself proves nothing.
 */
export function unprovenJoin(input: CheckInput): CheckOutcome {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const { relationships } = input.started.catalog;
  const lines = documentTexts(input).flatMap((text) => text.split("\n").map(plainWords));
  const open = pairsOf(read.submitted).filter((pair) => !isRelated(pair, relationships) && !isDescribed(pair, lines));
  if (open.length === 0) return NOTHING_FOUND;
  const probed = probedPairs(input, read.submitted);
  if ("need" in probed) return probed;
  const unproven = open.filter((pair) => !probed.pairs.some((shown) => isSame(pair, shown)));
  const texts = [...new Set(unproven.map(inWords))];
  return { findings: texts.map((text) => finding(input.say.unprovenJoin(text))) };
}

function pairsOf(queries: readonly SubmittedQuery[]): readonly JoinPair[] {
  return queries.flatMap(({ reading }) => reading.blocks.flatMap(joinPairs));
}

/** Connected by a relationship, by relationships with the same third column, or a column with itself. */
function isRelated(pair: JoinPair, relationships: LightCatalog["relationships"]): boolean {
  const [left, right] = pair.map(({ base, column }) => ({ table: base.table.name, column }));
  if (left === undefined || right === undefined) return false;
  const targets = (side: typeof left) => [
    side,
    ...relationships
      .filter(({ from_table, from_column }) => sameName(from_table, side.table) && sameName(from_column, side.column))
      .map(({ to_table, to_column }) => ({ table: to_table, column: to_column })),
  ];
  return targets(left).some((one) =>
    targets(right).some((other) => sameName(one.table, other.table) && sameName(one.column, other.column)),
  );
}

/** A line of a document names both columns, and their tables too where a column's name is as common as `id`. */
function isDescribed(pair: JoinPair, lines: readonly string[]): boolean {
  return lines.some((line) =>
    pair.every(({ base, column }) => names(line, column) && (isTelling(column, pair) || names(line, base.table.name))),
  );
}

function isTelling(column: string, pair: JoinPair): boolean {
  const isShared = pair.every((side) => sameName(side.column, column));
  return !isShared && (column.length >= 4 || /[^\p{Script=Latin}]/u.test(column));
}

/** The pairs that queries of probes other than the submitted one joined with a result that was shown whole. */
function probedPairs(
  input: CheckInput,
  submitted: readonly SubmittedQuery[],
): { readonly need: readonly CheckQuery[] } | { readonly pairs: readonly JoinPair[] } {
  const own = new Set(submitted.map(({ sql }) => sql.trim()));
  const probes = probedQueries(input).filter(
    ({ sql, shown, hasContent }) => shown === "whole" && hasContent && !own.has(sql.trim()),
  );
  const read = readingsOf([...new Set(probes.map(({ sql }) => sql))], input);
  return "need" in read ? read : { pairs: pairsOf(read.submitted) };
}

function isSame(pair: JoinPair, other: JoinPair): boolean {
  const [a, b] = [pair.map(columnInWords), other.map(columnInWords)];
  return a.toSorted().join() === b.toSorted().join();
}

const columnInWords = ({ base, column }: JoinPair[number]): string => `${base.table.name}.${column}`;

function inWords(pair: JoinPair): string {
  return pair.map(columnInWords).join(" = ");
}

function finding(detail: string): Finding {
  return { rule: "unproven-join", level: "warn", evidence: [], detail };
}
