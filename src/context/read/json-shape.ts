import { type Cell, type JsonItem, parseJsonItem } from "./json-item.js";
import type { JsonPiece } from "./json-scan.js";

/** What the elements of one array (or the lines of a file) are, over all of them. */
export interface ElementShape {
  objects: number;
  arrays: number;
  scalars: number;
  /** Elements that are not JSON, and the first of them as the parser complained. */
  broken: number;
  firstBroken: string;
  /** Keys of the objects, in the order in which they were first seen. */
  readonly keys: Map<string, number>;
  /** Cells of the longest array. */
  width: number;
  /** Objects that have a key twice; counted while rows are made. */
  repeatedKeys: number;
}

/** What a JSON file holds, after one pass. */
export interface JsonShape {
  /** Elements of the outermost array, or of the sequence. */
  readonly top: ElementShape;
  /** Arrays that are members of the outermost object, in the file's order. */
  readonly arrays: ReadonlyMap<string, ElementShape>;
  /** The other members of the outermost object, as if each were an element. */
  readonly members: ElementShape;
  readonly memberKeys: readonly string[];
  /** The text of the member `table`, where it is one. */
  readonly tableName: string | null;
}

export interface ShapePass {
  add(piece: JsonPiece): void;
  finish(): JsonShape;
}

export function startShape(): ShapePass {
  const top = newShape();
  const arrays = new Map<string, ElementShape>();
  const members = newShape();
  const memberKeys: string[] = [];
  let tableName: string | null = null;
  return {
    add(piece) {
      if (piece.kind === "array") arrays.set(piece.key, arrays.get(piece.key) ?? newShape());
      else if (piece.kind === "element") {
        addElement(piece.key === null ? top : (arrays.get(piece.key) ?? top), piece.text);
      } else {
        memberKeys.push(piece.key);
        addElement(members, piece.text);
        if (piece.key === "table") tableName = textOf(piece.text);
      }
    },
    finish: () => ({ top, arrays, members, memberKeys, tableName }),
  };
}

/** The text of a JSON string; null for anything else. */
function textOf(json: string): string | null {
  if (!json.startsWith('"')) return null;
  const item = parseJsonItem(json);
  return item.kind === "scalar" ? (item.cell?.slice(1) ?? null) : null;
}

function newShape(): ElementShape {
  return {
    objects: 0,
    arrays: 0,
    scalars: 0,
    broken: 0,
    firstBroken: "",
    keys: new Map(),
    width: 0,
    repeatedKeys: 0,
  };
}

function addElement(shape: ElementShape, text: string): void {
  const value = parseOrNull(text, shape);
  if (value === null) return;
  if (value.kind === "object") {
    shape.objects += 1;
    for (const key of value.keys) if (!shape.keys.has(key)) shape.keys.set(key, shape.keys.size);
  } else if (value.kind === "array") {
    shape.arrays += 1;
    shape.width = Math.max(shape.width, value.width);
  } else shape.scalars += 1;
}

type Outline =
  | { readonly kind: "object"; readonly keys: readonly string[] }
  | { readonly kind: "array"; readonly width: number }
  | { readonly kind: "scalar" };

/** Only the outline is wanted here, so the engine's own parser is asked first; what it refuses may still be readable. */
function parseOrNull(text: string, shape: ElementShape): Outline | null {
  try {
    return outlineOf(JSON.parse(text));
  } catch {
    try {
      const item = parseJsonItem(text);
      if (item.kind === "object") return { kind: "object", keys: item.members.map(([key]) => key) };
      return item.kind === "array" ? { kind: "array", width: item.cells.length } : item;
    } catch (error) {
      if (shape.broken === 0) shape.firstBroken = error instanceof Error ? error.message : String(error);
      shape.broken += 1;
      return null;
    }
  }
}

function outlineOf(value: unknown): Outline {
  if (Array.isArray(value)) return { kind: "array", width: value.length };
  return typeof value === "object" && value !== null
    ? { kind: "object", keys: Object.keys(value) }
    : { kind: "scalar" };
}

/** Objects used as maps have a key a value: beyond so many columns the records stay whole. */
const MOST_COLUMNS = 1_000;

/** Whether the elements have too many keys to make a table with a column each. */
export function isTooWide(shape: ElementShape): boolean {
  return shape.keys.size + shape.width > MOST_COLUMNS;
}

/** The columns of a table that is made of such elements: keys of objects, then positions of arrays, then `value` for scalars. */
export function columnsOf(shape: ElementShape): string[] {
  if (isTooWide(shape)) return ["value"];
  return [
    ...shape.keys.keys(),
    ...Array.from({ length: shape.width }, () => ""),
    ...(shape.scalars > 0 ? ["value"] : []),
  ];
}

/** An element as a row of `columnsOf(shape)`; null when it is not JSON. */
export function rowOf(shape: ElementShape, text: string): Cell[] | null {
  let item: JsonItem;
  try {
    item = parseJsonItem(isTooWide(shape) ? `[${text}]` : text);
  } catch {
    return null;
  }
  if (isTooWide(shape)) return item.kind === "array" ? [item.cells[0] ?? null] : null;
  const row: Cell[] = Array.from({ length: shape.keys.size + shape.width + (shape.scalars > 0 ? 1 : 0) }, () => null);
  if (item.kind === "object") {
    if (item.members.length > new Set(item.members.map(([key]) => key)).size) shape.repeatedKeys += 1;
    for (const [key, cell] of item.members) row[shape.keys.get(key) ?? 0] = cell;
  } else if (item.kind === "array") row.splice(shape.keys.size, item.cells.length, ...item.cells);
  else row[row.length - 1] = item.cell;
  return row;
}
