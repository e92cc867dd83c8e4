import type { DocumentHeading } from "../../core/catalog.js";
import { keyValuesAt } from "./key-values.js";
import { markdownTableAt } from "./markdown-table.js";

/** One row of a table, or one group of key–value lines. */
export interface DocumentRecord {
  /** The title above its lines, else the heading; null where there is none. */
  readonly section: string | null;
  /** Lines of the document, from 1. */
  readonly first_line: number;
  readonly last_line: number;
  /** Of prose: the lines that the record cites, which need not be all from the first to the last. */
  readonly cited_lines?: readonly number[];
  /** Field → text without marks; fields that the record leaves empty are not there. */
  readonly values: ReadonlyMap<string, string>;
}

/** A stretch of a document. Headings and blank lines are of no block. */
export interface DocumentBlock {
  readonly kind: "table" | "key-values" | "prose" | "code";
  /** The nearest heading above. */
  readonly heading: string | null;
  readonly first_line: number;
  readonly last_line: number;
  /** In the order of the document; empty for prose and code. */
  readonly fields: readonly string[];
  readonly records: readonly DocumentRecord[];
  /** Lines of a table that have too few or too many cells. */
  readonly ragged_lines: readonly number[];
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const RULE = /^\s*(?:=+|-{3,}|\*{3,}|_{3,})\s*$/;

/** Cuts a document into blocks, in order. Pure: the same lines and headings give the same blocks. */
export function documentBlocks(lines: readonly string[], headings: readonly DocumentHeading[]): DocumentBlock[] {
  const headingAt = new Map(headings.map(({ line, text }) => [line - 1, text]));
  const blocks: DocumentBlock[] = [];
  let heading: string | null = null;
  let proseStart: number | null = null;
  const endProse = (end: number) => {
    if (proseStart !== null) blocks.push(plainBlock("prose", heading, proseStart, lastFilled(lines, end)));
    proseStart = null;
  };
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? "";
    const title = headingAt.get(index);
    if (title !== undefined || RULE.test(line)) {
      endProse(index);
      heading = title ?? heading;
      index += 1;
      continue;
    }
    const found = line.trim() === "" ? null : blockAt(lines, index, heading, (at) => headingAt.has(at));
    if (found === null) {
      if (line.trim() !== "") proseStart ??= index;
      index += 1;
      continue;
    }
    endProse(index);
    blocks.push(found);
    index = found.last_line;
  }
  endProse(lines.length);
  return blocks;
}

/** The block of a kind of its own that begins here; null where prose does. */
function blockAt(
  lines: readonly string[],
  index: number,
  heading: string | null,
  isHeading: (index: number) => boolean,
): DocumentBlock | null {
  const fence = FENCE.exec(lines[index] ?? "")?.[1];
  if (fence !== undefined) return plainBlock("code", heading, index, fenceEnd(lines, index, fence));
  const place = { heading, first_line: index + 1 };
  const table = markdownTableAt(lines, index, heading);
  if (table !== null) {
    const { fields, records, ragged_lines } = table;
    return { kind: "table", ...place, last_line: table.end, fields, records, ragged_lines };
  }
  const isBoundary = (at: number) =>
    isHeading(at) ||
    FENCE.test(lines[at] ?? "") ||
    RULE.test(lines[at] ?? "") ||
    markdownTableAt(lines, at, null) !== null;
  const list = keyValuesAt(lines, index, heading, isBoundary);
  if (list === null) return null;
  const { fields, records } = list;
  return { kind: "key-values", ...place, last_line: list.end, fields, records, ragged_lines: [] };
}

/** `start` an index from 0, `end` one after the last. */
function plainBlock(kind: "prose" | "code", heading: string | null, start: number, end: number): DocumentBlock {
  return { kind, heading, first_line: start + 1, last_line: end, fields: [], records: [], ragged_lines: [] };
}

function fenceEnd(lines: readonly string[], start: number, fence: string): number {
  const close = lines.findIndex((line, at) => at > start && line.trim().startsWith(fence));
  return close === -1 ? lines.length : close + 1;
}

function lastFilled(lines: readonly string[], end: number): number {
  let last = end;
  while (last > 0 && lines[last - 1]?.trim() === "") last -= 1;
  return last;
}
