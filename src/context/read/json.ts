import type { Uncertainty } from "../../core/catalog.js";
import type { ContextFile } from "../context-files.js";
import { openCellFile } from "./cell-file.js";
import { parseJsonItem } from "./json-item.js";
import { type JsonPiece, scanJson } from "./json-scan.js";
import { columnsOf, type ElementShape, isTooWide, type JsonShape, rowOf, startShape } from "./json-shape.js";
import { CELL_TAGS, type StagedTable } from "./staged-table.js";
import { readChunks, readHead, toUtf8File, type Utf8File } from "./utf8-file.js";

/** Tables of a file, and what is to be said of the file as a whole. */
export interface ReadTables {
  readonly tables: readonly StagedTable[];
  readonly uncertainties: readonly Uncertainty[];
}

/** A table that is going to be made of some pieces of the file. */
interface TablePlan {
  readonly name: string;
  readonly columns: readonly string[];
  /** What its records are, where they can be faulty in themselves. */
  readonly shape: ElementShape | null;
  /** The cells of a piece, null when the piece is of another table or no JSON. */
  readonly row: (piece: JsonPiece) => readonly (string | null)[] | null;
}

interface JsonSource {
  readonly utf8: Utf8File;
  readonly mode: "document" | "values" | "lines";
  readonly signal: AbortSignal | undefined;
}

const HEAD_BYTES = 1 << 18;

/**
 * Reads a JSON file in two passes, a piece at a time: the first finds all keys, the second writes rows. Understands an array of records,
 * records one after the other or one a line, `{"table": …, "records": […]}` and other objects with arrays of records, an object of
 * records by key, and columns of equal length. Nested values stay JSON.
 */
export async function readJson(
  file: ContextFile,
  name: string,
  newScratchFile: () => string,
  signal?: AbortSignal,
): Promise<ReadTables> {
  const utf8 = await toUtf8File(file, newScratchFile());
  const source: JsonSource = { utf8, mode: await modeOf(utf8, file.path), signal };
  const pass = startShape();
  const fault = await forEachPiece(source, (piece) => pass.add(piece));
  const shape = pass.finish();
  const columns = await columnarTable(source, file.path, name, shape, newScratchFile);
  const tables =
    columns === null ? await writeTables(source, planTables(shape, name), file.path, newScratchFile) : [columns];
  return { tables, uncertainties: [...utf8.uncertainties, ...faults(file.path, shape, fault, tables.length)] };
}

/** One document, or many values: told from the first lines. */
async function modeOf(utf8: Utf8File, path: string): Promise<JsonSource["mode"]> {
  const head = (await readHead(utf8.absolute, HEAD_BYTES)).subarray(utf8.skip).toString("utf8");
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  const whole = lines.slice(0, 5).filter((line) => isJson(line)).length;
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return whole > 0 || lines.length < 2 ? "lines" : "values";
  if (whole > 1 && lines.length > 1) return "lines";
  let pieces = 0;
  const scan = scanJson(true, () => {
    pieces += 1;
  });
  scan.push(Buffer.from(head));
  return pieces > 1 ? "values" : "document";
}

function isJson(line: string): boolean {
  try {
    parseJsonItem(line);
    return true;
  } catch {
    return false;
  }
}

/**
 * Gives out every piece of the file; `afterChunk` runs after every megabyte. Returns what is wrong with the file's structure, null when
 * nothing is.
 */
async function forEachPiece(
  source: JsonSource,
  onPiece: (piece: JsonPiece) => void,
  afterChunk: () => Promise<void> = async () => undefined,
): Promise<string | null> {
  const scan = source.mode === "lines" ? cutLines(onPiece) : scanJson(source.mode === "values", onPiece);
  for await (const chunk of readChunks(source.utf8.absolute, source.utf8.skip)) {
    source.signal?.throwIfAborted();
    scan.push(chunk);
    await afterChunk();
  }
  return scan.end();
}

/** Every line that is not blank is an element. */
function cutLines(onPiece: (piece: JsonPiece) => void): { push(chunk: Uint8Array): void; end(): null } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  const add = (line: string) => {
    if (line.trim() !== "") onPiece({ kind: "element", key: null, text: line });
  };
  return {
    push(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) add(line);
    },
    end() {
      add(rest + decoder.decode());
      return null;
    },
  };
}

function planTables(shape: JsonShape, name: string): TablePlan[] {
  const { top, arrays, members, memberKeys, tableName } = shape;
  const plans: TablePlan[] = [];
  const ofArray = (key: string | null, elements: ElementShape, table: string): TablePlan => ({
    name: table,
    columns: columnsOf(elements),
    shape: elements,
    row: (piece) => (piece.kind === "element" && piece.key === key ? rowOf(elements, piece.text) : null),
  });
  if (top.objects + top.arrays + top.scalars > 0) plans.push(ofArray(null, top, name));
  for (const [key, elements] of arrays) {
    const own = arrays.size > 1 ? `${name}_${key}` : name;
    plans.push(ofArray(key, elements, tableName !== null && key === "records" ? tableName : own));
  }
  if (arrays.size === 0 && members.objects > 1 && members.objects === memberKeys.length) {
    plans.push(keyedRecords(members, name));
    return plans;
  }
  const rest = memberKeys.filter((key) => !(key === "table" && tableName !== null));
  if (rest.length > 0) plans.push(singleRecord(rest, arrays.size > 0 ? `${name}_attributes` : name));
  return plans.filter((plan) => plan.columns.length > 0);
}

/** `{"k1": {…}, "k2": {…}}`: a row a member, with the member's key in front. */
function keyedRecords(shape: ElementShape, name: string): TablePlan {
  return {
    name,
    columns: ["key", ...columnsOf(shape)],
    shape,
    row: (piece) => {
      const row = piece.kind === "member" ? rowOf(shape, piece.text) : null;
      return row === null || piece.kind !== "member" ? null : [`${CELL_TAGS.text}${piece.key}`, ...row];
    },
  };
}

/** Members that are no tables make one row, complete with the last of them. */
function singleRecord(keys: readonly string[], name: string): TablePlan {
  const columns = [...new Set(keys)];
  const row: (string | null)[] = columns.map(() => null);
  let toCome = keys.length;
  return {
    name,
    columns,
    shape: null,
    row: (piece) => {
      const at = piece.kind === "member" ? columns.indexOf(piece.key) : -1;
      if (piece.kind !== "member" || at < 0) return null;
      // Wrapped in an array, a member is read one level higher: objects stay whole.
      const item = isJson(piece.text) ? parseJsonItem(`[${piece.text}]`) : null;
      row[at] = item?.kind === "array" ? (item.cells[0] ?? null) : null;
      toCome -= 1;
      return toCome === 0 ? row : null;
    },
  };
}

async function writeTables(
  source: JsonSource,
  plans: readonly TablePlan[],
  path: string,
  newScratchFile: () => string,
): Promise<StagedTable[]> {
  const open = plans.map((plan) => ({ plan, cells: openCellFile(newScratchFile(), plan.columns.length, path) }));
  await forEachPiece(
    source,
    (piece) => {
      for (const { plan, cells } of open) {
        const row = plan.row(piece);
        if (row !== null) cells.add(row);
      }
    },
    async () => {
      for (const { cells } of open) await cells.flush();
    },
  );
  const tables: StagedTable[] = [];
  for (const { plan, cells } of open) {
    const staged = await cells.finish();
    const { name, columns, shape } = plan;
    const uncertainties = [...staged.uncertainties, ...(shape === null ? [] : elementFaults(path, shape))];
    tables.push({ ...staged, name, source: path, columns, uncertainties });
  }
  return tables;
}

/** `{"a": [1, 2], "b": [3, 4]}`: arrays of scalars of one length are columns. Null when the file is not like that. */
async function columnarTable(
  source: JsonSource,
  path: string,
  name: string,
  shape: JsonShape,
  newScratchFile: () => string,
): Promise<StagedTable | null> {
  const arrays = [...shape.arrays.values()];
  const [first] = arrays;
  const scalarsOnly = arrays.every(
    (array) =>
      array.scalars > 0 && array.scalars === first?.scalars && array.objects + array.arrays + array.broken === 0,
  );
  if (arrays.length < 2 || !scalarsOnly || shape.memberKeys.length > 0) return null;
  const columns = new Map<string, (string | null)[]>([...shape.arrays.keys()].map((key) => [key, []]));
  await forEachPiece(source, (piece) => {
    const item = piece.kind === "element" ? parseJsonItem(piece.text) : null;
    if (piece.kind === "element" && item?.kind === "scalar") columns.get(piece.key ?? "")?.push(item.cell);
  });
  const cells = openCellFile(newScratchFile(), columns.size, path);
  for (let i = 0; i < (first?.scalars ?? 0); i++) {
    cells.add([...columns.values()].map((column) => column[i] ?? null));
    await cells.flush();
  }
  return { ...(await cells.finish()), name, source: path, columns: [...columns.keys()] };
}

function elementFaults(source: string, shape: ElementShape): Uncertainty[] {
  const found: Uncertainty[] = [];
  const add = (code: string, detail: string) => found.push({ source, code, detail });
  if (shape.broken > 0) {
    add("broken-records", `${shape.broken} records are not JSON and were left out; the first: ${shape.firstBroken}.`);
  }
  if (shape.repeatedKeys > 0) {
    add("repeated-keys", `${shape.repeatedKeys} records have a key twice; the last value of each is in the table.`);
  }
  if (isTooWide(shape)) {
    const detail = `The records have ${shape.keys.size + shape.width} keys altogether; each is kept whole, as JSON, in the column "value".`;
    add("too-many-columns", detail);
  }
  const forms = [shape.objects, shape.arrays, shape.scalars].filter((count) => count > 0);
  if (forms.length > 1) {
    const detail = `The records are of several forms (${shape.objects} objects, ${shape.arrays} arrays, ${shape.scalars} single values); each has columns of its own.`;
    add("mixed-records", detail);
  }
  return found;
}

function faults(source: string, shape: JsonShape, fault: string | null, tables: number): Uncertainty[] {
  const found: Uncertainty[] = [];
  if (fault !== null) {
    const detail = `The file is not whole JSON: ${fault}; what comes before that is in the table, the rest was not read.`;
    found.push({ source, code: "broken-json", detail });
  }
  if (new Set(shape.memberKeys).size < shape.memberKeys.length) {
    found.push({
      source,
      code: "repeated-keys",
      detail: "The outermost object has a key twice; the last value is in the table.",
    });
  }
  const hollow = [...shape.arrays].filter(([, elements]) => columnsOf(elements).length === 0);
  for (const [key] of hollow) {
    found.push({
      source,
      code: "empty-table",
      detail: `The array ${JSON.stringify(key)} has no values; there is no table for it.`,
    });
  }
  if (tables === 0 && hollow.length === 0 && fault === null && shape.top.broken === 0) {
    found.push({ source, code: "empty-table", detail: "The file holds no values; there is no table for it." });
  }
  if (tables === 0) found.push(...elementFaults(source, shape.top));
  return found;
}
