import { readAbsence, readFlags, readNever, readPresence } from "./absence.js";
import { readComparisons } from "./comparisons.js";
import { readEqualities } from "./equalities.js";
import { readPeriods } from "./periods.js";
import { newReading, type Question, type Reading } from "./question.js";
import { readTerms } from "./terms.js";
import { readValues } from "./values.js";

/** Reads everything that narrows the rows of a question. */
export function readConditions(question: Question): Reading {
  const reading = newReading(question);
  readTerms(reading);
  readPeriods(reading);
  readComparisons(reading);
  readAbsence(reading);
  readNever(reading);
  readEqualities(reading);
  readValues(reading);
  readFlags(reading);
  readPresence(reading);
  return reading;
}
