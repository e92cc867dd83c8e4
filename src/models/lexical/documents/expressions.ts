import type { ColumnName, Schema, SchemaColumn } from "../schema/schema.js";
import type { Ref } from "../sql/plan.js";
import { fold } from "../words/tokens.js";

export interface WrittenExpression {
  readonly parts: readonly (string | Ref)[];
  readonly columns: readonly ColumnName[];
  readonly aggregates: boolean;
  /** A comparison at the top: a condition, not a number. */
  readonly compares: boolean;
}

const PIECES =
  /(?<text>'[^']*')|(?<quoted>"[^"]+"|`[^`]+`)|(?<name>[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?)|(?<number>\d+(?:\.\d+)?)|(?<operator><=|>=|<>|!=|=|[-+*/(),<>%×÷−])|(?<space>\s+)|(?<other>.)/gu;

const FUNCTIONS = new Set(
  "sum count avg min max round abs nullif coalesce cast ln log10 sqrt stddev median".split(" "),
);
const KEYWORDS = new Set(
  "and or not in between is null as real double integer distinct case when then else end like".split(" "),
);
const PREFIX_OPERATORS: Readonly<Record<string, string>> = {
  divide: "/",
  multiply: "*",
  subtract: "-",
  add: "+",
  minus: "-",
  sum: "+",
};

/** Binds a formula of a document to columns; null if it is not one, or names what the schema does not have. */
export function bindExpression(text: string, schema: Schema, table: string | null = null): WrittenExpression | null {
  const bare = infix(unwrapped(longNamesQuoted(text, schema)));
  const parts: (string | Ref)[] = [];
  const columns: ColumnName[] = [];
  let aggregates = false;
  let compares = false;
  let depth = 0;
  for (const match of bare.matchAll(PIECES)) {
    const { name, quoted, operator, other } = match.groups ?? {};
    const piece = match[0];
    if (other !== undefined) return null;
    if (
      name !== undefined &&
      FUNCTIONS.has(name.toLowerCase()) &&
      /^\s*\(/.test(bare.slice(match.index + piece.length))
    ) {
      aggregates ||= /^(sum|count|avg|min|max|stddev|median)$/i.test(name);
      parts.push(name.toLowerCase());
    } else if (name !== undefined && KEYWORDS.has(name.toLowerCase())) {
      parts.push(name.toUpperCase());
    } else if (name !== undefined || quoted !== undefined) {
      const column = findColumn(schema, (quoted ?? name ?? "").replaceAll(/["`]/g, ""), table);
      if (column === null) return null;
      columns.push({ table: column.table, column: column.name });
      parts.push({ table: column.table, column: column.name, via: null });
    } else {
      if (piece === "(") depth++;
      if (piece === ")") depth--;
      if (operator !== undefined && /^[<>=!]/.test(operator) && depth === 0) compares = true;
      parts.push(ascii(piece));
    }
  }
  return columns.length === 0 && !aggregates ? null : { parts, columns, aggregates, compares };
}

const ascii = (piece: string) => piece.replace("×", "*").replace("÷", "/").replace("−", "-").replace("!=", "<>");

/** Code marks around a whole formula, and sentence ends, taken off. */
function unwrapped(text: string): string {
  const code = /^[^`]*`([^`]+)`[^`]*$/.exec(text)?.[1];
  const trimmed = (code ?? text).trim().replace(/[.;。；]+$/, "");
  return /`[^`]+`\s*(?:<=|>=|[<>=/*+−-])/.test(text) && code !== undefined
    ? text.replace(/[.;。；]+\s*$/, "")
    : trimmed;
}

/** Column names with spaces or signs are quoted where they stand bare. */
function longNamesQuoted(text: string, schema: Schema): string {
  const names = schema.tables
    .flatMap((table) => table.columns.map((column) => column.name))
    .filter((name) => /[^\p{L}\p{N}_]/u.test(name))
    .sort((left, right) => right.length - left.length);
  return names.reduce((current, name) => {
    const at = current.indexOf(name);
    const free = at >= 0 && !/["`]/.test(current[at - 1] ?? "");
    return free ? `${current.slice(0, at)}"${name}"${current.slice(at + name.length)}` : current;
  }, text);
}

/** `DIVIDE(a, b)` → `(a / b)`, innermost first. */
function infix(text: string): string {
  const pattern =
    /\b(DIVIDE|MULTIPLY|SUBTRACT|ADD|MINUS)\(([^(),]*(?:\([^()]*\)[^(),]*)*),([^(),]*(?:\([^()]*\)[^(),]*)*)\)/i;
  let current = text;
  for (let round = 0; round < 8; round++) {
    const match = pattern.exec(current);
    if (match === null) return current;
    const operator = PREFIX_OPERATORS[(match[1] ?? "").toLowerCase()] ?? "/";
    current = `${current.slice(0, match.index)}(${match[2]} ${operator} ${match[3]})${current.slice(match.index + match[0].length)}`;
  }
  return current;
}

/** Chinese formulas call a field by the end of its name. */
function endingWith(schema: Schema, wanted: string): readonly SchemaColumn[] {
  if (!/\p{Script=Han}/u.test(wanted) || wanted.length < 2) return [];
  return schema.tables.flatMap((table) => table.columns).filter((column) => fold(column.name).endsWith(wanted));
}

function findColumn(schema: Schema, name: string, table: string | null): SchemaColumn | null {
  const [owner, column] = name.includes(".") ? name.split(".", 2) : [null, name];
  const wanted = fold(column ?? name);
  const found = schema.tables
    .flatMap((candidate) => candidate.columns)
    .filter((candidate) => fold(candidate.name) === wanted || fold(candidate.name) === fold(name));
  const of = (tableName: string | null | undefined) =>
    found.find((candidate) => tableName != null && fold(candidate.table) === fold(tableName));
  const loose = found.length > 0 ? [] : endingWith(schema, wanted);
  return of(owner) ?? of(table) ?? found[0] ?? (loose.length === 1 ? (loose[0] ?? null) : null);
}
