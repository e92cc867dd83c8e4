import type { Operator } from "../sql/plan.js";
import type { Gradable } from "../words/gradable.js";
import { inflected } from "../words/gradable.js";
import { lowerAt, type Question, startsWith } from "./question.js";

export interface Comparator {
  readonly operator: Operator | "between";
  /** Token after the phrase. */
  readonly to: number;
  /** Of `older than`: what is compared where no column is named. */
  readonly grade: Gradable | null;
}

/** Phrases before a number or date, longest first. */
const BEFORE: readonly (readonly [string, Operator | "between"])[] = [
  ["greater than or equal to", ">="],
  ["larger than or equal to", ">="],
  ["more than or equal to", ">="],
  ["higher than or equal to", ">="],
  ["less than or equal to", "<="],
  ["lower than or equal to", "<="],
  ["smaller than or equal to", "<="],
  ["greater or equal to", ">="],
  ["less or equal to", "<="],
  ["no later than", "<="],
  ["not later than", "<="],
  ["no earlier than", ">="],
  ["not earlier than", ">="],
  ["no less than", ">="],
  ["not less than", ">="],
  ["no fewer than", ">="],
  ["not fewer than", ">="],
  ["no lower than", ">="],
  ["no more than", "<="],
  ["not more than", "<="],
  ["no greater than", "<="],
  ["no higher than", "<="],
  ["not higher than", "<="],
  ["not exceeding", "<="],
  ["does not exceed", "<="],
  ["do not exceed", "<="],
  ["not equal to", "<>"],
  ["different from", "<>"],
  ["a minimum of", ">="],
  ["minimum of", ">="],
  ["a maximum of", "<="],
  ["maximum of", "<="],
  ["equal to", "="],
  ["equals to", "="],
  ["more than", ">"],
  ["greater than", ">"],
  ["higher than", ">"],
  ["larger than", ">"],
  ["bigger than", ">"],
  ["better than", ">"],
  ["in excess of", ">"],
  ["less than", "<"],
  ["fewer than", "<"],
  ["lower than", "<"],
  ["smaller than", "<"],
  ["worse than", "<"],
  ["later than", ">"],
  ["earlier than", "<"],
  ["at least", ">="],
  ["at most", "<="],
  ["up to", "<="],
  ["prior to", "<"],
  ["starting from", ">="],
  ["starting in", ">="],
  ["on or after", ">="],
  ["on or before", "<="],
  ["in between", "between"],
  ["ranging from", "between"],
  ["ranges from", "between"],
  ["above", ">"],
  ["over", ">"],
  ["exceeding", ">"],
  ["exceeds", ">"],
  ["exceed", ">"],
  ["exceeded", ">"],
  ["surpassing", ">"],
  ["surpasses", ">"],
  ["beyond", ">"],
  ["below", "<"],
  ["under", "<"],
  ["beneath", "<"],
  ["after", ">"],
  ["since", ">="],
  ["before", "<"],
  ["until", "<="],
  ["till", "<="],
  ["by", "<="],
  ["exactly", "="],
  ["equals", "="],
  ["equal", "="],
  ["between", "between"],
  ["from", "between"],
  ["> =", ">="],
  ["< =", "<="],
  ["< >", "<>"],
  ["! =", "<>"],
  ["≥", ">="],
  ["≤", "<="],
  [">", ">"],
  ["<", "<"],
  ["=", "="],
];

const BEFORE_WORDS = BEFORE.map(([phrase, operator]) => ({ words: phrase.split(" "), operator }));

/** The comparator that starts at a token; null if none does. */
export function comparatorAt(question: Question, index: number): Comparator | null {
  const found = BEFORE_WORDS.find(({ words }) => startsWith(question, index, words));
  if (found !== undefined) return { operator: found.operator, to: index + found.words.length, grade: null };
  return gradedComparator(question, index);
}

/** `taller than`, `more expensive than`. */
function gradedComparator(question: Question, index: number): Comparator | null {
  const word = lowerAt(question, index);
  const grade = inflected(word, "er");
  if (grade !== null && lowerAt(question, index + 1) === "than") return graded(grade.gradable, true, index + 2);
  if ((word === "more" || word === "less") && lowerAt(question, index + 2) === "than") {
    const base = inflected(`${lowerAt(question, index + 1)}est`, "est");
    if (base !== null) return graded(base.gradable, word === "more", index + 3);
  }
  return null;
}

function graded(gradable: Gradable, more: boolean, to: number): Comparator {
  return { operator: more ? ">" : "<", to, grade: gradable };
}

/** Phrases behind a number: `200 or more`, `1990 or later`. */
const BEHIND: readonly (readonly [string, Operator])[] = [
  ["or more", ">="],
  ["or above", ">="],
  ["or higher", ">="],
  ["or greater", ">="],
  ["or over", ">="],
  ["or older", ">="],
  ["or later", ">="],
  ["or after", ">="],
  ["or newer", ">="],
  ["or better", ">="],
  ["or longer", ">="],
  ["or taller", ">="],
  ["or heavier", ">="],
  ["and above", ">="],
  ["and more", ">="],
  ["and over", ">="],
  ["and beyond", ">="],
  ["and later", ">="],
  ["and after", ">="],
  ["onwards", ">="],
  ["onward", ">="],
  ["or less", "<="],
  ["or fewer", "<="],
  ["or below", "<="],
  ["or under", "<="],
  ["or lower", "<="],
  ["or younger", "<="],
  ["or earlier", "<="],
  ["or before", "<="],
  ["or older than", ">="],
  ["and below", "<="],
  ["and earlier", "<="],
  ["and under", "<="],
];

const BEHIND_WORDS = BEHIND.map(([phrase, operator]) => ({ words: phrase.split(" "), operator }));

/** The comparator that stands at a token behind a number, and the token after it; null if none does. */
export function comparatorBehind(question: Question, index: number): { operator: Operator; to: number } | null {
  if (lowerAt(question, index) === "+") return { operator: ">=", to: index + 1 };
  const found = BEHIND_WORDS.find(({ words }) => startsWith(question, index, words));
  return found === undefined ? null : { operator: found.operator, to: index + found.words.length };
}
