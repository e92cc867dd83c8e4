/** A number with all the digits that its text has, where a JavaScript number would lose some. */
export interface NumberText {
  readonly number: string;
}

/** What `json.dumps` of Python writes, without loss. */
export type LooseJson = string | number | boolean | null | NumberText | readonly LooseJson[] | LooseObject;
export type LooseObject = ReadonlyMap<string, LooseJson>;

export interface LooseRead {
  /** Null where no object stands there. */
  readonly object: LooseObject | null;
  /** Where reading stopped: behind the object, or at what cannot be read. */
  readonly end: number;
}

const MOST_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
/** Not all of them are JSON: Python also writes missing and infinite numbers, which have DuckDB's names here. */
const WORDS: readonly (readonly [word: string, value: LooseJson])[] = [
  ["null", null],
  ["NaN", null],
  ["true", true],
  ["false", false],
  ["Infinity", { number: "inf" }],
  ["-Infinity", { number: "-inf" }],
];

/** One for all: an error with a stack for every brace of a long text would take longest. */
const NOT_JSON = new Error("not JSON");

/** Reads the object that begins at `start`; what follows it is not looked at. */
export function readLooseObject(text: string, start: number): LooseRead {
  let at = start;

  function fail(): never {
    throw NOT_JSON;
  }
  function match(pattern: RegExp): string | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  }
  function peek(): string {
    while (isSpace(text.charCodeAt(at))) at += 1;
    return text.charAt(at);
  }
  function take(character: string): void {
    if (peek() !== character) fail();
    at += 1;
  }
  function string(): string {
    if (peek() !== '"') fail();
    const raw = match(STRING) ?? fail();
    try {
      return String(JSON.parse(raw));
    } catch {
      return fail();
    }
  }
  /** What stands between two brackets, with commas. */
  function list(close: string, one: () => void): void {
    at += 1;
    if (peek() !== close) {
      one();
      while (peek() === ",") {
        at += 1;
        one();
      }
    }
    take(close);
  }
  function object(depth: number): LooseObject {
    const members = new Map<string, LooseJson>();
    list("}", () => {
      const key = string();
      take(":");
      members.set(key, value(depth));
    });
    return members;
  }
  function value(depth: number): LooseJson {
    if (depth > MOST_DEPTH) fail();
    const first = peek();
    if (first === '"') return string();
    if (first === "{") return object(depth + 1);
    if (first === "[") {
      const items: LooseJson[] = [];
      list("]", () => items.push(value(depth + 1)));
      return items;
    }
    const number = match(NUMBER);
    return number === null ? word() : numberOf(number);
  }
  function word(): LooseJson {
    const [found, meaning] = WORDS.find(([one]) => text.startsWith(one, at)) ?? fail();
    at += found.length;
    return meaning;
  }

  try {
    if (peek() !== "{") fail();
    return { object: object(0), end: at };
  } catch (error) {
    if (error !== NOT_JSON) throw error;
    return { object: null, end: at };
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function numberOf(text: string): LooseJson {
  const number = Number(text);
  return String(number) === text ? number : { number: text };
}

/** JSON text of a value, on one line. */
export function looseText(value: LooseJson): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(looseText).join(",")}]`;
  if (!("number" in value))
    return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}:${looseText(one)}`).join(",")}}`;
  return value.number;
}

export function isList(value: LooseJson): value is readonly LooseJson[] {
  return Array.isArray(value);
}

export function isObject(value: LooseJson): value is LooseObject {
  return value instanceof Map;
}
