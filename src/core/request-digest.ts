import { createHash } from "node:crypto";
import { stableJson } from "./digest.js";
import type { ModelRequest } from "./message.js";

export interface RequestDigest {
  /** SHA-256 of the request's stable JSON, lower-case hex. */
  readonly digest: string;
  /** UTF-8 bytes of that JSON. */
  readonly bytes: number;
}

/**
 * Digest and size of a request: those of `stableJson(request)`. Messages and tools are values that one request hands to the next, so
 * each is written once, however often it is sent: a conversation's digests cost its length, not its square. The whole is never put together.
 */
export function digestOfRequest(request: ModelRequest): RequestDigest {
  const { messages, tools, ...rest } = request;
  const members = [
    ...Object.entries(rest).map(([key, value]): [string, Part[]] => [key, [stableJson(value)]]),
    ["messages", listOf(messages)] as const,
    ["tools", listOf(tools)] as const,
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash("sha256");
  let bytes = 0;
  const take = (part: Part) => {
    hash.update(part);
    bytes += typeof part === "string" ? Buffer.byteLength(part) : part.length;
  };
  for (const [index, [key, value]] of members.entries()) {
    take(`${index === 0 ? "{" : ","}${JSON.stringify(key)}:`);
    for (const part of value) take(part);
  }
  take("}");
  return { digest: hash.digest("hex"), bytes };
}

/** A piece of the JSON: text, or its UTF-8 bytes. */
type Part = string | Buffer;

const written = new WeakMap<object, Buffer>();

function listOf(values: readonly object[]): Part[] {
  const parts: Part[] = ["["];
  for (const [index, value] of values.entries()) {
    const json = written.get(value) ?? Buffer.from(stableJson(value));
    written.set(value, json);
    if (index > 0) parts.push(",");
    parts.push(json);
  }
  parts.push("]");
  return parts;
}
