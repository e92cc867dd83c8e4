import { UNSPACED } from "./text.js";

/** A sentence of a conclusion, as it stands there. */
interface Sentence {
  readonly text: string;
  /** The first sentence of a list item without its bullet or number, or a table row below the header. */
  readonly item: boolean;
}

/** Always end a sentence. A semicolon parts claims: what follows it is said of something else. */
const FULL_STOPS = "。！？｡；;";
const CLOSERS = /["'”’」』）)\]】》*_`]/;
const UNSPACED_AT = new RegExp(`^[${UNSPACED}]`, "u");
const ABBREVIATION = /(?:^|[^\p{L}])(?:\p{Lu}|e\.g|i\.e|vs|no|st|mt|dr|mr|mrs|ms|dept|approx|cf)$/iu;
const LIST_NUMBER = /(?:^|[\s:：(（,，、])\p{Nd}{1,2}$/u;

const BULLET = /^\s*(?:[-*+]\s+|[•·◦▪‣]\s*|[(（]?\d{1,3}(?:[)）、．]|\.(?!\d))\s*|[\u2460-\u2473]\s*)(?=\S)/u;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]*-[\s|:-]*$/;
const ENDS_IN_COLON = /[:：][\s*_]*$/;
const HEADING = /^\s*#{1,6}\s|^\s*(\*\*|__).+\1\s*$/;

/**
 * The sentences that make a claim: those with an anchor, and the items of a list or table that a line with an anchor
 * introduces (it ends in a colon, or is a heading or the table's header).
 */
export function claimSentences(text: string, hasAnchor: (sentence: string) => boolean): readonly Sentence[] {
  const claims: Sentence[] = [];
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  // Items that are indented deeper than this belong to a claim; null outside an introduced list.
  let introduced: number | null = null;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "" || (introduced !== null && TABLE_RULE.test(line))) continue;
    const isItem = BULLET.test(line) || TABLE_ROW.test(line);
    const belongs = isItem && introduced !== null && indentOf(line) > introduced;
    const isHeader = TABLE_ROW.test(line) && TABLE_RULE.test(lines[index + 1] ?? "");
    const sentences = lineSentences(line, isItem && !isHeader);
    claims.push(...sentences.filter((sentence) => belongs || hasAnchor(sentence.text)));
    if (belongs) continue;
    const last = sentences.at(-1);
    const leads = ENDS_IN_COLON.test(line) || HEADING.test(line) || isHeader;
    introduced = leads && last !== undefined && hasAnchor(last.text) ? leadIndent(line, isItem) : null;
  }
  return claims;
}

const indentOf = (line: string): number => line.search(/\S/);

/** A list under a list item is deeper than the item; any other line introduces a list of any indent. */
const leadIndent = (line: string, isItem: boolean): number =>
  isItem && !TABLE_ROW.test(line) ? indentOf(line) : Number.NEGATIVE_INFINITY;

function lineSentences(line: string, isItem: boolean): Sentence[] {
  if (TABLE_ROW.test(line)) return [{ text: line.trim(), item: isItem }];
  return splitSentences(line.replace(BULLET, "")).map((text, position) => ({ text, item: isItem && position === 0 }));
}

/** The sentences of one line. Closing quotes and brackets stay with the sentence before them. */
export function splitSentences(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (let index = 0; index < line.length; index++) {
    if (!endsSentence(line, index)) continue;
    while (CLOSERS.test(line[index + 1] ?? "")) index++;
    sentences.push(line.slice(start, index + 1));
    start = index + 1;
  }
  sentences.push(line.slice(start));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function endsSentence(line: string, index: number): boolean {
  const mark = line.charAt(index);
  if (FULL_STOPS.includes(mark)) return true;
  if (mark !== "." && mark !== "!" && mark !== "?") return false;
  const after = line.slice(index + 1);
  // 3.5, v1.2, answer.md and a != b go on.
  if (after !== "" && !/^\s/.test(after) && !CLOSERS.test(after.charAt(0)) && !UNSPACED_AT.test(after)) return false;
  const before = line.slice(0, index);
  return mark !== "." || !(/\.$/.test(before) || LIST_NUMBER.test(before) || ABBREVIATION.test(before));
}
