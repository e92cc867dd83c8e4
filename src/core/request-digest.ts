import { sha256, stableJson } from "./digest.js";
import type { ModelRequest } from "./message.js";

export interface RequestDigest {
  /** SHA-256 of the request's stable JSON, lower-case hex. */
  readonly digest: string;
  /** UTF-8 bytes of that JSON. */
  readonly bytes: number;
}

/**
 * Digest and size of a request: those of `stableJson(request)`. Messages and tools are values that one request hands to the next, so
 * each is written once, however often it is sent: a conversation's digests cost its length, not its square.
 */
export function digestOfRequest(request: ModelRequest): RequestDigest {
  const { messages, tools, ...rest } = request;
  const lists = { messages: listOf(messages), tools: listOf(tools) };
  const members = Object.entries(rest).map(([key, value]): [string, string] => [key, stableJson(value)]);
  const text = [...members, ...Object.entries(lists)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
    .join(",");
  return { digest: sha256(`{${text}}`), bytes: Buffer.byteLength(text) + 2 };
}

const written = new WeakMap<object, string>();

function listOf(values: readonly object[]): string {
  const texts = values.map((value) => {
    const text = written.get(value) ?? stableJson(value);
    written.set(value, text);
    return text;
  });
  return `[${texts.join(",")}]`;
}
