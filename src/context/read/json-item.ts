import { CELL_TAGS } from "./staged-table.js";

/** A cell as it is staged: NULL, or one letter for its type and its text. */
export type Cell = string | null;

/** One JSON value, looked at one level deep. Numbers and what is nested keep the text that they have in the file. */
export type JsonItem =
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, cell: Cell])[] }
  | { readonly kind: "array"; readonly cells: readonly Cell[] }
  | { readonly kind: "scalar"; readonly cell: Cell };

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
const WORDS: readonly (readonly [word: string, cell: Cell])[] = [
  ["null", null],
  ["true", `${CELL_TAGS.boolean}true`],
  ["false", `${CELL_TAGS.boolean}false`],
  // Not JSON, but what Python writes: a missing number, and numbers that DOUBLE has.
  ["NaN", `${CELL_TAGS.text}NaN`],
  ["Infinity", `${CELL_TAGS.number}Infinity`],
  ["-Infinity", `${CELL_TAGS.number}-Infinity`],
];

/** Reads one value. Throws SyntaxError where the text is not JSON. */
export function parseJsonItem(text: string): JsonItem {
  const reader = readerOf(text);
  const first = reader.peek();
  const item: JsonItem =
    first === "{"
      ? { kind: "object", members: reader.members() }
      : first === "["
        ? { kind: "array", cells: reader.elements() }
        : { kind: "scalar", cell: reader.value() };
  if (reader.peek() !== "") reader.fail();
  return item;
}

interface ItemReader {
  /** The next character that is not white space, "" at the end. */
  peek(): string;
  members(): (readonly [string, Cell])[];
  elements(): Cell[];
  value(): Cell;
  fail(): never;
}

function readerOf(text: string): ItemReader {
  let at = 0;

  function fail(): never {
    throw new SyntaxError(`not JSON at character ${at + 1}: ${JSON.stringify(text.slice(at, at + 30))}`);
  }

  function peek(): string {
    for (; at < text.length; at++) {
      const character = text[at] ?? "";
      if (character !== " " && character !== "\n" && character !== "\r" && character !== "\t") return character;
    }
    return "";
  }

  function take(character: string): void {
    if (peek() !== character) fail();
    at += 1;
  }

  function string(): string {
    if (peek() !== '"') fail();
    const end = endOfString(text, at);
    if (end < 0) fail();
    const raw = text.slice(at + 1, end - 1);
    const value = raw.includes("\\") ? unescaped(raw) : raw;
    at = end;
    return value;
  }

  function nested(): string {
    const end = endOfContainer(text, at);
    if (end < 0) fail();
    const raw = text.slice(at, end);
    JSON.parse(raw);
    at = end;
    return withoutSpace(raw);
  }

  function number(): string {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(text);
    if (match === null) return fail();
    at += match[0].length;
    const whole = match[1] === undefined && match[2] === undefined;
    return `${whole ? CELL_TAGS.integer : CELL_TAGS.number}${match[0]}`;
  }

  function value(): Cell {
    const character = peek();
    if (character === '"') return `${CELL_TAGS.text}${string()}`;
    if (character === "{" || character === "[") return `${CELL_TAGS.nested}${nested()}`;
    const word = WORDS.find(([found]) => text.startsWith(found, at));
    if (word === undefined) return number();
    at += word[0].length;
    return word[1];
  }

  /** What stands between two brackets, separated by commas. */
  function list<T>(open: string, close: string, one: () => T): T[] {
    const found: T[] = [];
    take(open);
    if (peek() === close) {
      take(close);
      return found;
    }
    for (;;) {
      found.push(one());
      if (peek() === close) break;
      take(",");
    }
    take(close);
    return found;
  }

  const member = (): readonly [string, Cell] => {
    const key = string();
    take(":");
    return [key, value()];
  };
  return { peek, fail, value, members: () => list("{", "}", member), elements: () => list("[", "]", value) };
}

/** What a string with escapes says. Line ends and other controls in it are no JSON, but say what they are. */
function unescaped(raw: string): string {
  const strict = Array.from(raw, (character) => (character < " " ? JSON.stringify(character).slice(1, -1) : character));
  return String(JSON.parse(`"${strict.join("")}"`));
}

/** Place behind the string that opens at `at`; -1 when it does not close. */
function endOfString(text: string, at: number): number {
  let end = at;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return -1;
  } while (isEscaped(text, end));
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let back = at - 1;
  while (text[back] === "\\") back -= 1;
  return (at - back) % 2 === 0;
}

/** Place behind the object or array that opens at `at`; -1 when it does not close. */
function endOfContainer(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      const end = endOfString(text, i);
      if (end < 0) return -1;
      i = end - 1;
    } else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** Nested values on one line: white space outside strings says nothing. */
function withoutSpace(json: string): string {
  return /[\n\r\t]| {2}/.test(json) ? json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, "$1") : json;
}
