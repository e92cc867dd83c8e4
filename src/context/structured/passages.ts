import type { DocumentHeading } from "../../core/catalog.js";
import type { PassageLine } from "../../core/extraction.js";
import type { DocumentBlock } from "./document-blocks.js";

/** Characters of a passage: what a model reads line by line without losing any. */
const PASSAGE_CHARACTERS = 8000;

export type Passage = readonly PassageLine[];

/**
 * Cuts blocks of prose into passages of at most 8,000 characters, in the order of the document, at lines; only a line that is longer
 * itself is cut, at a sentence's end where it has one. Each stretch of a block has the heading above it as its first line, since prose often names its subject
 * there. Blank lines are left out. Pure.
 */
export function passagesOf(
  blocks: readonly DocumentBlock[],
  lines: readonly string[],
  headings: readonly DocumentHeading[],
): Passage[] {
  const passages: PassageLine[][] = [];
  let room = 0;
  let above: PassageLine | null = null;
  for (const { line, heading } of blocks.flatMap((block) => linesOf(block, lines, headings))) {
    const starts = heading !== null && heading.line !== above?.line;
    const cost = sizeOf(line) + (starts && heading !== null ? sizeOf(heading) : 0);
    if (cost > room || passages.length === 0) {
      passages.push(heading === null ? [] : [heading]);
      room = PASSAGE_CHARACTERS - (heading === null ? 0 : sizeOf(heading));
    } else if (starts && heading !== null) {
      passages.at(-1)?.push(heading);
      room -= sizeOf(heading);
    }
    above = heading;
    passages.at(-1)?.push(line);
    room -= sizeOf(line);
  }
  return passages;
}

interface PlacedLine {
  readonly line: PassageLine;
  /** The nearest heading above. */
  readonly heading: PassageLine | null;
}

function linesOf(
  { first_line, last_line }: DocumentBlock,
  lines: readonly string[],
  headings: readonly DocumentHeading[],
): PlacedLine[] {
  const above = headings.findLast(({ line }) => line < first_line);
  const heading = above === undefined ? null : { line: above.line, text: (lines[above.line - 1] ?? "").trim() };
  return lines.slice(first_line - 1, last_line).flatMap((text, index) => {
    const parts = text.trim() === "" ? [] : partsOf(text.trim());
    return parts.map((part) => ({ line: { line: first_line + index, text: part }, heading }));
  });
}

const PART_CHARACTERS = PASSAGE_CHARACTERS / 2;

function partsOf(text: string): string[] {
  if (text.length <= PART_CHARACTERS) return [text];
  const head = text.slice(0, PART_CHARACTERS);
  const sentence = Math.max(
    ...[...head.matchAll(/[.!?;]\s|[。！？；]/gu)].map(({ index, 0: end }) => index + end.length),
  );
  const end = sentence > 0 ? sentence : wholeCharacters(text, PART_CHARACTERS);
  return [text.slice(0, end).trimEnd(), ...partsOf(text.slice(end).trimStart())];
}

/** `end`, or one less where that would part the two halves of a character. */
function wholeCharacters(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** A line with its number and quotes, roughly. */
function sizeOf({ text }: PassageLine): number {
  return text.length + 20;
}

/** Line numbers as stretches without gaps, in order. */
export function runsOf(numbers: readonly number[]): (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** Line numbers as a person writes them: `3; 40-41`. */
export function lineRanges(numbers: readonly number[]): string {
  return runsOf(numbers)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join("; ");
}
