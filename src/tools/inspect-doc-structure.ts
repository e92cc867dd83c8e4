import { z } from "zod";
import { documentLines } from "../context/documents.js";
import { type DocumentBlock, documentBlocks } from "../context/structured/document-blocks.js";
import { typedColumn } from "../context/structured/typed-column.js";
import { findDocument } from "./find-in-catalog.js";
import { defineTool } from "./tool.js";

/**
 * `{"path", "lines", "coverage": {"records", "structured_lines", "prose_lines", "code_lines", "other_lines"}, "blocks": [{"block", "kind",
 * "heading", "first_line", "last_line", "records", "fields": [{"name", "type", "unit", "filled"}], "keys", "ragged_lines"}]}`. `other_lines`
 * are headings, rules and blank lines between blocks. `filled` counts the records that have the field; `keys` are the fields that every
 * record has and no two have alike.
 */
export const inspectDocStructure = defineTool({
  name: "inspect_doc_structure",
  description:
    "How a document is built: its blocks in order (tables, key–value lists, prose, code) with their lines; of tables and lists the fields with type, unit and how many records have them, and the fields that are keys. extract_structured_doc makes a table of such blocks, and of prose where you say which fields; read_doc shows the text.",
  args: z.strictObject({ path: z.string().describe("a document's path as list_context shows it") }),
  rest: "lookup_doc_outline shows the headings; read_doc shows the lines",
  execute: async (args, { context }) => {
    const found = findDocument(context.catalog, args.path);
    if (!found.ok) return found;
    const { path, headings } = found.document;
    const lines = (await documentLines(context, path)) ?? [];
    const blocks = documentBlocks(lines, headings);
    const content = {
      path,
      lines: lines.length,
      coverage: coverageOf(blocks, lines.length),
      blocks: blocks.map((block, index) => ({ block: index + 1, ...described(block) })),
    };
    return { ok: true, content, truncated: false };
  },
});

function described({ kind, heading, first_line, last_line, fields, records, ragged_lines }: DocumentBlock) {
  const place = { kind, heading, first_line, last_line };
  if (fields.length === 0) return place;
  const columns = fields.map((name) => {
    const cells = records.map(({ values }) => values.get(name) ?? null);
    const { type, unit } = typedColumn(name, cells);
    const filled = cells.filter((cell) => cell !== null);
    const isKey = records.length > 1 && new Set(filled).size === records.length;
    return { isKey, shown: { name, type, unit, filled: filled.length } };
  });
  return {
    ...place,
    records: records.length,
    fields: columns.map(({ shown }) => shown),
    keys: columns.filter(({ isKey }) => isKey).map(({ shown }) => shown.name),
    ...(ragged_lines.length === 0 ? {} : { ragged_lines }),
  };
}

function coverageOf(blocks: readonly DocumentBlock[], lines: number) {
  const linesIn = (...kinds: readonly DocumentBlock["kind"][]) =>
    blocks
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((sum, { first_line, last_line }) => sum + last_line - first_line + 1, 0);
  return {
    records: blocks.reduce((sum, { records }) => sum + records.length, 0),
    structured_lines: linesIn("table", "key-values"),
    prose_lines: linesIn("prose"),
    code_lines: linesIn("code"),
    other_lines: lines - linesIn("table", "key-values", "prose", "code"),
  };
}
