import type { ObservedContext, ObservedProfile } from "../observations.js";
import { normalise } from "../words/tokens.js";
import { columnKind } from "./column-kind.js";
import { linkTables } from "./links.js";
import { nameWords } from "./name-words.js";
import type { Schema, SchemaColumn, SchemaTable } from "./schema.js";

/** Stems that a document uses for a column: what it says about `name`, in `table` if it says which. */
export type Descriptions = (table: string, column: string) => readonly string[];

/** The schema from what the tools showed. Tables without a profile keep names and types only. */
export function buildSchema(
  context: ObservedContext,
  profiles: readonly ObservedProfile[],
  describe: Descriptions,
): Schema {
  const tables = context.tables.map((table): SchemaTable => {
    const profile = profiles.find((candidate) => candidate.table.toLowerCase() === table.name.toLowerCase());
    const title = titleOf(context, table.name);
    const columns = table.columns.map((column, index): SchemaColumn => {
      const details = profile?.columns.find((candidate) => candidate.name === column.name);
      const top = (details?.top_values ?? []).flatMap(({ value }) => (value === null ? [] : [value]));
      const first = firstValues(profile, column.name);
      return {
        table: table.name,
        name: column.name,
        words: nameWords(column.name),
        aliases: title === null ? [] : [`unnamed ${index}`, ...(index === 0 ? [normalise(title)] : [])],
        described: describe(table.name, column.name),
        type: column.type,
        kind: columnKind(column.type, [...first, ...top]),
        rows: table.rows,
        nulls: details?.nulls ?? 0,
        distinct: details?.distinct ?? null,
        min: details?.min ?? null,
        max: details?.max ?? null,
        top,
        first,
      };
    });
    return { name: table.name, words: nameWords(table.name), rows: table.rows, columns };
  });
  return { tables, edges: linkTables(tables, context.relationships) };
}

/** The text of a line above the header: who reads the file carelessly takes it for the name of the first column. */
function titleOf(context: ObservedContext, table: string): string | null {
  const line = context.uncertainties.find(
    (uncertainty) => uncertainty.code === "title-row" && uncertainty.table === table,
  );
  return line === undefined ? null : (/"([^"]+)"/.exec(line.detail)?.[1] ?? null);
}

function firstValues(profile: ObservedProfile | undefined, column: string): readonly string[] {
  const index = profile?.first_rows.columns.indexOf(column) ?? -1;
  if (profile === undefined || index < 0) return [];
  return profile.first_rows.rows.flatMap((row) => row[index] ?? []);
}
