import { plainLine, textWidth, wrapParts } from "../text-width.js";

/** Texts, names and comments, within which no word is a clause; then parentheses and words. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|[()]|[A-Za-z_]\w*|[\s\S]/g;

/** Words that begin a clause, also together with those before them. */
const CLAUSES = new Set("FROM WHERE GROUP HAVING ORDER LIMIT UNION EXCEPT INTERSECT QUALIFY WINDOW JOIN".split(" "));
const BEFORE_JOIN = new Set("LEFT RIGHT FULL INNER CROSS NATURAL ASOF SEMI ANTI".split(" "));

/** SQL in lines of at most `width` cells (null: any). One that is a single long line begins a new one at each clause that is in no parentheses. */
export function sqlLines(sql: string, width: number | null): string[] {
  const text = sql.trim();
  const isLong = !text.includes("\n") && width !== null && textWidth(text) > width;
  const lines = isLong ? clausesOf(text) : text.split("\n");
  return lines.map(plainLine).flatMap((line) => hangingLines(line, width, 2));
}

function clausesOf(sql: string): string[] {
  const clauses: string[] = [""];
  let depth = 0;
  let previous = "";
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    const word = token.toUpperCase();
    const begins = CLAUSES.has(word) ? !BEFORE_JOIN.has(previous) : BEFORE_JOIN.has(word) && !BEFORE_JOIN.has(previous);
    if (depth === 0 && begins) clauses.push(token);
    else clauses[clauses.length - 1] += token;
    if (token.trim() !== "") previous = word;
  }
  return clauses.map((clause) => clause.trim()).filter(Boolean);
}

/** A line in as many as it needs, those after the first `hang` cells further in than it. */
export function hangingLines(line: string, width: number | null, hang: number): string[] {
  if (width === null || textWidth(line) <= width) return [line];
  const indent = Math.min(line.length - line.trimStart().length, Math.max(0, width - hang - 4));
  const [first = "", ...others] = wrapParts([line.trimStart()], " ", Math.max(4, width - indent - hang));
  return [" ".repeat(indent) + first, ...others.map((other) => " ".repeat(indent + hang) + other)];
}
