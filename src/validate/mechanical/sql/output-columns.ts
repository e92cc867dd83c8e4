import { partsUnder, type SqlNode, textsUnder, textUnder } from "../sql-tree.js";
import type { BaseTable, OutputColumn, Relation, SelectBlock } from "./reading.js";
import { resolveColumn, sameName } from "./resolve.js";

export function tableColumns(base: BaseTable): readonly OutputColumn[] {
  return base.table.columns.map(({ name }) => ({ name, source: { base, column: name } }));
}

/** Columns under the names of an alias list, `AS t(a, b)`; those behind it keep theirs. */
export function withNames(
  columns: readonly OutputColumn[] | null,
  names: readonly string[],
): readonly OutputColumn[] | null {
  return columns?.map((column, index) => ({ ...column, name: names[index] ?? column.name })) ?? null;
}

/** What a SELECT shows, stars written out; null where it shows something of unknown columns. */
export function outputColumns(block: SelectBlock): readonly OutputColumn[] | null {
  const columns: OutputColumn[] = [];
  for (const item of partsUnder(block.node, "select_list")) {
    const shown = item.class === "STAR" ? starColumns(item, block.scope.relations) : [itemColumn(item, block)];
    if (shown === null) return null;
    columns.push(...shown);
  }
  return columns;
}

function itemColumn(item: SqlNode, block: SelectBlock): OutputColumn {
  const name = textUnder(item, "alias");
  const computed = { expression: item, scope: block.scope };
  if (item.class !== "COLUMN_REF") return { name: name || textUnder(item, "function_name"), source: null, computed };
  const last = textsUnder(item, "column_names").at(-1) ?? "";
  const source = resolveColumn(item, block.scope)?.source ?? null;
  return { name: name || last, source, ...(source === null ? { computed } : {}) };
}

function starColumns(star: SqlNode, relations: readonly Relation[]): readonly OutputColumn[] | null {
  const of = textUnder(star, "relation_name");
  const shown = relations.filter(({ alias }) => of === "" || sameName(alias, of));
  const changed = [star.replace_list, star.rename_list].some((list) => Array.isArray(list) && list.length > 0);
  if (star.columns === true || changed || shown.some(({ columns }) => columns === null)) return null;
  const left = textsUnder(star, "exclude_list");
  return shown.flatMap(({ columns }) => columns ?? []).filter(({ name }) => !left.some((out) => sameName(out, name)));
}
