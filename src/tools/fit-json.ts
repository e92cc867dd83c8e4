import { cutText } from "./cut-text.js";

/** What became of a tool's content on the way to the model. */
export interface FittedJson {
  readonly text: string;
  /** Something was left out; the text says what, and how to get it. */
  readonly cut: boolean;
}

/** How short lists and texts are made. */
interface Bounds {
  /** Items of a list of objects or lists: tables, rows. */
  readonly items: number;
  /** Items of a list of plain values: a row's cells, column names. One bound for all, so that cells and names stay aligned. */
  readonly values: number;
  readonly characters: number;
}

/** Ways to cut, tried in this order: first rows, then long texts, then columns; `values` "all" keeps every column. */
const WAYS: readonly { readonly values: "all" | "like-items"; readonly characters: number }[] = [
  { values: "all", characters: 2000 },
  { values: "all", characters: 500 },
  { values: "all", characters: 120 },
  { values: "like-items", characters: 2000 },
  { values: "like-items", characters: 500 },
  { values: "like-items", characters: 120 },
  { values: "like-items", characters: 40 },
];
/** A way is good enough when it shows so many items of each list. */
const ENOUGH_ITEMS = 10;

/**
 * JSON text of `content` in at most `budget` characters (UTF-16 units). Too much is cut from lists and texts: the object that holds
 * a cut one gets `left_out` with what is shown of how much (and `truncated: true` where it has such a member), and the
 * outermost one `how_to_get_the_rest`. Keys are never cut.
 */
export function fitJson(content: object, budget: number, rest: string): FittedJson {
  if (size(content, budget) <= budget) return { text: JSON.stringify(content), cut: false };
  const shorten = (bounds: Bounds) => ({ ...shortObject(content, bounds), how_to_get_the_rest: rest });
  const longest = longestList(content);
  let best: Bounds | null = null;
  for (const { values, characters } of WAYS) {
    const bounds = (items: number): Bounds => ({
      items,
      values: values === "all" ? Number.POSITIVE_INFINITY : items,
      characters,
    });
    const items = mostItems(longest, (count) => size(shorten(bounds(count)), budget) <= budget);
    if (items > (best?.items ?? -1)) best = bounds(items);
    if (items >= Math.min(longest, ENOUGH_ITEMS)) break;
  }
  const shown = best === null ? { left_out: ["everything: it is longer than may be shown"] } : shorten(best);
  return { text: JSON.stringify(shown), cut: true };
}

/** The largest count from 0 to `most` that fits, by halving; -1 where none does. */
function mostItems(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [-1, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Short {
  readonly value: unknown;
  /** What was left out of `value`, for the object that holds it; null where nothing was. */
  readonly note: string | null;
}

function shortObject(value: object, bounds: Bounds): Record<string, unknown> {
  const shortened = Object.entries(value).map(([key, member]) => [key, short(member, bounds)] as const);
  const notes = shortened.flatMap(([key, { note }]) => (note === null ? [] : [`${key}: ${note}`]));
  const object = Object.fromEntries(shortened.map(([key, { value: member }]) => [key, member]));
  if (notes.length === 0) return object;
  return { ...object, ...("truncated" in object ? { truncated: true } : {}), left_out: notes };
}

function short(value: unknown, bounds: Bounds): Short {
  if (typeof value === "string") return shortText(value, bounds);
  if (Array.isArray(value)) return shortList(value, bounds);
  if (typeof value === "object" && value !== null) return { value: shortObject(value, bounds), note: null };
  return { value, note: null };
}

function shortText(value: string, { characters }: Bounds): Short {
  const note = value.length > characters ? `texts cut at ${characters} characters` : null;
  return { value: cutText(value, characters), note };
}

function shortList(list: readonly unknown[], bounds: Bounds): Short {
  const plain = list.every((item) => typeof item !== "object" || item === null);
  const most = plain ? bounds.values : bounds.items;
  const items = list.slice(0, most).map((item) => short(item, bounds));
  const inner = items.find(({ note }) => note !== null)?.note ?? null;
  const notes = list.length > most ? [`${most} of ${list.length} shown`] : [];
  if (inner !== null) notes.push(plain ? inner : `in each, ${inner}`);
  return { value: items.map((item) => item.value), note: notes.length === 0 ? null : notes.join("; ") };
}

function longestList(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce((most: number, item) => Math.max(most, longestList(item)), value.length);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((most: number, member) => Math.max(most, longestList(member)), 0);
}

/**
 * Length of a value's JSON text, counted no further than a little over `limit`: contents may be far larger than any text that
 * JavaScript can hold.
 */
function size(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length > limit ? value.length : JSON.stringify(value).length;
  if (typeof value !== "object" || value === null) return String(value).length;
  const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
  let total = 2;
  for (const [key, part] of parts) {
    total += typeof key === "string" ? JSON.stringify(key).length + 2 : 1;
    total += size(part, limit - total);
    if (total > limit) return total;
  }
  return total;
}
