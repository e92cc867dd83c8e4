import { evidenceId, textArgument } from "../../core/evidence.js";
import { contentOf } from "../excerpt.js";
import type { CheckInput, CheckQuery } from "./check.js";
import { documentTexts, names, plainWords, returnsOf } from "./known-text.js";
import { type Completeness, probedQueries } from "./probes.js";
import type { LightTable } from "./sql/reading.js";
import { isSqlNode, partsUnder, type SqlNode, textUnder } from "./sql-tree.js";
import { readingsOf, usedTables } from "./submission.js";

/** One time that the agent looked at a table. */
export interface Look {
  readonly table: string;
  readonly shown: Completeness;
  readonly evidence: string;
  /** Columns that it saw; of a failed look none. */
  readonly columns: readonly string[];
  /** `profile`: each column that it shows is shown in full, even where others were cut. `link`: the table's part in a relationship. */
  readonly kind: "profile" | "link" | "part";
}

/**
 * What a trajectory's calls showed of the tables. Finding a table's name (`list_context`, a search) is not looking at it. A relationship
 * shows its two columns. With `probes` the queries of probes count too, for which their trees are needed.
 */
export function looksOf(
  input: CheckInput,
  { probes }: { readonly probes: boolean },
): { readonly need: readonly CheckQuery[] } | { readonly looks: readonly Look[] } {
  const tools = returnsOf(input).flatMap(({ step, returned }) => {
    const shown: Completeness = !returned.ok ? "failed" : returned.truncated ? "cut" : "whole";
    const evidence = evidenceId(step, returned.call_id);
    return toolLooks(returned.tool, returned.args, contentOf(returned.content), input).map((look) => ({
      ...look,
      shown,
      evidence,
      columns: shown === "failed" ? [] : look.columns,
    }));
  });
  if (!probes) return { looks: tools };
  const queries = probeLooks(input);
  return "need" in queries ? queries : { looks: [...tools, ...queries.looks] };
}

type Seen = Pick<Look, "table" | "columns" | "kind">;

function toolLooks(tool: string, args: unknown, content: unknown, input: CheckInput): readonly Seen[] {
  const shown = isSqlNode(content) ? content : {};
  switch (tool) {
    case "get_table_profile": {
      const table = textUnder(shown, "table") || (textArgument(args, "table") ?? "");
      const columns = partsUnder(shown, "columns").map((column) => textUnder(column, "name"));
      return [{ table, columns, kind: "profile" as const }, ...related(shown)];
    }
    case "get_field_profile":
    case "get_column_distinct_values": {
      const table = textUnder(shown, "table") || (textArgument(args, "table") ?? "");
      const column = textUnder(shown, "column") || (textArgument(args, "column") ?? "");
      return [{ table, columns: [column], kind: "part" as const }, ...related(shown)];
    }
    case "get_table_relationships":
      return related(shown);
    case "extract_structured_doc": {
      const columns = partsUnder(shown, "columns").map((column) => textUnder(column, "column"));
      return [{ table: textUnder(shown, "table"), columns, kind: "profile" }];
    }
    case "execute_python":
      return codeLooks(textArgument(args, "code") ?? "", input);
    default:
      return [];
  }
}

function related(shown: SqlNode): readonly Seen[] {
  return partsUnder(shown, "relationships").flatMap((one) => [
    { table: textUnder(one, "from_table"), columns: [textUnder(one, "from_column")], kind: "link" as const },
    { table: textUnder(one, "to_table"), columns: [textUnder(one, "to_column")], kind: "link" as const },
  ]);
}

/** Code reads the tables and columns that it names. */
function codeLooks(code: string, { started }: CheckInput): readonly Seen[] {
  const words = plainWords(code);
  return started.catalog.tables
    .filter((table) => names(words, table.name))
    .map((table) => ({
      table: table.name,
      columns: table.columns.map(({ name }) => name).filter((name) => names(words, name)),
      kind: "part" as const,
    }));
}

function probeLooks(input: CheckInput): { readonly need: readonly CheckQuery[] } | { readonly looks: readonly Look[] } {
  const probed = probedQueries(input);
  const all = readingsOf([...new Set(probed.map(({ sql }) => sql))], input);
  if ("need" in all) return all;
  const looks = probed.flatMap(({ sql, shown, evidence }) =>
    all.submitted
      .filter((one) => one.sql === sql)
      .flatMap((one) => {
        const starred = (one.reading.columns ?? []).flatMap(({ source }) => source ?? []);
        return usedTables([one]).map(({ table, columns }) => {
          const shownColumns = starred.filter(({ base }) => base.table === table).map(({ column }) => column);
          const seen = shown === "failed" ? [] : [...columns, ...shownColumns];
          return { table: table.name, shown, evidence, columns: seen, kind: "part" as const };
        });
      }),
  );
  return { looks };
}

/** What the documents that the agent has read say of tables and columns. */
export interface Descriptions {
  describesTable(table: LightTable): boolean;
  describesColumn(column: string): boolean;
}

/** A document describes a table where it names it, its file, or most of its columns. */
export function descriptionsIn(input: CheckInput): Descriptions {
  // What an extraction says of its own table is a look at it, which may have been cut.
  const documents = documentTexts(input, { extracted: false }).map(plainWords);
  const describesColumn = (column: string) => documents.some((words) => names(words, column));
  return {
    describesColumn,
    describesTable: ({ name, source, columns }) =>
      documents.some(
        (words) =>
          names(words, name) ||
          names(words, fileName(source)) ||
          (columns.length > 1 && columns.filter((column) => names(words, column.name)).length > columns.length / 2),
      ),
  };
}

/** `csv/seattle-weather.csv` → `seattle-weather`, `db/shop.db#orders` → `orders` */
function fileName(source: string): string {
  const part = source.split(/[/#]/).at(-1) ?? source;
  return part.replace(/\.[a-z0-9]+$/i, "");
}
