/** How wide text is on a terminal, and how it is cut there. */

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** First and last code points of the blocks that take two cells: East Asian Wide and Fullwidth (UAX #11), and pictographs. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x26a1, 0x26a1],
  [0x26bd, 0x26be],
  [0x26d4, 0x26d4],
  [0x2705, 0x2705],
  [0x274c, 0x274c],
  [0x2753, 0x2755],
  [0x2795, 0x2797],
  [0x2b1b, 0x2b1c],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f1e6, 0x1f1ff],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f90c, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];

/** Text of characters that are surely one cell each: Latin, and the signs that our own output is made of. Saves looking at each. */
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027○●→]*$/;

/** Cells that printable text takes: 2 for each wide character, 0 for a lone combining mark, 1 for all else. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  const point = grapheme.codePointAt(0) ?? 0;
  if (/^[\p{M}\p{Cc}\p{Cf}]+$/u.test(grapheme)) return 0;
  // U+FE0F asks for the pictograph of a character that is narrow without it.
  return grapheme.includes("\ufe0f") || WIDE.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}

const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\p{Cs}]/gu;

/**
 * One line that a terminal shows as it is: white space becomes one blank; control, format and direction characters, with which text from a model or a file could steer
 * the terminal, become `�`.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().replaceAll(UNPRINTABLE, "�");
}

/** One of several lines of a text, made safe in the same way; its blanks stay, a tab is two. */
export function plainLine(text: string): string {
  return text.replaceAll("\t", "  ").replaceAll(UNPRINTABLE, "�").trimEnd();
}

/** Text of at most `width` cells; where something is left out, `…` stands for it, at the end or in the middle. */
export function cutText(text: string, width: number, where: "end" | "middle" = "end"): string {
  if (textWidth(text) <= width) return text;
  if (width < 1) return "";
  const tail = where === "middle" ? Math.floor((width - 1) / 2) : 0;
  return `${takeCells(text, width - 1 - tail)}…${takeLastCells(text, tail)}`;
}

function takeCells(text: string, width: number): string {
  let taken = "";
  let left = width;
  for (const { segment } of graphemes.segment(text)) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    taken += segment;
  }
  return taken;
}

function takeLastCells(text: string, width: number): string {
  let taken = "";
  let left = width;
  for (const { segment } of [...graphemes.segment(text)].reverse()) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    taken = segment + taken;
  }
  return taken;
}

/** Text of exactly `width` cells, cut or filled up with blanks. */
export function padText(text: string, width: number, align: "left" | "right"): string {
  const cut = cutText(text, width);
  const blanks = " ".repeat(Math.max(0, width - textWidth(cut)));
  return align === "left" ? cut + blanks : blanks + cut;
}

/** Parts of a sentence joined by `separator`, broken into lines of at most `width` cells between parts; null: one line. */
export function wrapParts(parts: readonly string[], separator: string, width: number | null): string[] {
  if (width === null) return [parts.join(separator)];
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last}${separator}${part}`;
    if (last !== undefined && textWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(...wrapWords(part, width));
  }
  return lines;
}

/** Broken between words (never between a number and its `%`), or within a word that is wider than a line. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/ (?!%)/)) {
    const last = lines.at(-1);
    const joined = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && textWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(...breakWord(word, width));
  }
  return lines;
}

function breakWord(word: string, width: number): string[] {
  if (textWidth(word) <= width) return [word];
  const first = takeCells(word, Math.max(2, width));
  return [first, ...breakWord(word.slice(first.length), width)];
}
