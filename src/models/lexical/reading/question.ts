import type { Chooser } from "../choice.js";
import type { Range } from "../linking/column-links.js";
import type { Mention } from "../linking/mentions.js";
import type { Schema, SchemaColumn, SchemaTable } from "../schema/schema.js";
import type { Condition, Operator } from "../sql/plan.js";
import type { Token } from "../words/tokens.js";

/** A question with what its words may name. */
export interface Question {
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  readonly schema: Schema;
  readonly chooser: Chooser;
  /** All values of a column, where it has few; else the most frequent ones. */
  readonly domain: (column: SchemaColumn) => readonly string[];
  /** Reads a text as a part of a question: for definitions. */
  readonly readPart: (text: string) => Question;
}

/** Something read from the question, with the tokens that say it. */
export interface Placed<What> extends Range {
  readonly what: What;
}

/** What has been read so far. Readers add to it, and mark the mentions that they used up. */
export interface Reading {
  readonly question: Question;
  readonly conditions: Placed<Condition>[];
  readonly having: Placed<CountCondition>[];
  /** Tables of which the thing asked for has no row: `customers who never placed an order`. */
  readonly without: SchemaTable[];
  readonly used: Set<Mention>;
  /** Tokens that were read as numbers, dates or operators. */
  readonly spent: Set<number>;
}

/** `more than 3 orders`: how many rows of a table belong to the thing asked for. */
export interface CountCondition {
  readonly table: SchemaTable;
  readonly operator: Operator;
  readonly count: number;
}

export function newReading(question: Question): Reading {
  return { question, conditions: [], having: [], without: [], used: new Set(), spent: new Set() };
}

export function mentionAt(question: Question, index: number): Mention | null {
  return question.mentions.find((mention) => mention.from <= index && index < mention.to) ?? null;
}

export function lowerAt(question: Question, index: number): string {
  return question.tokens[index]?.lower ?? "";
}

/** The words of a range, lower case, joined by one space. */
export function wordsOf(question: Question, from: number, to: number): string {
  return question.tokens
    .slice(Math.max(0, from), Math.max(0, to))
    .map((token) => token.lower)
    .join(" ");
}

/** Whether the tokens from `index` on are these words. */
export function startsWith(question: Question, index: number, words: readonly string[]): boolean {
  return words.every((word, offset) => lowerAt(question, index + offset) === word);
}
