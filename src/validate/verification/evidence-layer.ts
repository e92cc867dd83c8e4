import { quotedCandidates } from "../../answer/claims/quoted-candidates.js";
import type { OutputFinding } from "../../core/verification.js";
import { citedIds } from "./citations.js";
import { readDates } from "./dates.js";
import { readNumbers } from "./numbers.js";
import { type Observed, observe } from "./observed.js";
import { plainText } from "./plain-text.js";
import { citedStatements, type Statement } from "./statements.js";

/** An entry of the evidence pool. */
export interface CitedEvidence {
  /** `E1`, `E2`, … */
  readonly id: string;
  /** What the tool returned, whole, and what it was asked, so that values of its filters count as seen. */
  readonly text: string;
}

/**
 * The second layer: what an output cites. Every cited id is a real one, and the numbers, dates and quoted values of a statement occur in the
 * evidence that it cites, however they are formatted: rounding, percent and fraction, separators, digits of any script. Values that `given`
 * holds (the task, the sub-goal) need no evidence. Words are not compared: a paraphrase is no fault. Pure code, no model.
 */
export function evidenceFindings(
  output: string,
  evidence: readonly CitedEvidence[],
  given: readonly string[],
): readonly OutputFinding[] {
  const real = new Map(evidence.map(({ id, text }) => [id, text]));
  const invented = citedIds(output).filter((id) => !real.has(id));
  if (invented.length > 0) return [unknownCitation(invented, [...real.keys()])];
  const observed = new Map<string, Observed>();
  return citedStatements(output).flatMap((statement) => {
    const key = statement.ids.toSorted().join(" ");
    const seen = observed.get(key) ?? observe([...statement.ids.flatMap((id) => real.get(id) ?? []), ...given]);
    observed.set(key, seen);
    return unsupported(statement, seen);
  });
}

function unknownCitation(invented: readonly string[], real: readonly string[]): OutputFinding {
  const known = real.length === 0 ? "there is no evidence yet" : `the evidence is ${real.join(", ")}`;
  return {
    rule: "unknown-citation",
    detail: `The output cites ${invented.join(", ")}, which does not exist: ${known}.`,
  };
}

function unsupported({ text, ids }: Statement, observed: Observed): OutputFinding[] {
  const { dates, rest } = readDates(plainText(text));
  const cited = ids.join(", ");
  const lacks = (what: string, value: string) =>
    `The ${what} ${JSON.stringify(value)} is not in the cited evidence (${cited}): ${excerpt(text)}`;
  return [
    ...distinct(dates)
      .filter((date) => !observed.hasDate(date))
      .map((date): OutputFinding => ({ rule: "date-not-in-evidence", detail: lacks("date", date.text) })),
    ...distinct(readNumbers(rest, "sure"))
      .filter((number) => !observed.hasNumber(number))
      .map((number): OutputFinding => ({ rule: "number-not-in-evidence", detail: lacks("number", number.text) })),
    ...quotes(text)
      .filter((quote) => !quotedParts(quote).every(observed.hasText))
      .map((quote): OutputFinding => ({ rule: "quote-not-in-evidence", detail: lacks("quoted value", quote) })),
  ];
}

/** What is written alike is said once. */
const distinct = <Mention extends { readonly text: string }>(mentions: readonly Mention[]): readonly Mention[] => [
  ...new Map(mentions.map((mention) => [mention.text, mention])).values(),
];

const NO_ANCHORS = /(?!)/gu;

/** Quoted spans; bold ones are emphasis. */
function quotes(text: string): string[] {
  return quotedCandidates(text, false, NO_ANCHORS)
    .filter(({ start }) => !/[*_]\s*$/.test(text.slice(0, start)))
    .map(({ entity }) => entity.replace(/[.,;:!?。，；：！？]+$/u, ""));
}

/** A quotation may leave something out: `first … last`. */
const quotedParts = (quote: string): string[] =>
  quote
    .split(/…|\.{3}/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const EXCERPT_CHARACTERS = 120;

const excerpt = (text: string): string => {
  const line = text.trim();
  return line.length <= EXCERPT_CHARACTERS ? line : `${line.slice(0, EXCERPT_CHARACTERS)}…`;
};
