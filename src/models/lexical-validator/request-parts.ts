import { isRecord, parseJson } from "../../core/json.js";
import { type ModelRequest, textOf } from "../../core/message.js";

/** A part of a validator's request: what stands between its tags, on lines of their own. Empty where there is none. */
export function partOf(request: ModelRequest, name: string): string {
  const first = request.messages.find(({ role }) => role === "user");
  const lines = first === undefined ? [] : textOf(first).split("\n");
  const start = lines.indexOf(`<${name}>`);
  const end = lines.indexOf(`</${name}>`, start);
  return start < 0 || end < 0 ? "" : lines.slice(start + 1, end).join("\n");
}

/** The JSON objects of a part, one a line; lines that are none are left out. */
export function objectsOf(request: ModelRequest, name: string): Readonly<Record<string, unknown>>[] {
  return partOf(request, name)
    .split("\n")
    .flatMap((line) => {
      const value = parseJson(line);
      return isRecord(value) ? [value] : [];
    });
}

/** The JSON texts of a part, one a line; lines that are none are left out. */
export function textsOf(request: ModelRequest, name: string): string[] {
  return partOf(request, name)
    .split("\n")
    .map(parseJson)
    .filter((value) => typeof value === "string");
}

/** A value deep inside JSON: `inside(item, "source", "path")`; null where a step leads nowhere. */
export function inside(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? (at[key] ?? null) : null), value);
}

export function textInside(value: unknown, ...path: readonly string[]): string | null {
  const found = inside(value, ...path);
  return typeof found === "string" ? found : null;
}
