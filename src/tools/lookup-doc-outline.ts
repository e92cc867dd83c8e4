import { z } from "zod";
import { findDocument } from "./find-in-catalog.js";
import { defineTool } from "./tool.js";

/** `{"documents": [{"path", "format", "lines", "characters", "headings": [{"level", "text", "line"}]}]}` */
export const lookupDocOutline = defineTool({
  name: "lookup_doc_outline",
  description:
    "The headings of the documents, with the line on which each section starts. A PDF's pages are its headings. Finds places; read_doc shows the text.",
  args: z.strictObject({ path: z.string().optional().describe("one document; all when not given") }),
  rest: "give `path` to see one document's outline, or use search_doc",
  execute: async (args, { context }) => {
    const { catalog } = context;
    const found = args.path === undefined ? null : findDocument(catalog, args.path);
    if (found !== null && !found.ok) return found;
    const documents = found === null ? catalog.documents : [found.document];
    const content = {
      documents: documents.map(({ path, format, lines, characters, headings }) => ({
        path,
        format,
        lines,
        characters,
        headings,
      })),
    };
    return { ok: true, content, truncated: false };
  },
});
