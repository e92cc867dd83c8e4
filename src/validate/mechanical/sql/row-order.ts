import type { LightCatalog } from "../../../core/catalog.js";
import { ctesOf, nodesOf, partOf, partsUnder, type SqlNode, textUnder } from "../sql-tree.js";
import { BY_ORDER } from "./aggregates.js";
import { printQuery } from "./print-query.js";
import { sameName, tableNamed } from "./resolve.js";
import { columnRef, rewrite } from "./rewrite.js";

/** Windows whose value is the same for rows that tie. */
const TIED: readonly string[] = ["rank", "dense_rank", "rank_dense", "percent_rank", "cume_dist"];

/** By what the result of a query could depend on the order in which rows are stored; null where by nothing. */
export function dependsOnOrder(tree: SqlNode): string | null {
  for (const node of nodesOf(tree)) {
    if (node.type === "LIMIT_MODIFIER" || node.type === "LIMIT_PERCENT_MODIFIER") return "LIMIT";
    if (node.type === "DISTINCT_MODIFIER" && partsUnder(node, "distinct_on_targets").length > 0) return "DISTINCT ON";
    const name = textUnder(node, "function_name").toLowerCase();
    if (node.class === "FUNCTION" && BY_ORDER.includes(name)) return `${name}()`;
    if (node.class === "WINDOW" && !TIED.includes(name)) return `${name}() OVER`;
  }
  return null;
}

/** The same query on tables whose rows come in the opposite order; null where that cannot be written. */
export function inReversedOrder(tree: SqlNode, catalog: LightCatalog): string | null {
  const ctes = [...nodesOf(tree)].flatMap((node) => ctesOf(node).map(({ name }) => name));
  const isTable = (name: string) => tableNamed(catalog, name) !== null && !ctes.some((cte) => sameName(cte, name));
  return printQuery(
    rewrite(tree, (node) => {
      const name = textUnder(node, "table_name");
      return node.type === "BASE_TABLE" && isTable(name) ? reversedTable(node, name) : null;
    }),
  );
}

function reversedTable(table: SqlNode, name: string): SqlNode {
  const query: SqlNode = {
    type: "SELECT_NODE",
    select_list: [{ class: "STAR", type: "STAR" }],
    from_table: { type: "BASE_TABLE", table_name: name, sample: partOf(table, "sample") },
    modifiers: [
      {
        type: "ORDER_MODIFIER",
        orders: [{ type: "DESCENDING", null_order: "ORDER_DEFAULT", expression: columnRef("rowid") }],
      },
    ],
  };
  const alias = textUnder(table, "alias") || name;
  return { type: "SUBQUERY", alias, column_name_alias: table.column_name_alias, subquery: { node: query } };
}
