import type { Term } from "../documents/glossary.js";
import type { Condition, Measure, Value } from "../sql/plan.js";
import { readConditions } from "./conditions.js";
import type { Question, Reading } from "./question.js";

/** Reads defined terms (`active members`, `clear nights`) into the conditions that their definitions state. */
export function readTerms(reading: Reading): void {
  const { question } = reading;
  for (const mention of question.mentions) {
    if (mention.term === null || reading.used.has(mention)) continue;
    const conditions = conditionsOf(question, mention.term);
    if (conditions.length === 0) continue;
    reading.used.add(mention);
    const what: Condition =
      conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind: "all", of: conditions };
    reading.conditions.push({ what, from: mention.from, to: mention.to });
  }
}

/** Whether a term's definition can be put into SQL. */
export function isComputable(question: Question, term: Term): boolean {
  return term.expression !== null || conditionsOf(question, term).length > 0;
}

function conditionsOf(question: Question, term: Term): readonly Condition[] {
  if (term.expression !== null)
    return term.expression.compares ? [{ kind: "written", sql: term.expression.parts }] : [];
  if (term.text === null) return [];
  const inner = readConditions(question.readPart(term.text));
  return inner.conditions.map(({ what }) => what);
}

/** The formula of a term as one value a row; null if it aggregates or is none. */
export function termValue(term: Term): Value | null {
  if (term.expression === null || term.expression.aggregates || term.expression.compares) return null;
  return { kind: "written", sql: term.expression.parts };
}

/** The formula of a term as one value over all rows; null if it does not aggregate. */
export function termMeasure(term: Term): Measure | null {
  if (term.expression === null || !term.expression.aggregates) return null;
  return { kind: "written", sql: term.expression.parts };
}
