import type { Mention } from "../linking/mentions.js";
import { isIdentifier, isNumeric, type SchemaColumn } from "../schema/schema.js";
import { columnValue, type Value } from "../sql/plan.js";
import { pickColumn } from "./columns.js";
import { lowerAt, mentionAt, type Reading } from "./question.js";

const OPERATORS: readonly (readonly [readonly string[], "+" | "-" | "*" | "/"])[] = [
  [["multiplied", "by"], "*"],
  [["divided", "by"], "/"],
  [["times"], "*"],
  [["*"], "*"],
  [["×"], "*"],
  [["x"], "*"],
  [["minus"], "-"],
  [["-"], "-"],
  [["plus"], "+"],
  [["+"], "+"],
  [["/"], "/"],
  [["over"], "/"],
];

export interface Formula {
  readonly value: Value;
  readonly mentions: readonly Mention[];
  readonly from: number;
  readonly to: number;
}

const numeric = (column: SchemaColumn) => isNumeric(column) && !isIdentifier(column);

/** The first arithmetic between two fields that the question writes out: `quantity times unit price`. */
export function readFormula(reading: Reading): Formula | null {
  const { question } = reading;
  for (const left of question.mentions) {
    if (reading.used.has(left) || !left.columns.some((link) => numeric(link.column))) continue;
    const operator = OPERATORS.find(([words]) =>
      words.every((word, offset) => lowerAt(question, left.to + offset) === word),
    );
    if (operator === undefined) continue;
    let at = left.to + operator[0].length;
    while (["the", "its", "their", "total"].includes(lowerAt(question, at))) at++;
    const right = mentionAt(question, at);
    if (right === null || right.from !== at || !right.columns.some((link) => numeric(link.column))) continue;
    const [leftRef, rightRef] = [
      pickColumn(question, left, { suits: numeric }),
      pickColumn(question, right, { suits: numeric }),
    ];
    if (leftRef === null || rightRef === null) continue;
    return {
      value: { kind: "formula", operator: operator[1], left: columnValue(leftRef), right: columnValue(rightRef) },
      mentions: [left, right],
      from: left.from,
      to: right.to,
    };
  }
  return null;
}
