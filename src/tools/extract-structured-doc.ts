import { z } from "zod";
import { documentLines } from "../context/documents.js";
import { type DocumentBlock, type DocumentRecord, documentBlocks } from "../context/structured/document-blocks.js";
import {
  type Extraction,
  extractRecords,
  LINES_COLUMN,
  SECTION_COLUMN,
} from "../context/structured/extract-records.js";
import type { LeftOut } from "../context/structured/passage-reply.js";
import { passagesOf } from "../context/structured/passages.js";
import type { OverlayTable } from "../core/overlay.js";
import { chosenBlocks, chosenFields, isProse, tableName } from "./extract-choices.js";
import { findDocument } from "./find-in-catalog.js";
import { type ProseReading, readProse } from "./read-prose.js";
import { defineTool, failure, type ToolEnvironment, type ToolOutcome } from "./tool.js";

export const EXTRACT_STRUCTURED_DOC = "extract_structured_doc";

const PREVIEW_ROWS = 10;
const SHOWN_CONFLICTS = 20;
const SHOWN_LEFT_OUT = 20;
/** JSON text of all of a trial's tables together: they are in its log, and go to the query process with each query. */
const MAX_OVERLAY_CHARACTERS = 1_000_000;

const extractArguments = z.strictObject({
  path: z.string().describe("a document's path as list_context shows it"),
  blocks: z
    .array(z.int().min(1))
    .min(1)
    .optional()
    .describe(
      "numbers of the blocks to take, as inspect_doc_structure shows them; all tables and lists when not given (of a document with neither, its prose)",
    ),
  fields: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      "the fields to take, in this order; all when not given. Needed for prose: there, say what each row is to have in the document's own words, a unit in brackets: Length (km)",
    ),
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

/**
 * `{"table", "path", "row_count", "merged_records", "records_without_key", "conflict_count", "conflicts", "columns": [{"column", "field",
 * "type", "unit", "converted", "left_as_text", "filled"}], "preview", "prose"}`. The table begins with `doc_section` and `doc_lines`, the lines
 * that each row was read from; it exists from the next query on, in this trial only. `prose`, where a model read it: `{"passages",
 * "rows_left_out", "left_out": [{"lines", "why", "field", "value"}], "unread": [{"first_line", "last_line", "why"}], "note"}`; what is
 * unread makes the result a cut one.
 */
export const extractStructuredDoc = defineTool({
  name: EXTRACT_STRUCTURED_DOC,
  description: `Makes a table of a document's Markdown tables and key–value lists, a row for each record, for execute_probe_query and submissions by SQL; of its prose too, where you name the prose blocks (or the document has nothing else) and the fields: a model then reads it, and each value is checked against the lines that its row cites. Columns ${SECTION_COLUMN} (heading or title) and ${LINES_COLUMN} (lines of the document) come first. Numbers are brought to one unit, which the result names; nothing is guessed: what does not fit stays text, and values that contradict each other under one key are listed.`,
  args: extractArguments,
  rest: `query the table with execute_probe_query; its column ${LINES_COLUMN} says where each row stands`,
  execute: async (args, env) => {
    const found = findDocument(env.context.catalog, args.path);
    if (!found.ok) return found;
    const { path, headings } = found.document;
    const lines = (await documentLines(env.context, path)) ?? [];
    const chosen = chosenBlocks(documentBlocks(lines, headings), args, path);
    if (!chosen.ok) return chosen;
    const fields = chosenFields(chosen.blocks, args);
    if (!fields.ok) return fields;
    const name = tableName(args.table, path, env);
    if (!name.ok) return name;
    const blocks = chosen.blocks.filter(isProse);
    const passages = passagesOf(blocks, lines, headings);
    const tooMuch = beyondBudget(passages.length, env);
    if (tooMuch !== null) return tooMuch;
    const prose = readProse({ path, blocks, passages, fields: fields.fields }, env.extractor, env.limits.extractor);
    if (prose.kind === "ask") return { ask: prose.question };
    if (passages.length > 0 && prose.unread.length === passages.length) return unreadable(prose.unread[0]?.why ?? "");
    const records = [...chosen.blocks.filter((block) => !isProse(block)), ...proseBlocks(prose.records, fields.fields)];
    if (records.length === 0) return nothingFound(path, prose.left_out);
    const inOrder = records.sort((a, b) => a.first_line - b.first_line);
    const extraction = extractRecords(inOrder, fields.fields, fields.key);
    const table: OverlayTable = { name: name.name, ...extraction.table };
    if (JSON.stringify([...env.overlay, table]).length > MAX_OVERLAY_CHARACTERS) return tooLarge();
    const told = passages.length === 0 ? {} : { prose: proseReport(prose, passages.length) };
    const content = { ...reported(path, table, extraction), ...told };
    return { ok: true, content, truncated: prose.unread.length > 0, table };
  },
});

/** A document that needs more than the trial has left is not begun: nothing is paid for half of it. */
function beyondBudget(passages: number, { extractor, limits }: ToolEnvironment) {
  const { max_calls } = limits.extractor;
  if (passages === 0 || extractor.asked.length > 0) return null;
  if (max_calls === 0) return failure("prose-not-extracted", "prose is not extracted in this run: read_doc shows it");
  const left = Math.max(0, max_calls - extractor.calls);
  if (passages <= left) return null;
  const needs = `these blocks take ${passages} calls of the extractor, and of the trial's ${max_calls} there are ${left} left`;
  return failure("extractor-budget", `${needs}: name fewer blocks, or read them with read_doc; no table was made`);
}

/** A block for each record, so that rows of prose and of tables stand in the order of the document. */
function proseBlocks(records: readonly DocumentRecord[], fields: readonly string[]): DocumentBlock[] {
  return records.map((record) => {
    const { section: heading, first_line, last_line } = record;
    return { kind: "prose", heading, first_line, last_line, fields, records: [record], ragged_lines: [] };
  });
}

function proseReport({ left_out, unread }: Extract<ProseReading, { kind: "read" }>, passages: number) {
  return {
    passages,
    rows_left_out: left_out.length,
    left_out: left_out.slice(0, SHOWN_LEFT_OUT),
    unread,
    note: "Read by a model. Every value stands in the lines that its row cites; which values belong together, and that no row is missing, was not checked.",
  };
}

function unreadable(why: string): ToolOutcome & { readonly ok: false } {
  return failure("prose-unread", `no prose was read, no table was made: ${why}; read_doc shows the text`);
}

function nothingFound(path: string, left_out: readonly LeftOut[]): ToolOutcome & { readonly ok: false } {
  const none = `the extractor found no record with these fields in ${path}, no table was made`;
  const [first] = left_out;
  if (first === undefined) return failure("no-records", `${none}: name the fields in the document's own words`);
  const rows = `${left_out.length} rows were left out because they do not stand in the lines that they cite`;
  return failure("no-records", `${none}; ${rows}, the first one: ${JSON.stringify(first)}`);
}

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

function tooLarge(): ToolOutcome & { readonly ok: false } {
  const most = `${MAX_OVERLAY_CHARACTERS.toLocaleString("en-US")} characters`;
  return failure(
    "too-large",
    `a trial's extracted tables may have ${most} together, no table was made: take fewer blocks or fields`,
  );
}
