import { quoteText } from "../sql/names.js";

/** The texts for yes and no among the choices of a field: no is the one that denies. */
function yesAndNo(choices: readonly string[]): readonly [string, string] {
  const denies = (text: string) =>
    /\b(?:not|non|no|false|isn't|cannot|fail\w*|reject\w*)\b|^n$|abnormal|insignificant/i.test(text);
  const no = choices.find(denies);
  const yes = choices.find((choice) => choice !== no);
  return choices.length >= 2 && no !== undefined && yes !== undefined ? [yes, no] : ["True", "False"];
}

/** One of two texts by a condition. */
export function eitherSql(condition: string, choices: readonly string[]): string {
  const [yes, no] = yesAndNo(choices);
  return `CASE WHEN ${condition} THEN ${quoteText(yes)} ELSE ${quoteText(no)} END`;
}

const find = (choices: readonly string[], pattern: RegExp, otherwise: string) =>
  quoteText(choices.find((choice) => pattern.test(choice)) ?? otherwise);

/**
 * What kind of relationship a correlation shows. Where the choices speak of linear and nonlinear: linear from `limit` on and significant,
 * nonlinear if only significant; else positive or negative from `limit` on.
 */
export function relationshipSql(
  r: string,
  p: string,
  choices: readonly string[],
  limit: number,
  alpha: number,
): string {
  const none = find(choices, /\bno(?:ne)?\b|no significant|not/i, "none");
  if (choices.some((choice) => /linear/i.test(choice))) {
    const linear = find(choices, /^linear|(?<!non-?)linear/i, "linear");
    const other = find(choices, /non-?\s?linear/i, "nonlinear");
    return `CASE WHEN ${p} >= ${alpha} THEN ${none} WHEN abs(${r}) >= ${limit} THEN ${linear} ELSE ${other} END`;
  }
  const positive = find(choices, /positive/i, "positive");
  const negative = find(choices, /negative/i, "negative");
  return `CASE WHEN ${r} >= ${limit} THEN ${positive} WHEN ${r} <= -${limit} THEN ${negative} ELSE ${none} END`;
}
