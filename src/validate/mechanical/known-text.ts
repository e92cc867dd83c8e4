import type { ToolReturned } from "../../core/event.js";
import { contentOf } from "../excerpt.js";
import type { CheckInput } from "./check.js";
import { isSqlNode } from "./sql-tree.js";

const EXTRACTING = "extract_structured_doc";
const READING_TOOLS: readonly string[] = ["read_doc", "inspect_doc_structure", EXTRACTING];

/** All tool returns of a trajectory, oldest first, with the step they belong to; submissions are none. */
export function returnsOf({
  trajectory,
}: CheckInput): readonly { readonly step: number; readonly returned: ToolReturned }[] {
  return trajectory.flatMap(({ step, returns }) =>
    returns.flatMap((returned) => (returned.type === "tool-returned" ? [{ step, returned }] : [])),
  );
}

/** The texts of the documents that the agent has read: knowledge.md, and what its calls showed of others, whole or in part. */
export function documentTexts(input: CheckInput, { extracted } = { extracted: true }): readonly string[] {
  const { knowledge } = input.started;
  const read = returnsOf(input).flatMap(({ returned }) =>
    returned.ok && READING_TOOLS.includes(returned.tool) && (extracted || returned.tool !== EXTRACTING)
      ? [allText(contentOf(returned.content))]
      : [],
  );
  return knowledge === null ? read : [knowledge, ...read];
}

/** All texts in a JSON value, one a line. */
function allText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(allText).join("\n");
  return isSqlNode(value) ? Object.values(value).map(allText).join("\n") : "";
}

/** Whether a text has a phrase in it, with no letter or digit of a spaced script directly before or behind. */
export function containsPhrase(text: string, phrase: string): boolean {
  if (phrase === "") return false;
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    if (!joins(text.charAt(at - 1), phrase.charAt(0)) && !joins(phrase.slice(-1), text.charAt(end))) return true;
  }
  return false;
}

/** Whether a text has a number in it, whatever unit stands at it: `200` in `over 200cm`, not in `1200` or `200.5`; `1,200` is 1200. */
export function containsNumber(text: string, number: string): boolean {
  const digits = text.replaceAll(/(?<=\d),(?=\d{3})/g, "");
  for (let at = digits.indexOf(number); at !== -1; at = digits.indexOf(number, at + 1)) {
    const [before, behind] = [digits.slice(Math.max(0, at - 2), at), digits.slice(at + number.length)];
    if (!/\d\.?$/.test(before) && !/^\.?\d/.test(behind)) return true;
  }
  return false;
}

/** Whether two neighbours belong to one word. Chinese is written without spaces: any place may part it. */
function joins(before: string, after: string): boolean {
  return isWordCharacter(before) && isWordCharacter(after);
}

const isWordCharacter = (character: string): boolean =>
  /[\p{L}\p{N}]/u.test(character) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character);

/** A text as names are compared in it: lower case, all marks as single spaces. `Body_Mass (g)` → `body mass g` */
export function plainWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Whether a text (of plain words) names a table, column or file: as it is written, or with its parts as words, `raceId` as `race id`. */
export function names(words: string, name: string): boolean {
  const parted = name.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ");
  return containsPhrase(words, plainWords(name)) || containsPhrase(words, plainWords(parted));
}
