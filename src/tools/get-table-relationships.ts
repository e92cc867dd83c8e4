import { z } from "zod";
import { findTable, relationshipsOf } from "./find-in-catalog.js";
import { defineTool } from "./tool.js";

/** `{"relationships": [{"from_table", "from_column", "to_table", "to_column", "kind", "evidence"}]}` */
export const getTableRelationships = defineTool({
  name: "get_table_relationships",
  description:
    "How tables join: declared foreign keys, and inferred ones with the evidence for them. An inferred one is a candidate; check it with a query.",
  args: z.strictObject({
    table: z.string().optional().describe("only relationships of this table; all when not given"),
  }),
  rest: "give `table` to see the relationships of one table",
  execute: async (args, { context }) => {
    const { catalog } = context;
    if (args.table === undefined) {
      return { ok: true, content: { relationships: catalog.relationships }, truncated: false };
    }
    const found = findTable(catalog, args.table);
    if (!found.ok) return found;
    return { ok: true, content: { relationships: relationshipsOf(catalog, found.table.name) }, truncated: false };
  },
});
