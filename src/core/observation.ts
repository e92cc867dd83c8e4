import type { ToolReturned } from "./event.js";
import { isRecord, parseJson } from "./json.js";

/** Characters of an observation that prompts show; the whole is had by its id. */
const DIGEST_CHARACTERS = 400;

/** Lists in the JSON of our tools in which what was looked for would stand. */
const FINDINGS = ["rows", "matches", "values", "results"];

/** Whether a tool's content says that nothing was found: it has lists for what it looks for, and all of them are empty. */
export function foundNothing(content: string): boolean {
  const value = parseJson(content);
  return isRecord(value) && isEmpty(value);
}

function isEmpty(value: Readonly<Record<string, unknown>>): boolean {
  const lists = FINDINGS.flatMap((name) => {
    const list = value[name];
    return Array.isArray(list) ? [{ name, list }] : [];
  });
  return lists.length > 0 && lists.every(({ name, list }) => list.every(name === "results" ? isEmptyResult : never));
}

/** One query of several: it ran, and brought no row. */
const isEmptyResult = (result: unknown): boolean => isRecord(result) && result.ok === true && isEmpty(result);
const never = (): boolean => false;

/** At most 400 characters of what a tool returned; where it found nothing, a placeholder that can be cited for just that. */
export function digestOfObservation({ tool, args, content }: ToolReturned): string {
  const text = foundNothing(content) ? `nothing found: ${tool} ${JSON.stringify(args)}` : content;
  return shortened(text, DIGEST_CHARACTERS);
}

/** The beginning of a text, with an ellipsis where it is cut, together at most `most` characters; never half a character. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
