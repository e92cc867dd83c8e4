import type { Candidate } from "../choice.js";
import type { Mention } from "../linking/mentions.js";
import type { ValueLink } from "../linking/value-links.js";
import { wordMatch } from "../linking/word-match.js";
import type { Edge } from "../schema/schema.js";
import { type Condition, type Ref, ref } from "../sql/plan.js";
import { stemSet } from "../words/stem.js";
import { normalise } from "../words/tokens.js";
import { namesMeasure } from "./attributes.js";
import { neighbour } from "./columns.js";
import { personNames } from "./labels.js";
import { lowerAt, type Placed, type Question, type Reading, wordsOf } from "./question.js";

type Equals = Extract<Condition, { kind: "equals" }>;

/** Reads stored values that the question names into conditions on their columns. */
export function readValues(reading: Reading): void {
  const { question } = reading;
  for (const mention of question.mentions) {
    if (reading.used.has(mention) || mention.values.length === 0 || reading.spent.has(mention.from)) continue;
    if (isRatherAField(question, mention) || isModifier(question, mention)) continue;
    const link = pickValue(reading, mention);
    if (link === null) continue;
    if (!namesMeasure(reading, link.column)) reading.used.add(mention);
    useNeighbour(reading, mention, link);
    place(reading, mention, conditionOf(reading, mention, link));
  }
}

/** A word in lower case that is also the name of a table or column is taken for that. */
function isRatherAField(question: Question, mention: Mention): boolean {
  if (/^(columns?|features?|variables?|fields?|attributes?)$/.test(wordBehindQuote(question, mention.to))) return true;
  const field = Math.max(mention.columns[0]?.score ?? 0, mention.tables[0]?.score ?? 0);
  const value = mention.values[0]?.score ?? 0;
  const token = question.tokens[mention.from];
  const emphasised = token !== undefined && (token.quote !== null || (/^\p{Lu}/u.test(token.text) && mention.from > 0));
  return field >= 0.7 && field > value - (emphasised ? 0.5 : 0);
}

/** `finish time`: a word that only resembles the value Finished, right before a field, is part of the field's name. */
function isModifier(question: Question, mention: Mention): boolean {
  const next = question.mentions.find((other) => other.from === mention.to);
  const named = /^(the|a|an|'s|of|their|its|his|her|average|total|mean)$/.test(lowerAt(question, mention.from - 1));
  const value = mention.values[0]?.value ?? "";
  const text = wordsOf(question, mention.from, mention.to);
  return (
    named &&
    next !== undefined &&
    next.columns.length > 0 &&
    next.tables.length === 0 &&
    mention.to - mention.from === 1 &&
    text !== normalise(value) &&
    /^\p{Ll}/u.test(question.tokens[mention.from]?.text ?? "") &&
    !normalise(value).includes(" ")
  );
}

function wordBehindQuote(question: Question, index: number): string {
  const word = lowerAt(question, index);
  return word === '"' || word === "'" ? lowerAt(question, index + 1) : word;
}

function pickValue(reading: Reading, mention: Mention): ValueLink | null {
  const { question } = reading;
  const candidates = mention.values.map(
    (link): Candidate<ValueLink> => ({
      option: link,
      label: `${link.column.table}.${link.column.name} = ${link.value}`,
      score: link.score + support(question, mention, link),
    }),
  );
  return question.chooser.choose(`value of "${wordsOf(question, mention.from, mention.to)}"`, candidates);
}

/** What speaks for one column over others that hold the same value. */
function support(question: Question, mention: Mention, link: ValueLink): number {
  let score = 0;
  for (const step of [-1, 1] as const) {
    const beside = besideOverVerbs(question, mention, step);
    const asColumn = beside?.columns.find((candidate) => candidate.column === link.column);
    if (asColumn !== undefined) score += 0.4 * asColumn.score;
    if (
      beside?.tables.some((candidate) => candidate.table.name === link.column.table && candidate.score > 0.7) === true
    )
      score += 0.2;
    if (isOtherHalf(question, beside, link)) score += 0.4;
  }
  const named = question.mentions.some((other) => other.tables[0]?.table.name === link.column.table);
  if (named) score += 0.08;
  const distinct = link.column.distinct ?? link.column.rows;
  if (link.column.words.some((word) => NAMING.has(word))) score += 0.05;
  if (/url|ref|slug|description|comment|note/i.test(link.column.name)) score -= 0.1;
  return score + (distinct <= 1 ? -0.2 : 0);
}

const NAMING = stemSet("name title");

/** First and last name beside each other. */
function isOtherHalf(question: Question, beside: Mention | null, link: ValueLink): boolean {
  const table = question.schema.tables.find((candidate) => candidate.name === link.column.table);
  const pair = table === undefined ? null : personNames(table);
  if (pair === null || !pair.includes(link.column)) return false;
  return beside?.values.some((other) => pair.includes(other.column) && other.column !== link.column) ?? false;
}

const VERBS = new Set([
  "is",
  "are",
  "was",
  "were",
  "being",
  "called",
  "named",
  "as",
  "has",
  "have",
  "titled",
  "=",
  ":",
  "'",
  '"',
  "with",
  "type",
  "to",
  "equal",
  "from",
  "in",
  "by",
  "value",
  "named",
]);

function besideOverVerbs(question: Question, mention: Mention, step: 1 | -1): Mention | null {
  const direct = neighbour(question, mention, step);
  if (direct !== null) return direct;
  let index = step === 1 ? mention.to : mention.from - 1;
  let steps = 0;
  while (
    (VERBS.has(lowerAt(question, index)) || ["the", "a", "an", "of"].includes(lowerAt(question, index))) &&
    steps < 4
  ) {
    index += step;
    steps++;
  }
  return question.mentions.find((other) => other !== mention && other.from <= index && index < other.to) ?? null;
}

/** `major is Botany`: the field is said to say where the value stands, not asked for. */
function useNeighbour(reading: Reading, mention: Mention, link: ValueLink): void {
  for (const step of [-1, 1] as const) {
    const beside =
      step === 1
        ? (neighbour(reading.question, mention, 1) ?? behindAs(reading.question, mention))
        : besideOverVerbs(reading.question, mention, -1);
    if (beside === null || (beside.values[0] !== undefined && beside.columns.length === 0)) continue;
    if (
      !beside.columns.some((candidate) => candidate.column === link.column) &&
      !isRoleOf(reading.question, beside, link)
    )
      continue;
    const asked = step === -1 && isAskedOf(reading.question, beside, mention);
    if (!asked) reading.used.add(beside);
  }
}

/** `Ann Lee as their full name`. */
function behindAs(question: Question, mention: Mention): Mention | null {
  if (lowerAt(question, mention.to) !== "as" && lowerAt(question, mention.to + 1) !== "as") return null;
  return question.mentions.find((other) => other.from > mention.to && other.from <= mention.to + 4) ?? null;
}

/** `the name of Black Wood`: the field before `of` is what is asked. */
function isAskedOf(question: Question, field: Mention, mention: Mention): boolean {
  return wordsOf(question, field.to, mention.from)
    .split(" ")
    .some((word) => word === "of" || word === "by" || word === "for");
}

function isRoleOf(question: Question, beside: Mention, link: ValueLink): boolean {
  if ((beside.tables[0]?.score ?? 0) >= (beside.columns[0]?.score ?? 0)) return false;
  return question.schema.edges.some(
    (edge) =>
      edge.to.table === link.column.table &&
      beside.columns.some(
        (candidate) => candidate.column.table === edge.from.table && candidate.column.name === edge.from.column,
      ),
  );
}

function conditionOf(reading: Reading, mention: Mention, link: ValueLink): Condition {
  const target: Ref = ref(
    { table: link.column.table, column: link.column.name },
    roleOf(reading.question, mention, link),
  );
  const negated = isNegated(reading.question, mention);
  if (link.partial) return { kind: "contains", ref: target, text: wordsAsked(reading.question, mention), negated };
  return { kind: "equals", ref: target, values: [link.value], negated };
}

function wordsAsked(question: Question, mention: Mention): string {
  const first = question.tokens[mention.from];
  const last = question.tokens[mention.to - 1];
  if (first === undefined || last === undefined) return "";
  return question.tokens
    .slice(mention.from, mention.to)
    .map((token, index, all) => {
      const next = all[index + 1];
      return token.text + (next === undefined ? "" : " ".repeat(Math.min(1, next.start - token.end)));
    })
    .join("");
}

/** The link that the words around single out, where two tables are linked more than once. */
function roleOf(question: Question, mention: Mention, link: ValueLink): Edge | null {
  const edges = question.schema.edges.filter((edge) => edge.to.table === link.column.table);
  const rivals = edges.filter((edge) => edges.filter((other) => other.from.table === edge.from.table).length > 1);
  if (rivals.length === 0) return null;
  const near = [
    ...question.tokens.slice(Math.max(0, mention.from - 4), mention.from),
    ...question.tokens.slice(mention.to, mention.to + 2),
  ];
  const scored = rivals.map((edge) => ({
    edge,
    score: roleScore(
      edge,
      near.map((token) => token.stem),
      question,
      mention,
    ),
  }));
  scored.sort((left, right) => right.score - left.score);
  return scored[0] !== undefined && scored[0].score > 0.5 ? scored[0].edge : null;
}

function roleScore(edge: Edge, near: readonly string[], question: Question, mention: Mention): number {
  const after = question.tokens[mention.to]?.stem ?? "";
  const said = edge.role.filter((word) => near.some((asked) => wordMatch(asked, word) >= 0.85)).length;
  const directly = edge.role.some((word) => wordMatch(after, word) >= 0.85) ? 1 : 0;
  return said + directly - edge.role.length * 0.01;
}

const NEGATIONS = new Set(["not", "non", "except", "excluding", "never", "without", "no"]);

/** Whether the words before a value turn it round. */
export function isNegated(question: Question, mention: Mention): boolean {
  const before = question.tokens.slice(Math.max(0, mention.from - 3), mention.from).map((token) => token.lower);
  if (before.some((word) => word === "," || word === "and")) return NEGATIONS.has(before.at(-1) ?? "");
  return before.some((word) => NEGATIONS.has(word)) || before.slice(-2).join(" ") === "other than";
}

/** Values of one column side by side are alternatives; with `both`, each must hold. */
function place(reading: Reading, mention: Mention, condition: Condition): void {
  const last = reading.conditions.at(-1);
  if (
    last !== undefined &&
    condition.kind === "equals" &&
    last.what.kind === "equals" &&
    sameTarget(last.what, condition) &&
    areListed(reading.question, last, mention)
  ) {
    const joined: Equals = { ...last.what, values: [...last.what.values, ...condition.values] };
    reading.conditions[reading.conditions.length - 1] = { what: joined, from: last.from, to: mention.to };
    return;
  }
  reading.conditions.push({ what: condition, from: mention.from, to: mention.to });
}

function sameTarget(left: Equals, right: Equals): boolean {
  return (
    left.ref.table === right.ref.table &&
    left.ref.column === right.ref.column &&
    left.ref.via === right.ref.via &&
    left.negated === right.negated
  );
}

function areListed(question: Question, last: Placed<Condition>, mention: Mention): boolean {
  const between = question.tokens.slice(last.to, mention.from).map((token) => token.lower);
  return between.length <= 3 && between.every((word) => ["and", "or", ",", "&", "the", "nor"].includes(word));
}
