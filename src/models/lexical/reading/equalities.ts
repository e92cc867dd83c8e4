import { columnOf, isIdentifier, isNumeric, keyOf, type SchemaColumn, type SchemaTable } from "../schema/schema.js";
import { type Condition, columnValue, ref } from "../sql/plan.js";
import { isUnit, ordinalWord, plainNumber } from "../words/numbers.js";
import { stemSet } from "../words/stem.js";
import { pickColumn } from "./columns.js";
import { insideValue } from "./numbers.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";

const BETWEEN = new Set([
  "of",
  "is",
  "was",
  "=",
  ":",
  "equal",
  "to",
  "the",
  "number",
  "id",
  "no",
  "#",
  "as",
  "are",
  "being",
]);
const OUTCOMES = stemSet("result standing finish outcome placement");
const PLACES = stemSet("rank position place standing");

/** Reads `round 3`, `event number 12`, `ranked second`: a field or a table's key beside its number. */
export function readEqualities(reading: Reading): void {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    if (reading.spent.has(index) || insideValue(question, index)) continue;
    const number = plainNumber(question.tokens[index]?.text ?? "");
    if (number !== null && question.tokens[index]?.kind === "number") readNumber(reading, index, number);
    const place = placeAt(question, index);
    if (place !== null) readPlace(reading, index, place);
  }
  readWinners(reading);
}

function readNumber(reading: Reading, index: number, number: number): void {
  const { question } = reading;
  const before = previousMention(reading, index);
  if (before === null || isCounted(question, index, before.gap)) return;
  const { mention } = before;
  const isField = (mention.columns[0]?.score ?? 0) >= (mention.tables[0]?.score ?? 0);
  const picked = isField
    ? pickColumn(question, mention, { suits: (column) => isNumeric(column) || isIdentifier(column), asStored: true })
    : null;
  if (picked !== null) {
    reading.used.add(mention);
    const pointed = question.schema.edges.find(
      (edge) => edge.from.table === picked.table && edge.from.column === picked.column,
    );
    push(reading, equalTo(columnOf(question.schema, pointed?.to ?? picked), number), mention.from, index + 1);
    return;
  }
  const key = mention.tables[0] === undefined ? null : keyOf(mention.tables[0].table);
  if (key !== null) push(reading, equalTo(key, number), mention.from, index + 1);
}

function equalTo(column: SchemaColumn, number: number): Condition {
  const target = ref({ table: column.table, column: column.name });
  if (!isNumeric(column)) return { kind: "equals", ref: target, values: [String(number)], negated: false };
  return { kind: "compare", left: columnValue(target), operator: "=", right: { kind: "number", value: number } };
}

function push(reading: Reading, what: Reading["conditions"][number]["what"], from: number, to: number): void {
  reading.conditions.push({ what, from, to });
  reading.spent.add(to - 1);
}

function previousMention(reading: Reading, index: number) {
  const { question } = reading;
  let at = index - 1;
  while (BETWEEN.has(lowerAt(question, at))) at--;
  const mention = mentionAt(question, at);
  if (mention === null || reading.used.has(mention) || reading.spent.has(at)) return null;
  return { mention, gap: index - 1 - at };
}

/** `the 5 players`: the number counts what follows it. */
function isCounted(question: Question, index: number, gap: number): boolean {
  if (/^(number|no|id|#|=)$/.test(lowerAt(question, index - 1))) return false;
  if (isUnit(question.tokens[index + 1]?.stem ?? "")) return false;
  const next = mentionAt(question, index + 1);
  return next !== null && (next.tables.length > 0 || next.columns.length > 0) && gap > 0;
}

function placeAt(question: Question, index: number): number | null {
  const place = ordinalWord(lowerAt(question, index));
  if (place !== null) return place;
  return question.tokens[index]?.kind === "number" && /^(st|nd|rd|th)$/.test(lowerAt(question, index + 1))
    ? Number(lowerAt(question, index))
    : null;
}

/** `ranked second`, `in third place`. */
function readPlace(reading: Reading, index: number, place: number): void {
  const { question } = reading;
  for (const at of [index - 1, index + 1, index - 2]) {
    const mention = mentionAt(question, at);
    const said =
      mention !== null && question.tokens.slice(mention.from, mention.to).some((token) => PLACES.has(token.stem));
    if (mention === null || !said || reading.used.has(mention) || (mention.from <= index && index < mention.to))
      continue;
    const column = pickColumn(question, mention, { suits: isNumeric });
    if (column === null) continue;
    push(
      reading,
      { kind: "compare", left: columnValue(column), operator: "=", right: { kind: "number", value: place } },
      Math.min(at, index),
      index + 1,
    );
    reading.used.add(mention);
    return;
  }
}

const isOutcome = (table: SchemaTable) => table.words.some((word) => OUTCOMES.has(word));

/** To win is to be first, where the data have a place and no field for winning. */
function readWinners(reading: Reading): void {
  const { question } = reading;
  const index = question.tokens.findIndex((token, at) => token.stem === "win" && mentionAt(question, at) === null);
  if (index < 0) return;
  const named = question.tokens
    .slice(index + 1, index + 4)
    .some((token) => token.stem === "prize" || token.stem === "award");
  const column = [...question.schema.tables]
    .sort((left, right) => Number(isOutcome(right)) - Number(isOutcome(left)))
    .flatMap((table) => table.columns)
    .find(
      (candidate) =>
        isNumeric(candidate) &&
        !named &&
        /^(position|place|rank|finish_position|final_position)$/.test(candidate.name.toLowerCase()),
    );
  if (column === undefined) return;
  const left = columnValue(ref({ table: column.table, column: column.name }));
  reading.conditions.push({
    what: { kind: "compare", left, operator: "=", right: { kind: "number", value: 1 } },
    from: index,
    to: index + 1,
  });
}
