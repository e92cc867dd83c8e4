import type { CheckInput, CheckOutcome } from "./check.js";
import { NOTHING_FOUND } from "./check.js";
import { isSqlNode, nodesOf, type SqlNode } from "./sql-tree.js";

/** A LIMIT in the submitted SQL: how many rows it lets through (null where that is computed), and whether it is the outermost. */
interface Limit {
  readonly rows: number | null;
  readonly outermost: boolean;
}

/**
 * Rule 5, `unasked-limit`: the answer is cut by a LIMIT although the question asks for no top-n, superlative, ordinal or number of
 * rows. A warning: words can ask for an order in ways that code does not know. An outermost LIMIT that cut nothing off is none.
 */
export function unaskedLimit({ started, candidate, queries, facts }: CheckInput): CheckOutcome {
  const answer = queries.at(-1);
  if (answer === undefined) return NOTHING_FOUND;
  const parsed = facts.tree(answer);
  if (parsed === null) return { need: [{ sql: answer, answer: "tree" }] };
  if (!parsed.ok || asksForSome(started.question)) return NOTHING_FOUND;
  const cuts = limitsOf(parsed.tree).filter(
    ({ rows, outermost }) =>
      !(outermost && rows !== null && rows > candidate.candidate.rows) && !asksForNumber(started.question, rows),
  );
  return {
    findings: cuts.slice(0, 1).map(({ rows }) => ({
      rule: "unasked-limit",
      level: "warn",
      evidence: [],
      detail: `The submitted SQL has LIMIT ${rows ?? "…"}, and the question asks neither for a number of rows nor for a highest, lowest, first or last one: take the LIMIT out, or say which words of the question ask for it.`,
    })),
  };
}

function limitsOf(tree: unknown): Limit[] {
  const outer = isSqlNode(tree) && Array.isArray(tree.modifiers) ? tree.modifiers : [];
  return [...nodesOf(tree)].filter(isLimit).map((node) => ({
    rows: node.type === "LIMIT_MODIFIER" ? constantOf(node.limit) : null,
    outermost: outer.includes(node),
  }));
}

/** An OFFSET alone is the same modifier without a limit. */
function isLimit(node: SqlNode): boolean {
  return (node.type === "LIMIT_MODIFIER" || node.type === "LIMIT_PERCENT_MODIFIER") && isSqlNode(node.limit);
}

function constantOf(expression: unknown): number | null {
  const value = isSqlNode(expression) && isSqlNode(expression.value) ? expression.value.value : null;
  return typeof value === "number" ? value : null;
}

const ENGLISH_ORDER =
  /\b(?:top|bottom|first|last|second|third|fourth|fifth|\d+(?:st|nd|rd|th)|most|least|best|worst|max(?:imum|imal)?|min(?:imum|imal)?|fewest|leading|latest|newest|only one|rank(?:s|ed|ing)?|any (?:one|of))\b/i;
/** Nouns, verbs and names that end like a superlative. */
const NOT_SUPERLATIVE = new Set(
  `forest rainforest interest request quest conquest bequest inquest guest test contest protest attest detest west midwest
  northwest southwest rest arrest unrest crest nest earnest honest modest priest pest tempest vest invest harvest suggest digest ingest
  congest infest manifest chest zest molest jest budapest bucharest everest`.split(/\s+/),
);
const CHINESE_ORDER =
  /最|前[\d一二三四五六七八九十百几]|第[\d一二三四五六七八九十]|排名|排行|倒数|首[个位名次]|末[个位名次]|冠军|任意一/u;

function asksForSome(question: string): boolean {
  return ENGLISH_ORDER.test(question) || hasSuperlative(question) || CHINESE_ORDER.test(question);
}

/** `oldest`, `cheapest` */
function hasSuperlative(question: string): boolean {
  const words = question.toLowerCase().match(/\b[a-z]{2,}est\b/g) ?? [];
  return words.some((word) => !NOT_SUPERLATIVE.has(word));
}

const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const CHINESE_DIGITS = "零一二三四五六七八九十";

/** `list five customers`, `列出三个客户` */
function asksForNumber(question: string, rows: number | null): boolean {
  if (rows === null) return false;
  const word = NUMBER_WORDS[rows];
  const chinese = CHINESE_DIGITS[rows];
  return (
    new RegExp(`(?<![\\d.])${rows}(?![\\d.]\\d|\\d)`).test(question) ||
    (word !== undefined && new RegExp(`\\b${word}\\b`, "i").test(question)) ||
    (chinese !== undefined && question.includes(`${chinese}个`))
  );
}
