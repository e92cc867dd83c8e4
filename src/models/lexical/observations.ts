import { z } from "zod";
import { parseJson } from "../../core/json.js";

/** The shapes of tool results that the model reads. Unknown keys are let through; a failed call has none of these shapes. */
const text = z.string();
const count = z.number();
const cell = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? null : String(value)));

const relationship = z.object({ from_table: text, from_column: text, to_table: text, to_column: text });
export type ObservedRelationship = z.infer<typeof relationship>;

const contextShape = z.object({
  tables: z.array(z.object({ name: text, rows: count, columns: z.array(z.object({ name: text, type: text })) })),
  relationships: z.array(relationship).default([]),
  documents: z.array(z.object({ path: text, characters: count.default(0) })).default([]),
  uncertainties: z.array(z.object({ code: text, table: text.optional(), detail: text })).default([]),
});
export type ObservedContext = z.infer<typeof contextShape>;

const profileShape = z.object({
  table: text,
  rows: count,
  columns: z.array(
    z.object({
      name: text,
      type: text,
      nulls: count,
      distinct: count,
      min: cell.nullable().default(null),
      max: cell.nullable().default(null),
      top_values: z.array(z.object({ value: cell })).default([]),
    }),
  ),
  first_rows: z.object({ columns: z.array(text), rows: z.array(z.array(cell)) }).default({ columns: [], rows: [] }),
});
export type ObservedProfile = z.infer<typeof profileShape>;

const documentShape = z.object({ text });

const queriesShape = z.object({
  results: z.array(
    z.union([
      z.object({ sql: text, ok: z.literal(true), columns: z.array(text), rows: z.array(z.array(cell)) }),
      z.object({ sql: text, ok: z.literal(false), error: text }),
    ]),
  ),
});

export const readContext = reader(contextShape);
export const readProfile = reader(profileShape);
export const readDocument = reader(documentShape);
export const readQueries = reader(queriesShape);

/** Reads a tool result's content; null when it is a failure, was cut, or has another shape. */
function reader<Shape extends z.ZodType>(shape: Shape): (content: string) => z.infer<Shape> | null {
  return (content) => {
    const parsed = shape.safeParse(parseJson(content));
    return parsed.success ? parsed.data : null;
  };
}
