import type { CheckInput, CheckQuery } from "./check.js";
import type { Stage } from "./empty-stages.js";
import { containsNumber, containsPhrase, documentTexts } from "./known-text.js";
import { isMisspelt, nearestValuesQuery } from "./nearest-values.js";
import { ownNodes } from "./sql/conditions.js";
import { type Literal, literalOf } from "./sql/literal.js";
import { type TextTest, textTestsIn } from "./sql/text-tests.js";
import { partOf, type SqlNode } from "./sql-tree.js";

/** How sure it is that an empty stage is a mistake, and by what. */
export interface Blame {
  readonly level: "red" | "warn";
  readonly why: string;
}

/** What speaks against a stage that leaves nothing. `need` while the nearest values of a column are not known. */
export function blameOf(
  { kind, block, condition }: Stage,
  input: CheckInput,
): { readonly need: readonly CheckQuery[] } | Blame {
  if (kind === "join" || condition === null) return { level: "red", why: "" };
  const impossible = impossibleIn(condition, input.say);
  if (impossible !== null) return { level: "red", why: impossible };
  const tests = textTestsIn(condition, block).filter((test) => test.kind === "equal" && test.keeps);
  const misspelt = misspeltIn(tests, input);
  if ("need" in misspelt || misspelt.why !== "") return misspelt;
  const known = [input.started.question, ...documentTexts(input)].map((text) => text.toLowerCase());
  const guessed = literalsIn(condition).filter((literal) => !isKnown(literal, known));
  return guessed.length > 0
    ? { level: "red", why: input.say.guessed(guessed.map(quoted)) }
    : { level: "warn", why: "" };
}

/** A comparison that no value meets: with NULL, or between bounds that are the wrong way round. */
function impossibleIn(condition: SqlNode, say: CheckInput["say"]): string | null {
  for (const node of ownNodes(condition)) {
    const sides = [partOf(node, "left"), partOf(node, "right")].map((side) => (side === null ? null : literalOf(side)));
    const isPlain = node.class === "COMPARISON" && !String(node.type).endsWith("DISTINCT_FROM");
    if (isPlain && sides.some((side) => side?.kind === "null")) return say.nullEquals;
    if (node.class === "BETWEEN" && isTurnedRound(node)) return say.turnedRound;
  }
  return null;
}

function isTurnedRound(between: SqlNode): boolean {
  const [lower, upper] = [partOf(between, "lower"), partOf(between, "upper")].map((bound) =>
    bound === null ? null : literalOf(bound),
  );
  if (lower?.kind === "number" && upper?.kind === "number") return Number(lower.text) > Number(upper.text);
  return lower?.kind === "text" && upper?.kind === "text" && lower.text > upper.text;
}

/** A text that a column has in another spelling; `why` is "" where there is none. */
function misspeltIn(
  tests: readonly TextTest[],
  { facts, say }: CheckInput,
): { readonly need: readonly CheckQuery[] } | Blame {
  const asked = tests.map((test) => {
    const [column = ""] = test.subject.columns;
    return { test, query: nearestValuesQuery(test.subject.base.table.name, column, test.text) };
  });
  const open = asked.filter(({ query }) => !facts.has(query, "rows"));
  if (open.length > 0) return { need: open.map(({ query }): CheckQuery => ({ sql: query, answer: "rows" })) };
  for (const { test, query } of asked) {
    const answer = facts.rows(query);
    const values = answer?.ok === true ? answer.table.rows.flatMap(([value]) => value ?? []) : [];
    const meant = values.find((value) => isMisspelt(test.text, value));
    if (meant !== undefined) return { level: "red", why: say.columnHas(meant) };
  }
  return { level: "warn", why: "" };
}

/** Constants that stand for values; the names of date parts and patterns' empty rests do not. */
function literalsIn(condition: SqlNode): readonly Literal[] {
  const found: Literal[] = [];
  for (const node of ownNodes(condition)) {
    const literal = node.class === "CONSTANT" ? literalOf(node) : null;
    if (literal !== null && !isPartName(literal)) found.push(literal);
  }
  return found;
}

const PART_NAME = /^(?:year|month|day|quarter|week|hour|minute|second|dow|doy|isodow|%[YmdHMSyjBbA/\-: %]+)$/i;

function isPartName(literal: Literal): boolean {
  return literal.kind === "text" && PART_NAME.test(literal.text);
}

/** Whether a value is one of the question's or of a document's; of a date its year is enough. */
function isKnown(literal: Literal, known: readonly string[]): boolean {
  if (literal.kind === "boolean" || literal.kind === "null") return true;
  const { text } = literal;
  const year = /^(\d{4})-\d{2}/.exec(text)?.[1];
  const forms = [text, text.replace(/\.0+$/, ""), ...(year === undefined ? [] : [year]), ...text.split(/[%_\s/.-]+/)];
  if (literal.kind === "number")
    return forms.slice(0, 2).some((form) => known.some((words) => containsNumber(words, form)));
  return forms.some((part) => part !== "" && known.some((words) => containsPhrase(words, part.toLowerCase())));
}

function quoted(literal: Literal): string {
  return "text" in literal ? JSON.stringify(literal.text) : literal.kind;
}
