import { cellText } from "./cell-text.js";
import type { DocumentRecord } from "./document-blocks.js";

interface KeyValues {
  readonly fields: readonly string[];
  readonly records: readonly DocumentRecord[];
  /** Index of the first line after the list. */
  readonly end: number;
}

/** `- **Dose**: 5 mg` */
interface Pair {
  readonly indent: number;
  readonly key: string;
  /** Null where nothing follows the colon. */
  readonly value: string | null;
}

const MARKER = /^(\s*)(?:[-*+•]\s+|\d+[.)]\s+)?/;
const MAX_KEY_CHARACTERS = 60;
/** Fewer lines `key: value` together are taken as prose with a colon. */
const LEAST_PAIRS = 2;

/**
 * The key–value list that begins at `start` (index from 0); null where none does. A record ends where a key comes again, or at a
 * title: a list item with the pairs of its record indented below it. A title is its record's section.
 */
export function keyValuesAt(
  lines: readonly string[],
  start: number,
  section: string | null,
  isBoundary: (index: number) => boolean,
): KeyValues | null {
  const fields: string[] = [];
  const records: OpenRecord[] = [];
  let [pairs, end, last] = [0, start, 0];
  let open: OpenRecord | null = null;
  for (let index = start; index < lines.length && !isBoundary(index); index++) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    const title = titleAt(lines, index);
    const pair = title === null ? pairOf(line) : null;
    if (title !== null) {
      open = { section: title, first_line: index + 1, last_line: index + 1, values: new Map() };
      records.push(open);
    } else if (pair !== null) {
      const field = fields.find((known) => known.toLowerCase() === pair.key.toLowerCase()) ?? pair.key;
      if (open === null || open.values.has(field)) {
        open = { section, first_line: index + 1, last_line: index + 1, values: new Map() };
        records.push(open);
      }
      if (!fields.includes(field)) fields.push(field);
      open.values.set(field, pair.value);
      open.last_line = index + 1;
      pairs += 1;
      last = pair.indent;
    } else if (open !== null && continues(line, last) && end === index) {
      continueValue(open, line, index + 1);
    } else break;
    end = index + 1;
  }
  return pairs < LEAST_PAIRS ? null : { fields, records: records.flatMap(closed), end };
}

interface OpenRecord {
  readonly section: string | null;
  readonly first_line: number;
  last_line: number;
  readonly values: Map<string, string | null>;
}

function closed({ values, ...place }: OpenRecord): DocumentRecord[] {
  const filled = new Map<string, string>();
  for (const [key, value] of values) if (value !== null) filled.set(key, value);
  return filled.size === 0 ? [] : [{ ...place, values: filled }];
}

/** A colon needs white space after it, or nothing: not a time, not an address. A full-width one does not. */
function pairOf(line: string): Pair | null {
  const [marker = "", space = ""] = MARKER.exec(line) ?? [];
  const found = /^(.{1,80}?)(?:：|:(?:\*\*|__)?(?=\s|$))(.*)$/.exec(line.slice(marker.length));
  const [, left = "", right = ""] = found ?? [];
  const key = cellText(left.replaceAll(/\*\*|__/g, ""));
  if (key === null || key.length > MAX_KEY_CHARACTERS || !/\p{L}/u.test(key) || /[.!?;。！？；|]/.test(key))
    return null;
  return { indent: space.length, key, value: cellText(right.replace(/^(?:\*\*|__)(?=\s|$)/, "")) };
}

/** The text of a list item, with or without a colon at its end, under which pairs are indented. */
function titleAt(lines: readonly string[], index: number): string | null {
  const line = lines[index] ?? "";
  const [marker = "", space = ""] = MARKER.exec(line) ?? [];
  if (marker.trim() === "") return null;
  const own = pairOf(line);
  if (own !== null && own.value !== null) return null;
  const below = pairOf(lines[index + 1] ?? "");
  if (below === null || below.indent <= space.length) return null;
  return own?.key ?? cellText(line.slice(marker.length));
}

function continues(line: string, indent: number): boolean {
  const [marker = "", space = ""] = MARKER.exec(line) ?? [];
  return marker.trim() === "" && space.length > indent;
}

function continueValue(open: OpenRecord, line: string, number: number): void {
  const [key, value] = [...open.values].at(-1) ?? [];
  if (key === undefined) return;
  open.values.set(key, cellText(`${value ?? ""} ${line}`));
  open.last_line = number;
}
