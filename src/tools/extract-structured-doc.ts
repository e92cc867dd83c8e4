import { z } from "zod";
import { documentLines } from "../context/documents.js";
import { tableNameOfFile, uniqueTableName } from "../context/names.js";
import { SYSTEM_NAMES } from "../context/sql-gate-lists.js";
import { type DocumentBlock, documentBlocks } from "../context/structured/document-blocks.js";
import {
  type Extraction,
  extractRecords,
  fieldsOf,
  LINES_COLUMN,
  SECTION_COLUMN,
  sameName,
} from "../context/structured/extract-records.js";
import { nearest } from "../core/nearest.js";
import type { OverlayTable } from "../core/overlay.js";
import { findDocument } from "./find-in-catalog.js";
import { defineTool, failure, type ToolEnvironment, type ToolOutcome } from "./tool.js";

export const EXTRACT_STRUCTURED_DOC = "extract_structured_doc";

const PREVIEW_ROWS = 10;
const SHOWN_CONFLICTS = 20;
/** JSON text of all of a trial's tables together: they are in its log, and go to the query process with each query. */
const MAX_OVERLAY_CHARACTERS = 1_000_000;

const extractArguments = z.strictObject({
  path: z.string().describe("a document's path as list_context shows it"),
  blocks: z
    .array(z.int().min(1))
    .min(1)
    .optional()
    .describe(
      "numbers of the blocks to take, as inspect_doc_structure shows them; all tables and lists when not given",
    ),
  fields: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("the fields to take, in this order; all when not given"),
  key: z
    .string()
    .min(1)
    .optional()
    .describe(
      `records with the same value of this field (or of ${SECTION_COLUMN}) become one row; not merged when not given`,
    ),
  table: z
    .string()
    .regex(/^[\p{L}_][\p{L}\p{N}_]{0,62}$/u)
    .optional()
    .describe("name of the new table: letters, digits, underscores; made of the document's name when not given"),
});
type ExtractArguments = z.infer<typeof extractArguments>;

/**
 * `{"table", "path", "row_count", "merged_records", "records_without_key", "conflict_count", "conflicts", "columns": [{"column", "field",
 * "type", "unit", "converted", "left_as_text", "filled"}], "preview"}`. The table begins with `doc_section` and `doc_lines`, the lines that
 * each row was read from; it exists from the next query on, in this trial only.
 */
export const extractStructuredDoc = defineTool({
  name: EXTRACT_STRUCTURED_DOC,
  description: `Makes a table of a document's Markdown tables and key–value lists, a row for each record, for execute_probe_query and submissions by SQL. Columns ${SECTION_COLUMN} (heading or title) and ${LINES_COLUMN} (lines of the document) come first. Numbers are brought to one unit, which the result names; nothing is guessed: what does not fit stays text, and values that contradict each other under one key are listed.`,
  args: extractArguments,
  rest: `query the table with execute_probe_query; its column ${LINES_COLUMN} says where each row stands`,
  execute: async (args, env) => {
    const found = findDocument(env.context.catalog, args.path);
    if (!found.ok) return found;
    const { path, headings } = found.document;
    const all = documentBlocks((await documentLines(env.context, path)) ?? [], headings);
    const chosen = chosenBlocks(all, args.blocks, path);
    if (!chosen.ok) return chosen;
    const fields = chosenFields(chosen.blocks, args);
    if (!fields.ok) return fields;
    const name = tableName(args.table, path, env);
    if (!name.ok) return name;
    const extraction = extractRecords(chosen.blocks, fields.fields, fields.key);
    const table: OverlayTable = { name: name.name, ...extraction.table };
    if (JSON.stringify([...env.overlay, table]).length > MAX_OVERLAY_CHARACTERS) return tooLarge();
    return { ok: true, content: reported(path, table, extraction), truncated: false, table };
  },
});

function reported(path: string, { name, columns, rows }: OverlayTable, extraction: Extraction) {
  const { fields, merged, without_key, conflicts } = extraction;
  return {
    table: name,
    path,
    row_count: rows.length,
    merged_records: merged,
    records_without_key: without_key,
    conflict_count: conflicts.length,
    conflicts: conflicts.slice(0, SHOWN_CONFLICTS),
    columns: [
      ...columns.slice(0, 2).map(({ name: column, type }) => ({ column, type })),
      ...fields.map(({ field, column, type, unit, converted, left_as_text, filled }) => ({
        column,
        ...(field === column ? {} : { field }),
        type,
        unit,
        ...(converted.length === 0 ? {} : { converted }),
        ...(left_as_text === null ? {} : { left_as_text }),
        filled,
      })),
    ],
    preview: rows.slice(0, PREVIEW_ROWS),
  };
}

type Chosen<Value> = ({ readonly ok: true } & Value) | (ToolOutcome & { readonly ok: false });

function chosenBlocks(
  all: readonly DocumentBlock[],
  numbers: readonly number[] | undefined,
  path: string,
): Chosen<{ readonly blocks: readonly DocumentBlock[] }> {
  const isStructured = ({ fields }: DocumentBlock) => fields.length > 0;
  if (numbers === undefined) {
    const blocks = all.filter(isStructured);
    if (blocks.length > 0) return { ok: true, blocks };
    return failure("no-records", `${path} has no Markdown table and no key–value list; read_doc shows its text`);
  }
  const blocks: DocumentBlock[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const block = all[number - 1];
    if (block === undefined)
      return failure("no-such-block", `${path} has ${all.length} blocks, there is no block ${number}`);
    if (!isStructured(block)) {
      const lines = `lines ${block.first_line} to ${block.last_line}`;
      return failure("not-structured", `block ${number} is ${block.kind}: read_doc shows it (${lines})`);
    }
    blocks.push(block);
  }
  return { ok: true, blocks };
}

function chosenFields(
  blocks: readonly DocumentBlock[],
  { fields: asked, key: askedKey }: ExtractArguments,
): Chosen<{ readonly fields: readonly string[]; readonly key: string | null }> {
  const known = fieldsOf(blocks);
  const fields = new Set<string>();
  for (const name of asked ?? known) {
    const field = known.find((one) => sameName(one) === sameName(name));
    if (field === undefined) return unknownField(name, known);
    fields.add(field);
  }
  if (askedKey === undefined) return { ok: true, fields: [...fields], key: null };
  const key = [...known, SECTION_COLUMN].find((one) => sameName(one) === sameName(askedKey));
  if (key === undefined) return unknownField(askedKey, [...known, SECTION_COLUMN]);
  // A row that does not show its key could not be told from the others.
  return { ok: true, fields: key === SECTION_COLUMN || fields.has(key) ? [...fields] : [key, ...fields], key };
}

function unknownField(name: string, known: readonly string[]): ToolOutcome & { readonly ok: false } {
  const near = nearest(name, known, 3);
  const shown = (near.length > 0 ? near : known.slice(0, 20)).map((field) => JSON.stringify(field)).join(", ");
  const instead = near.length > 0 ? `did you mean ${shown}?` : `there are: ${shown}`;
  return failure("unknown-field", `these blocks have no field ${JSON.stringify(name)}; ${instead}`);
}

/** A name that neither the data nor an earlier extraction has: a table that was made once is never another. */
function tableName(
  asked: string | undefined,
  path: string,
  { context, overlay }: ToolEnvironment,
): Chosen<{ readonly name: string }> {
  const taken = new Set([...context.catalog.tables, ...overlay].map(({ name }) => name.toLowerCase()));
  if (asked === undefined) {
    return { ok: true, name: uniqueTableName(`${tableNameOfFile(path)}_records`, path, taken) };
  }
  if (SYSTEM_NAMES.test(asked.toLowerCase()))
    return failure("bad-name", `"${asked}" is a name of the system: give another`);
  if (taken.has(asked.toLowerCase()))
    return failure("name-taken", `there is a table "${asked}" already: give another name`);
  return { ok: true, name: asked };
}

function tooLarge(): ToolOutcome & { readonly ok: false } {
  const most = `${MAX_OVERLAY_CHARACTERS.toLocaleString("en-US")} characters`;
  return failure(
    "too-large",
    `a trial's extracted tables may have ${most} together, no table was made: take fewer blocks or fields`,
  );
}
