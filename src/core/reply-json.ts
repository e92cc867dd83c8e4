import { parseJson } from "./json.js";
/** The JSON that a model's reply is, bare or in a code fence; null where it is none. */
export function jsonInReply(content: string): unknown {
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(content)?.[1];
  return parseJson(content) ?? (fenced === undefined ? null : parseJson(fenced));
}

/** The beginning of a reply that could not be used, for a message about it. */
export function quotedReply(text: string): string {
  return text.trim() === "" ? "it is empty" : JSON.stringify(text.slice(0, 200));
}
