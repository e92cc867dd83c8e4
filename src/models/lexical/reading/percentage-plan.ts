import { columnOf, isIdentifier, isNumeric } from "../schema/schema.js";
import { type Condition, columnValue, type Measure, type Plan, plan, type Value } from "../sql/plan.js";
import type { Understanding } from "./compose.js";
import { keyName } from "./count-plan.js";
import { countRows, item } from "./plan-parts.js";
import { lowerAt, mentionAt, type Placed } from "./question.js";
import { rootTable, tableBefore } from "./roots.js";
import { readTargets } from "./targets.js";

/** `What percentage of A are B`: B among A, in percent. */
export function percentagePlan(understanding: Understanding): Plan {
  const { grouping } = understanding;
  const { part, whole } = splitConditions(understanding);
  const amount = amountShared(understanding);
  const root = amount?.table ?? entity(understanding);
  const measured = (where: readonly Condition[]): Measure =>
    amount === null
      ? countRows(root, where)
      : { kind: "aggregate", fn: "sum", of: amount.value, distinct: false, where };
  const share: Measure = {
    kind: "arithmetic",
    operator: "/",
    left: { kind: "arithmetic", operator: "*", left: { kind: "number", value: 100 }, right: measured(part) },
    right: measured([]),
  };
  const keys = grouping?.keys ?? [];
  return plan(root, {
    select: [...keys.map((key) => item(key, keyName(key))), { kind: "measure", measure: share, name: "percentage" }],
    where: whole,
    group: keys,
  });
}

const MAIN_VERBS = new Set(
  "is are was were have has had can could do does did be belong belongs contain contains live lives come comes use uses made went received".split(
    " ",
  ),
);
const RELATIVE = new Set(["who", "that", "which", "whose"]);

interface Split {
  readonly part: readonly Condition[];
  readonly whole: readonly Condition[];
}

/** Which conditions make the part and which the whole, by where they stand. */
function splitConditions(understanding: Understanding): Split {
  const { reading, head } = understanding;
  const conditions = reading.conditions;
  const before = conditions.filter(({ to }) => to <= head.from);
  const behind = conditions.filter(({ from }) => from >= head.from);
  const rest = conditions.filter((condition) => !before.includes(condition) && !behind.includes(condition));
  const { part, whole } = splitBehind(understanding, behind);
  return { part: part.map(({ what }) => what), whole: [...before, ...rest, ...whole].map(({ what }) => what) };
}

function splitBehind(
  understanding: Understanding,
  behind: readonly Placed<Condition>[],
): { part: readonly Placed<Condition>[]; whole: readonly Placed<Condition>[] } {
  const { question } = understanding.reading;
  const { head } = understanding;
  if (lowerAt(question, head.to) !== "of" && lowerAt(question, head.to) !== "among") return { part: behind, whole: [] };
  const among = indexOfWord(understanding, ["among", "out"], head.to + 1);
  if (among >= 0) {
    return { part: behind.filter(({ from }) => from < among), whole: behind.filter(({ from }) => from >= among) };
  }
  const verb = mainVerb(understanding);
  if (verb >= 0) {
    const part = behind.filter(({ from, to }) => from >= verb || to > verb);
    if (part.length > 0) return { part, whole: behind.filter((condition) => !part.includes(condition)) };
  }
  const noun = nounAt(understanding);
  const relative = indexOfWord(understanding, [...RELATIVE], noun);
  const pre = behind.filter(({ to }) => to <= noun);
  const post = behind.filter((condition) => !pre.includes(condition));
  if (pre.length > 0 && post.length > 0) return relative >= 0 ? { part: post, whole: pre } : { part: pre, whole: post };
  return lastAsPart(behind);
}

/** With nothing but a row of restrictions, a period is the frame and the rest is the part. */
function lastAsPart(behind: readonly Placed<Condition>[]) {
  const frames = behind.filter(
    ({ what }) => what.kind === "period" || (what.kind === "compare" && what.left.kind === "date-part"),
  );
  if (frames.length === 0 || frames.length === behind.length) return { part: behind, whole: [] };
  return { part: behind.filter((condition) => !frames.includes(condition)), whole: frames };
}

function indexOfWord(understanding: Understanding, words: readonly string[], from: number): number {
  const { question } = understanding.reading;
  for (let at = from; at < understanding.head.end; at++) {
    if (words.includes(lowerAt(question, at)) && question.tokens[at]?.quote === null) return at;
  }
  return -1;
}

/** The verb of the sentence: the first behind the noun that is not the verb of a relative clause. */
function mainVerb(understanding: Understanding): number {
  const { question } = understanding.reading;
  let inRelative = false;
  for (let at = nounAt(understanding); at < understanding.head.end; at++) {
    const word = lowerAt(question, at);
    if (RELATIVE.has(word)) inRelative = true;
    else if (MAIN_VERBS.has(word) && mentionAt(question, at) === null) {
      if (!inRelative) return at;
      inRelative = false;
    }
  }
  return -1;
}

/** The token after the noun that the share is taken of. */
function nounAt(understanding: Understanding): number {
  const { question } = understanding.reading;
  const { head } = understanding;
  const mention = question.mentions.find(
    ({ from, tables, columns, values }) =>
      from > head.to && (tables.length > 0 || (columns.length > 0 && values.length === 0)),
  );
  if (mention !== undefined && mention.to <= head.end) return mention.to;
  return head.to + 1;
}

/** `percentage of the total budget`: the share is of an amount, not of a number of rows. */
function amountShared(understanding: Understanding): { table: string; value: Value } | null {
  const { reading, head } = understanding;
  const target = readTargets(reading, { ...head, end: Math.min(head.end, head.to + 8) }).targets[0];
  if (target?.kind !== "column" || target.mention.from > head.to + 5) return null;
  const column = columnOf(reading.question.schema, target.ref);
  if (!isNumeric(column) || isIdentifier(column) || (column.distinct ?? 9) <= 2) return null;
  return { table: column.table, value: columnValue(target.ref) };
}

function entity(understanding: Understanding): string {
  const { reading, head } = understanding;
  const target = readTargets(reading, head).targets.find(
    (candidate) => candidate.kind === "label" || candidate.kind === "count",
  );
  if (target !== undefined && (target.mention?.from ?? 0) <= head.to + 6) return target.table.name;
  return tableBefore(reading.question, head.from) ?? rootTable(reading, head.end);
}
