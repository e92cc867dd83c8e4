/**
 * Where JSON text goes wrong first, as line and column from 1: JSON.parse itself does not always say. Only for text
 * that JSON.parse refuses; the end of the text where it just stops.
 */
export function jsonErrorAt(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, errorOffset(text));
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: before.length - lastBreak };
}

type Expected = "value" | "first-value" | "first-key" | "key" | "colon" | "next" | "end";

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?(?![0-9A-Za-z_.])|(true|false|null)(?![0-9A-Za-z_])/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y;

/** Walks token by token until one does not fit. */
function errorOffset(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let offset = 0;
  const read = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    const match = pattern.exec(text);
    offset += match?.[0].length ?? 0;
    return match !== null;
  };
  const afterValue = (): Expected => (open.length === 0 ? "end" : "next");
  for (;;) {
    read(SPACE);
    const character = text[offset];
    const closes = (character === "}" && open.at(-1) === "{") || (character === "]" && open.at(-1) === "[");
    if (closes && (expected === "next" || expected === "first-key" || expected === "first-value")) {
      open.pop();
      offset++;
      expected = afterValue();
    } else if (expected === "next" && character === ",") {
      offset++;
      expected = open.at(-1) === "{" ? "key" : "value";
    } else if (expected === "colon" && character === ":") {
      offset++;
      expected = "value";
    } else if ((expected === "key" || expected === "first-key") && read(STRING)) {
      expected = "colon";
    } else if (expected === "value" || expected === "first-value") {
      if (character === "{" || character === "[") {
        open.push(character);
        offset++;
        expected = character === "{" ? "first-key" : "first-value";
      } else if (read(SCALAR) || read(STRING)) expected = afterValue();
      else return offset;
    } else return offset;
  }
}
