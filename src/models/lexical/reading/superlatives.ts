import type { SchemaTable } from "../schema/schema.js";
import type { AggregateFunction, Value } from "../sql/plan.js";
import { type Gradable, gradeOf, inflected } from "../words/gradable.js";
import { numberWord, ordinalWord, plainNumber } from "../words/numbers.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";
import { rankedBy } from "./ranked-by.js";

/** What a superlative ranks by. */
export type RankedBy =
  | { readonly kind: "value"; readonly value: Value; readonly fn: AggregateFunction | null }
  | { readonly kind: "count"; readonly table: SchemaTable; readonly distinct: boolean }
  /** `the most common city`: by how often the thing asked for occurs. */
  | { readonly kind: "frequency" };

export interface Superlative {
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  readonly take: number;
  readonly skip: number;
  readonly by: RankedBy;
  /** `most` counts or adds up; `highest` looks at single rows. */
  readonly amount: boolean;
}

const UP = new Set(["highest", "largest", "greatest", "biggest", "maximum", "max", "most", "top", "best", "maximal"]);
const DOWN = new Set(["lowest", "smallest", "least", "fewest", "minimum", "min", "bottom", "worst", "minimal"]);
/** Comparatives that pick one of those listed: `which has the higher score, A or B`. */
const OF_TWO = new Map([
  ["higher", true],
  ["larger", true],
  ["greater", true],
  ["bigger", true],
  ["more", true],
  ["better", true],
  ["lower", false],
  ["smaller", false],
  ["fewer", false],
  ["less", false],
]);
const ORDERED_UP = new Set(["last", "latest", "newest", "final"]);
export const ORDERED_DOWN = new Set(["first", "earliest", "initial"]);

/** The superlative of a question: the first that can be ranked by something. */
export function readSuperlative(reading: Reading): Superlative | null {
  const { question } = reading;
  for (let index = 0; index < question.tokens.length; index++) {
    if (reading.spent.has(index) || isNoSuperlative(question, index)) continue;
    const read = superlativeAt(reading, index);
    if (read !== null) return read;
  }
  return null;
}

function isNoSuperlative(question: Question, index: number): boolean {
  const word = lowerAt(question, index);
  const before = lowerAt(question, index - 1);
  if (before === "at" && (word === "least" || word === "most")) return true;
  const next = lowerAt(question, index + 1);
  if ((word === "most" && next === "of") || (word === "first" && (next === "time" || next === "name"))) return true;
  const mention = mentionAt(question, index);
  return mention !== null && (mention.to - mention.from > 1 || mention.values.length > 0);
}

export interface Direction {
  readonly descending: boolean;
  readonly grade: Gradable | null;
  readonly generic: boolean;
  readonly ordered: boolean;
  readonly to: number;
}

function superlativeAt(reading: Reading, index: number): Superlative | null {
  const direction = directionAt(reading.question, index);
  if (direction === null) return null;
  const take = takeAround(reading, index, direction.to);
  const by = rankedBy(reading, index, take.to, direction);
  if (by === null) return null;
  const word = lowerAt(reading.question, index);
  return {
    from: take.from,
    to: by.to,
    descending: by.ascending === null ? direction.descending : !by.ascending,
    take: take.take,
    skip: take.skip,
    by: by.by,
    amount: word === "most" || word === "least" || word === "fewest",
  };
}

function directionAt(question: Question, index: number): Direction | null {
  const word = lowerAt(question, index);
  const next = lowerAt(question, index + 1);
  if (word === "most" || word === "least") {
    const grade = gradeOf(next);
    if (grade !== null && mentionAt(question, index + 1)?.columns[0]?.score !== 1) {
      return {
        descending: (word === "most") === grade.gradable.up,
        grade: grade.gradable,
        generic: false,
        ordered: false,
        to: index + 2,
      };
    }
  }
  const ofTwo = picksOne(question, index);
  if (ofTwo !== null) return ofTwo;
  if (UP.has(word) || DOWN.has(word)) {
    const grade = inflected(word, "est");
    return { descending: UP.has(word), grade: grade?.gradable ?? null, generic: true, ordered: false, to: index + 1 };
  }
  if (ORDERED_UP.has(word) || ORDERED_DOWN.has(word)) {
    return {
      descending: ORDERED_UP.has(word),
      grade: gradeOf("late")?.gradable ?? null,
      generic: false,
      ordered: true,
      to: index + 1,
    };
  }
  const grade = inflected(word, "est");
  if (grade === null) return null;
  return { descending: grade.gradable.up, grade: grade.gradable, generic: false, ordered: false, to: index + 1 };
}

function picksOne(question: Question, index: number): Direction | null {
  const word = lowerAt(question, index);
  const asks = question.tokens.slice(0, index).some((token) => /^(which|who|whose|what)$/.test(token.lower));
  if (!asks || question.tokens.some((token) => token.lower === "than")) return null;
  const up = OF_TWO.get(word);
  if (up !== undefined) return { descending: up, grade: null, generic: true, ordered: false, to: index + 1 };
  const grade = inflected(word, "er");
  return grade === null
    ? null
    : { descending: grade.gradable.up, grade: grade.gradable, generic: false, ordered: false, to: index + 1 };
}

/** `top 3`, `five heaviest`, `second highest`. */
function takeAround(
  reading: Reading,
  index: number,
  to: number,
): { take: number; skip: number; from: number; to: number } {
  const { question } = reading;
  const behind = countAt(question, to);
  if (behind !== null && !reading.spent.has(to)) return { take: behind, skip: 0, from: index, to: to + 1 };
  const before = index - 1;
  const count = countAt(question, before);
  if (count !== null && !reading.spent.has(before)) return { take: count, skip: 0, from: before, to };
  const place =
    ordinalWord(lowerAt(question, before)) ??
    (/^(st|nd|rd|th)$/.test(lowerAt(question, before)) ? plainNumber(lowerAt(question, before - 1)) : null);
  if (place !== null && place > 1) return { take: 1, skip: place - 1, from: before, to };
  return { take: 1, skip: 0, from: index, to };
}

function countAt(question: Question, index: number): number | null {
  const token = question.tokens[index];
  if (token === undefined) return null;
  const value = token.kind === "number" ? plainNumber(token.text) : numberWord(token.lower);
  return value !== null &&
    Number.isInteger(value) &&
    value > 0 &&
    value <= 1000 &&
    !/^(1[5-9]|20)\d\d$/.test(token.text)
    ? value
    : null;
}
