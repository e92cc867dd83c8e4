import { z } from "zod";
import { defineTool } from "./tool.js";

/**
 * `{"tables": [{"name", "source", "rows", "columns": [{"name", "type"}]}], "relationships": […], "documents": [{"path", "format",
 * "lines", "characters", "headings": […]}], "media": […], "uncertainties": […]}`
 */
export const listContext = defineTool({
  name: "list_context",
  description:
    "Everything in this task's data: tables with columns and types, relationships, documents with their headings, media, and what could not be read with certainty. Finds sources; it does not show their content.",
  args: z.strictObject({}),
  rest: "get_table_profile shows one table, lookup_doc_outline one document, search_semantic_catalog finds by words",
  execute: async (_args, { context }) => {
    const { tables, relationships, documents, media, uncertainties } = context.catalog;
    const content = {
      tables: tables.map(({ name, source, rows, columns }) => ({
        name,
        source,
        rows,
        columns: columns.map((column) => ({ name: column.name, type: column.type })),
      })),
      relationships,
      documents: documents.map(({ path, format, lines, characters, headings }) => ({
        path,
        format,
        lines,
        characters,
        headings: headings.map(({ text }) => text),
      })),
      media,
      uncertainties,
    };
    return { ok: true, content, truncated: false };
  },
});
