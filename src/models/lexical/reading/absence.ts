import type { Mention } from "../linking/mentions.js";
import { isIdentifier, isNumeric, type SchemaColumn } from "../schema/schema.js";
import { type Condition, columnValue, ref } from "../sql/plan.js";
import { STOP_WORDS } from "../words/stop-words.js";
import { yesAndNo } from "../words/world.js";
import { pickColumn } from "./columns.js";
import { lowerAt, mentionAt, type Question, type Reading, startsWith, wordsOf } from "./question.js";

/** Reads `have a face name`: rows where a field that may be missing is there. */
export function readPresence(reading: Reading): void {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    if (
      !/^(have|has|having|with)$/.test(lowerAt(question, index)) ||
      !/^(a|an|any)$/.test(lowerAt(question, index + 1))
    )
      continue;
    const mention = mentionAt(question, index + 2);
    const link = mention?.columns[0];
    if (
      mention === null ||
      link === undefined ||
      mention.from !== index + 2 ||
      reading.used.has(mention) ||
      link.column.nulls === 0 ||
      link.score < 0.7
    )
      continue;
    const next = lowerAt(question, mention.to);
    if (next !== "" && !/^[.?,;!]$|^(and|or)$/.test(next)) continue;
    reading.used.add(mention);
    reading.conditions.push({
      what: { kind: "missing", ref: ref({ table: link.column.table, column: link.column.name }), negated: true },
      from: index,
      to: mention.to,
    });
  }
}

const NEVER = new Set(["never", "not", "no", "without"]);

/** Reads `never placed an order`, `with no badges`: things without a row in another table. */
export function readNever(reading: Reading): void {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    if (!NEVER.has(lowerAt(question, index)) || reading.spent.has(index)) continue;
    for (let at = index + 1; at <= index + 6; at++) {
      const word = lowerAt(question, at);
      const mention = mentionAt(question, at);
      if (["more", "less", "than", ",", "and", "later", "earlier", "least", "equal"].includes(word)) break;
      if (mention === null) continue;
      const table = mention.tables[0];
      const asField = (mention.columns[0]?.score ?? 0) > (table?.score ?? 0) || mention.values.length > 0;
      if (table === undefined || asField || reading.used.has(mention) || table.score < 0.75) {
        if (asField) break;
        continue;
      }
      reading.used.add(mention);
      reading.spent.add(index);
      reading.without.push(table.table);
      break;
    }
  }
}

const RECORDED = new Set([
  "recorded",
  "known",
  "available",
  "specified",
  "given",
  "determined",
  "reported",
  "provided",
  "measured",
]);
const ABSENT = new Set([
  "missing",
  "without",
  "null",
  "empty",
  "blank",
  "lack",
  "lacks",
  "lacking",
  "no",
  "unknown",
  "unrecorded",
  "unspecified",
]);

/** Reads `no website`, `with missing length data`, `out of stock`, `whose age is unknown` into conditions. */
export function readAbsence(reading: Reading): void {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    if (reading.spent.has(index) || mentionAt(question, index) !== null) continue;
    if (lowerAt(question, index) === "not" && RECORDED.has(lowerAt(question, index + 1)))
      readAbsent(reading, index, index + 2);
    else if (startsWith(question, index, ["out", "of"])) readZero(reading, index);
    else if (ABSENT.has(lowerAt(question, index))) readAbsent(reading, index, index + 1);
    else if (startsWith(question, index, ["not", "have"]) || startsWith(question, index, ["not", "has"]))
      readAbsent(reading, index, index + 2);
  }
}

function readZero(reading: Reading, index: number): void {
  const mention = mentionAt(reading.question, index + 2);
  if (mention === null || reading.used.has(mention)) return;
  const picked = pickColumn(reading.question, mention, { suits: isNumeric });
  if (picked === null) return;
  reading.used.add(mention);
  reading.conditions.push({
    what: { kind: "compare", left: columnValue(picked), operator: "=", right: { kind: "number", value: 0 } },
    from: index,
    to: mention.to,
  });
  reading.spent.add(index);
}

function readAbsent(reading: Reading, index: number, start: number): void {
  const { question } = reading;
  let at = start;
  while (
    [
      "a",
      "an",
      "any",
      "the",
      "value",
      "values",
      "data",
      "in",
      "for",
      "or",
      "null",
      "missing",
      "of",
      "record",
      "recorded",
    ].includes(lowerAt(question, at))
  )
    at++;
  const after = mentionAt(question, at);
  const mention = after !== null && after.from === at ? after : mentionBehindVerb(question, index);
  if (mention === null || reading.used.has(mention)) return;
  const link = mention.columns[0];
  if (link === undefined || (mention.tables[0]?.score ?? 0) > link.score) return;
  const picked = pickColumn(question, mention);
  if (picked === null) return;
  const column =
    mention.columns.find(
      (candidate) => candidate.column.table === picked.table && candidate.column.name === picked.column,
    )?.column ?? link.column;
  reading.used.add(mention);
  reading.spent.add(index);
  reading.conditions.push({
    what: absent(column),
    from: Math.min(index, mention.from),
    to: Math.max(start, mention.to),
  });
}

/** `whose age is unknown`: the field stands before. */
function mentionBehindVerb(question: Question, index: number): Mention | null {
  const verb = lowerAt(question, index - 1);
  if (!["is", "are", "was", "were"].includes(verb)) return null;
  return mentionAt(question, index - 2);
}

/** Nulls where there are some; else the zero or placeholder that stands for them. */
export function absent(column: SchemaColumn): Condition {
  const target = ref({ table: column.table, column: column.name });
  if (column.nulls === 0 && column.kind === "number" && column.min === "0") {
    return { kind: "compare", left: columnValue(target), operator: "=", right: { kind: "number", value: 0 } };
  }
  const placeholder = column.top.find((value) => /^(n\/a|na|none|unknown|-|null|not available|no .*)$/i.test(value));
  if (column.nulls === 0 && placeholder !== undefined)
    return { kind: "equals", ref: target, values: [placeholder], negated: false };
  return { kind: "missing", ref: target, negated: false };
}

/** Reads `premium customers`, `are irrigated`, `non-charter schools`: a field of yes and no as a condition. */
export function readFlags(reading: Reading): void {
  const { question } = reading;
  for (const mention of question.mentions) {
    if (reading.used.has(mention) || !isAdjective(question, mention)) continue;
    const link = mention.columns.find(
      (candidate) => candidate.score >= 0.6 && flagValues(question, candidate.column) !== null,
    );
    if (link === undefined || (mention.columns[0]?.score ?? 0) > link.score + 0.2) continue;
    const values = flagValues(question, link.column);
    const before = wordsOf(question, mention.from - 3, mention.from);
    const off = /(?:^|\s)(not|non|non -|never|no|without)(?: (?:a|an|been|being|-))*$/.test(before);
    const value = off ? values?.no : values?.yes;
    if (value == null) continue;
    reading.used.add(mention);
    reading.conditions.push({
      what: {
        kind: "equals",
        ref: ref({ table: link.column.table, column: link.column.name }),
        values: [value],
        negated: false,
      },
      from: mention.from,
      to: mention.to,
    });
  }
}

/** What stands for yes and no in a column of two values; null where it is no such column. */
export function flagValues(question: Question, column: SchemaColumn): ReturnType<typeof yesAndNo> {
  if (column.kind === "boolean") return { yes: "true", no: "false" };
  if ((column.distinct ?? 9) > 2) return null;
  return yesAndNo(question.domain(column));
}

/** Before the noun it describes, or behind a form of to be. */
function isAdjective(question: Question, mention: Mention): boolean {
  const next = mentionAt(question, mention.to);
  if (next !== null && next.tables.length > 0) return true;
  const before = lowerAt(question, mention.from - 1);
  const earlier = lowerAt(question, mention.from - 2);
  const noun = question.tokens[mention.to];
  const isThing = next === null || (next.columns[0] !== undefined && isIdentifier(next.columns[0].column));
  const beforeNoun = isThing && noun?.kind === "word" && !STOP_WORDS.has(noun.lower) && /s$/.test(noun.lower);
  if (beforeNoun && /^(of|all|many|the|for|among|are|non|-|not)$/.test(before)) return true;
  const be = ["is", "are", "was", "were", "be", "been"];
  return (
    be.includes(before) ||
    (["a", "an", "not", "non", "-", "been"].includes(before) &&
      (be.includes(earlier) || earlier === "non" || earlier === "have" || earlier === "has")) ||
    before === "non"
  );
}
