import { z } from "zod";
import type { Catalog } from "../core/catalog.js";

const count = z.int().nonnegative();

/** `catalog.json` of a compiled context, as it is read back. */
export const catalogSchema: z.ZodType<Catalog> = z.strictObject({
  schema_version: z.literal(1),
  digest: z.string(),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      source: z.string(),
      rows: count,
      columns: z.array(
        z.strictObject({
          name: z.string(),
          source_name: z.string(),
          type: z.string(),
          nulls: count,
          distinct: count,
          min: z.string().nullable(),
          max: z.string().nullable(),
          top_values: z.array(z.strictObject({ value: z.string(), count })),
        }),
      ),
    }),
  ),
  relationships: z.array(
    z.strictObject({
      from_table: z.string(),
      from_column: z.string(),
      to_table: z.string(),
      to_column: z.string(),
      kind: z.enum(["declared", "inferred"]),
      evidence: z.string(),
    }),
  ),
  documents: z.array(
    z.strictObject({
      path: z.string(),
      format: z.enum(["markdown", "text", "pdf"]),
      bytes: count,
      lines: count,
      characters: count,
      headings: z.array(z.strictObject({ level: z.int(), text: z.string(), line: z.int() })),
    }),
  ),
  media: z.array(z.strictObject({ path: z.string(), type: z.string(), bytes: count })),
  uncertainties: z.array(
    z.strictObject({
      source: z.string(),
      code: z.string(),
      table: z.string().exactOptional(),
      column: z.string().exactOptional(),
      detail: z.string(),
    }),
  ),
});
