import { SENTENCES } from "./chinese-sentences.js";
import { WORDS } from "./chinese-words.js";

/** What an optional group that is absent leaves behind. */
const EMPTY_REMAINS = /（容许 {2}?个百分点；|（）| {2,}/g;

/**
 * A sentence that the report's code made, in Chinese; one that is not known stays as it is. Names, numbers and the words of models, files and
 * endpoints are never translated.
 */
export function inChinese(text: string): string {
  const word = WORDS[text];
  if (word !== undefined) return word;
  for (const [pattern, sentence] of SENTENCES) {
    const match = pattern.exec(text);
    if (match === null) continue;
    return sentence
      .replaceAll(/([{$[])(\d)[}\]]?/g, (_, kind: string, group: string) => {
        const found = match[Number(group)] ?? "";
        if (kind === "[") return found.split(", ").map(inChinese).join("、");
        return kind === "{" ? inChinese(found) : found;
      })
      .replaceAll(EMPTY_REMAINS, (rest) => (rest.startsWith("（容") ? "（" : rest.startsWith("（") ? "" : " "))
      .trim();
  }
  const parts = text.split("; ");
  const known = parts.map((part) => (parts.length > 1 ? inChinese(part) : part));
  return known.some((part, index) => part !== parts[index]) ? known.join("；") : text;
}
