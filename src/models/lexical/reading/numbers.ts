import { isUnit, numberWord, plainNumber, scaleWord, unitColumns } from "../words/numbers.js";
import { lowerAt, mentionAt, type Question } from "./question.js";

export interface ReadNumber {
  readonly value: number;
  /** Token after number, scale and unit. */
  readonly to: number;
  /** Token after number and scale, where the unit stands. */
  readonly unitAt: number;
  /** Stems of the words of columns that the unit speaks for. */
  readonly unit: readonly string[];
}

const CURRENCY = new Set(["$", "€", "£", "¥"]);

/** The number that starts at a token, with scale and unit; null if none does. */
export function numberAt(question: Question, index: number): ReadNumber | null {
  const start = CURRENCY.has(lowerAt(question, index)) || lowerAt(question, index) === "-" ? index + 1 : index;
  const token = question.tokens[start];
  if (token === undefined || insideValue(question, start)) return null;
  const digits = token.kind === "number" ? plainNumber(token.text) : null;
  const base = digits ?? numberWord(token.lower);
  if (base === null) return null;
  const sign = lowerAt(question, index) === "-" && digits !== null ? -1 : 1;
  let at = start + 1;
  const scale = scaleWord(lowerAt(question, at));
  if (scale !== null) at++;
  const percent = lowerAt(question, at) === "%";
  const unitStem = question.tokens[at]?.stem ?? "";
  const unit = percent
    ? unitColumns("percent")
    : CURRENCY.has(lowerAt(question, index))
      ? unitColumns("dollar")
      : unitColumns(unitStem);
  const unitIsWord = isUnit(unitStem) || percent;
  return { value: sign * base * (scale ?? 1), to: unitIsWord ? at + 1 : at, unitAt: at, unit };
}

/** Numbers inside names and stored values (`3-D Man`, `2014/2015`, `Mar.2019`) are no numbers to compare with. */
export function insideValue(question: Question, index: number): boolean {
  const mention = mentionAt(question, index);
  if (mention === null) return false;
  if (mention.to - mention.from > 1 && (mention.columns[0]?.score ?? 0) >= 1) return true;
  return (mention.values[0]?.score ?? 0) >= 0.8 && mention.columns.length === 0;
}
