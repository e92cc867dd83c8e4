import type { Chooser } from "../choice.js";
import { type Knowledge, linkQuestion } from "../linking/link-question.js";
import { pickColumn } from "../reading/columns.js";
import { nameWords } from "../schema/name-words.js";
import { isIdentifier, isNumeric, type SchemaColumn } from "../schema/schema.js";
import { columnValue, type Value } from "../sql/plan.js";

/** A field that a task has made from others. */
export interface Feature {
  readonly name: string;
  readonly words: readonly string[];
  readonly value: Value;
  /** Rows without a value (a division by zero) count as zero. */
  readonly zeroForNone: boolean;
}

const NAMED = /(?:called|named|feature|column|variable|field|the|new)\s+["'“‘]([^"'”’]{2,60})["'”’]/giu;

/** Fields that a task defines by a formula: in symbols, or as a sum, ratio, product or difference in words. */
export function readFeatures(written: string, knowledge: Knowledge, chooser: Chooser): readonly Feature[] {
  const task = marked(written, knowledge);
  const names = [...new Set([...task.matchAll(NAMED)].map((match) => match[1] ?? ""))].filter(
    (name) => !isColumn(name, knowledge),
  );
  const assigned = [
    ...task.matchAll(/(?:^|[\s:(])["'“]?([\p{L}][\p{L}\p{N}_ ]{1,40}?)["'”]?\s*=\s*([^.;\n]+(?:\.\d[^.;\n]*)*)/gu),
  ].flatMap((match) => {
    const value = parseFormula(match[2] ?? "", knowledge, chooser);
    return value === null || isColumn(match[1] ?? "", knowledge) ? [] : [feature(match[1] ?? "", value, task)];
  });
  if (assigned.length > 0) return assigned;
  const worded = wordedFormula(task, knowledge, chooser);
  if (worded === null) return [];
  return [feature(names[0] ?? unquotedName(task) ?? "new feature", worded, task)];
}

/** Long column names are put between marks, so that `to` or `over` inside them is no word of the formula. */
function marked(text: string, knowledge: Knowledge): string {
  const columns = knowledge.schema.tables.flatMap((table) => table.columns);
  const long = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => /[^\p{L}\p{N}_]/u.test(column.name));
  return long
    .sort((left, right) => right.column.name.length - left.column.name.length)
    .reduce((current, { column, index }) => current.replaceAll(column.name, `⟨${index}⟩`), text);
}

function feature(name: string, value: Value, task: string): Feature {
  return {
    name,
    words: nameWords(name),
    value,
    zeroForNone: /(?:infinit\w*|division\w* by zero)[^.]*\b(?:zero|0)\b/i.test(task),
  };
}

function isColumn(name: string, knowledge: Knowledge): boolean {
  const wanted = nameWords(name).join(" ");
  return knowledge.schema.tables.some((table) => table.columns.some((column) => column.words.join(" ") === wanted));
}

function unquotedName(task: string): string | null {
  return /(?:called|named)\s+([\p{L}_][\p{L}\p{N}_]+)/iu.exec(task)?.[1] ?? null;
}

/** `the ratio of A to B`, `the sum of A, B and C`, `A divided by B`. */
function wordedFormula(task: string, knowledge: Knowledge, chooser: Chooser): Value | null {
  const patterns: readonly (readonly [RegExp, "+" | "-" | "*" | "/"])[] = [
    [/\bratio (?:of|between) (.+?) (?:to|and|over) (.+?)(?:[.;\n]|, (?:and|then)|$)/is, "/"],
    [/\bsum of (.+?)(?:[.;\n]|\bfor\b|$)/is, "+"],
    [/\bsum (?:up )?(?:the )?(.+?)(?:[.;\n]|\bfor\b|$)/is, "+"],
    [/\b(?:by )?dividing (.+?) by (.+?)(?:[.;\n]|$)/is, "/"],
    [/\b(?:by )?subtracting (.+?) from (.+?)(?:[.;\n]|$)/is, "-"],
    [/\b(?:by )?multiplying (.+?) (?:by|with|and) (.+?)(?:[.;\n]|$)/is, "*"],
    [/\b(?:by )?adding (.+?) (?:to|and|with) (.+?)(?:[.;\n]|$)/is, "+"],
    [/\bproduct of (.+?) and (.+?)(?:[.;\n]|$)/is, "*"],
    [/\bdifference between (?:the )?(.+?) and (.+?)(?:[.;\n]|$)/is, "-"],
    [/["'”](?: column)? divided by (.+?)(?:[.;\n]|$)/is, "/"],
  ];
  if (!/\b(?:new|create|creating|feature|derive|defined as|calculated as)\b/i.test(task)) return null;
  for (const [pattern, operator] of patterns) {
    for (const match of task.matchAll(new RegExp(pattern, "gis"))) {
      const parts = match.slice(1).filter(Boolean);
      const ordered = /subtracting/i.test(match[0]) ? [...parts].reverse() : parts;
      const values =
        operator === "+" && parts.length === 1
          ? columnsIn(parts[0] ?? "", knowledge, chooser)
          : ordered.flatMap((part) => columnsIn(part, knowledge, chooser).slice(0, 1));
      if (values.length >= 2)
        return values.reduce((left, right): Value => ({ kind: "formula", operator, left, right }));
    }
  }
  return null;
}

/** Numeric columns that a text names, in its order; marked ones are sure, the rest is linked by words. */
function columnsIn(text: string, knowledge: Knowledge, chooser: Chooser): readonly Value[] {
  const columns = knowledge.schema.tables.flatMap((table) => table.columns);
  const parts = text.includes("⟨") ? text.split(/,\s*(?:and\s+)?|\s+and\s+|(?<=⟩)|(?=⟨)/) : [text];
  return parts.flatMap((part): readonly Value[] => {
    const marked = columns[Number(/⟨(\d+)⟩/.exec(part)?.[1] ?? -1)];
    if (marked !== undefined) return [columnValue({ table: marked.table, column: marked.name, via: null })];
    const linked = linkQuestion(part, knowledge, chooser);
    const numeric = (column: SchemaColumn) => isNumeric(column) && !isIdentifier(column);
    return linked.mentions.flatMap((mention) => {
      const picked = pickColumn(linked, mention, { suits: numeric });
      return picked === null ? [] : [columnValue(picked)];
    });
  });
}

/** A formula in symbols over field names and numbers: `(High Price - Low Price) / Open`. */
export function parseFormula(text: string, knowledge: Knowledge, chooser: Chooser): Value | null {
  const pieces =
    text
      .match(/[-+*/()×÷−]|[^-+*/()×÷−]+/gu)
      ?.map((piece) => piece.trim())
      .filter(Boolean) ?? [];
  let at = 0;
  const atom = (): Value | null => {
    const piece = pieces[at++];
    if (piece === undefined) return null;
    if (piece === "(") {
      const inner = sum();
      if (pieces[at] === ")") at++;
      return inner;
    }
    if (/^\d+(?:\.\d+)?$/.test(piece)) return { kind: "number", value: Number(piece) };
    return columnsIn(piece.replaceAll(/["'“”]/g, ""), knowledge, chooser)[0] ?? null;
  };
  const chain = (next: () => Value | null, operators: readonly string[]): Value | null => {
    let left = next();
    while (left !== null && operators.includes(pieces[at] ?? "")) {
      const operator = plainOperator(pieces[at++] ?? "");
      const right = next();
      if (right === null || operator === null) return null;
      left = { kind: "formula", operator, left, right };
    }
    return left;
  };
  const product = () => chain(atom, ["*", "/", "×", "÷"]);
  const sum = (): Value | null => chain(product, ["+", "-", "−"]);
  const value = sum();
  return value?.kind === "formula" ? value : null;
}

function plainOperator(sign: string): "+" | "-" | "*" | "/" | null {
  switch (sign) {
    case "+":
      return "+";
    case "-":
    case "−":
      return "-";
    case "*":
    case "×":
      return "*";
    case "/":
    case "÷":
      return "/";
    default:
      return null;
  }
}
