import type { LightCatalog } from "../../core/catalog.js";
import type { TrajectoryStep } from "../../core/state.js";
import { contentOf } from "../excerpt.js";
import { isSqlNode, partOf, partsUnder, textUnder } from "./sql-tree.js";

/** A table that the trial made of a document. */
interface ExtractedTable {
  /** As the catalog has tables; its source is the document. */
  readonly table: LightCatalog["tables"][number];
  /** Lines of the document that were to be read and were not, `40-61, 70-80`; null where none. */
  readonly unread: string | null;
}

/** The tables that a trial's extractions made so far. Which lines are missing says the tool in its content, which may be cut: then it says so less exactly. */
export function extractionsOf(trajectory: readonly TrajectoryStep[]): ExtractedTable[] {
  return trajectory.flatMap(({ returns }) =>
    returns.flatMap((returned) => {
      if (returned.type !== "tool-returned" || returned.table === undefined) return [];
      const { name, columns, rows } = returned.table;
      const content = contentOf(returned.content);
      const told = isSqlNode(content) ? content : {};
      const table = { name, source: textUnder(told, "path"), rows: rows.length, columns };
      const prose = partOf(told, "prose");
      const unread = prose === null ? [] : partsUnder(prose, "unread");
      const lines = unread.map(({ first_line, last_line }) => `${first_line}-${last_line}`).join(", ");
      return [{ table, unread: lines === "" ? null : lines }];
    }),
  );
}
