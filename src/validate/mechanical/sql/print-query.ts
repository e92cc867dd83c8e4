import { ctesOf, innerQuery, isSqlNode, partOf, partsUnder, type SqlNode, textsUnder, textUnder } from "../sql-tree.js";
import { clause, expressionText, orderText } from "./print-expression.js";
import { needed, printed, Unprintable } from "./printing.js";
import { quoteName } from "./quote.js";

/**
 * SQL that parses to this tree. Checks change a tree (leave a filter out, count instead of select) and ask for the rows of what they
 * made. Null for a tree with a part that is not known here: a check that cannot write its question has none.
 */
export function printQuery(query: SqlNode): string | null {
  return printed(() => queryText(query));
}

/** SQL of a query node; throws Unprintable. */
export function queryText(node: SqlNode): string {
  return [withText(node), bodyText(node), ...partsUnder(node, "modifiers").map(modifierText)]
    .filter((part) => part !== "")
    .join(" ");
}

function withText(node: SqlNode): string {
  const ctes = ctesOf(node).map(({ name, value }) => {
    if (partsUnder(value, "key_targets").length > 0) throw new Unprintable("USING KEY");
    const columns = textsUnder(value, "aliases").map(quoteName).join(", ");
    const query = needed(innerQuery(value, "query"), "a CTE's query");
    return {
      recursive: query.type === "RECURSIVE_CTE_NODE",
      text: `${quoteName(name)}${columns === "" ? "" : `(${columns})`} AS (${queryText(query)})`,
    };
  });
  if (ctes.length === 0) return "";
  const recursive = ctes.some((cte) => cte.recursive) ? "RECURSIVE " : "";
  return `WITH ${recursive}${ctes.map(({ text }) => text).join(", ")}`;
}

function bodyText(node: SqlNode): string {
  switch (node.type) {
    case "SELECT_NODE":
      return selectText(node);
    case "SET_OPERATION_NODE":
      return setOperationText(node, textUnder(node, "setop_type").replace("_BY_NAME", ""), node.setop_all === true);
    case "RECURSIVE_CTE_NODE":
      return setOperationText(node, "UNION", node.union_all === true);
    default:
      throw new Unprintable(String(node.type));
  }
}

function setOperationText(node: SqlNode, operation: string, all: boolean): string {
  const [left, right] = [needed(partOf(node, "left"), "left"), needed(partOf(node, "right"), "right")];
  const byName = node.setop_type === "UNION_BY_NAME" ? " BY NAME" : "";
  return `(${queryText(left)}) ${operation}${all ? " ALL" : ""}${byName} (${queryText(right)})`;
}

function selectText(node: SqlNode): string {
  if (isSqlNode(node.sample)) throw new Unprintable("a sample");
  const values = bareValues(node);
  if (values !== null) return valuesText(values);
  const distinct = partsUnder(node, "modifiers").find(({ type }) => type === "DISTINCT_MODIFIER");
  const targets = distinct === undefined ? [] : partsUnder(distinct, "distinct_on_targets");
  const items = partsUnder(node, "select_list").map((item) => expressionText(item) + aliasText(item));
  const parts = [
    `SELECT ${distinct === undefined ? "" : `DISTINCT ${targets.length === 0 ? "" : `ON (${listText(targets)}) `}`}${items.join(", ")}`,
    clause("FROM", partOf(node, "from_table"), tableText),
    clause("WHERE", partOf(node, "where_clause"), expressionText),
    groupText(node),
    clause("HAVING", partOf(node, "having"), expressionText),
    clause("QUALIFY", partOf(node, "qualify"), expressionText),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function aliasText(item: SqlNode): string {
  const alias = textUnder(item, "alias");
  return alias === "" ? "" : ` AS ${quoteName(alias)}`;
}

function groupText(node: SqlNode): string {
  if (node.aggregate_handling === "FORCE_AGGREGATES") return "GROUP BY ALL";
  const keys = partsUnder(node, "group_expressions").map(expressionText);
  const sets = Array.isArray(node.group_sets) ? node.group_sets.map((set: unknown) => keysOf(set, keys)) : [];
  if (sets.length === 0) return "";
  const [only] = sets;
  if (sets.length === 1 && only !== undefined && only.length === keys.length) return `GROUP BY ${only.join(", ")}`;
  return `GROUP BY GROUPING SETS (${sets.map((set) => `(${set.join(", ")})`).join(", ")})`;
}

function keysOf(set: unknown, keys: readonly string[]): readonly string[] {
  if (!Array.isArray(set)) throw new Unprintable("a grouping set");
  return set.map((index: unknown) => {
    const key = typeof index === "number" ? keys[index] : undefined;
    if (key === undefined) throw new Unprintable("a grouping set");
    return key;
  });
}

function modifierText(modifier: SqlNode): string {
  switch (modifier.type) {
    case "DISTINCT_MODIFIER":
      return "";
    case "ORDER_MODIFIER":
      return orderText(modifier);
    case "LIMIT_MODIFIER":
      return [
        clause("LIMIT", partOf(modifier, "limit"), limitText),
        clause("OFFSET", partOf(modifier, "offset"), limitText),
      ].join(" ");
    case "LIMIT_PERCENT_MODIFIER":
      return `LIMIT ${limitText(needed(partOf(modifier, "limit"), "a limit"))}%`;
    default:
      throw new Unprintable(String(modifier.type));
  }
}

/** `LIMIT 3`, `LIMIT (SELECT 3)`. */
function limitText(expression: SqlNode): string {
  return expression.class === "CONSTANT" ? expressionText(expression) : `(${expressionText(expression)})`;
}

const listText = (nodes: readonly SqlNode[]): string => nodes.map(expressionText).join(", ");

function tableText(table: SqlNode): string {
  if (isSqlNode(table.sample)) throw new Unprintable("a sample");
  switch (table.type) {
    case "BASE_TABLE":
      return quoteName(textUnder(table, "table_name")) + tableAlias(table);
    case "SUBQUERY":
      return `(${queryText(needed(innerQuery(table, "subquery"), "a subquery"))})${tableAlias(table)}`;
    case "JOIN":
      return joinText(table);
    case "EXPRESSION_LIST":
      return `(${valuesText(table)})${tableAlias(table)}`;
    case "TABLE_FUNCTION":
      if (table.with_ordinality === "WITH_ORDINALITY") throw new Unprintable("WITH ORDINALITY");
      return expressionText(needed(partOf(table, "function"), "a table function")) + tableAlias(table);
    default:
      throw new Unprintable(String(table.type));
  }
}

/** `VALUES …` without a SELECT is parsed as SELECT * of them, under a name of DuckDB's own. */
function bareValues(node: SqlNode): SqlNode | null {
  const table = partOf(node, "from_table");
  const items = partsUnder(node, "select_list");
  const isStar = items.length === 1 && items[0]?.class === "STAR" && partOf(node, "where_clause") === null;
  return isStar && table?.type === "EXPRESSION_LIST" && table.alias === "valueslist" ? table : null;
}

function valuesText(table: SqlNode): string {
  return `VALUES ${rowsOf(table)
    .map((row) => `(${listText(row)})`)
    .join(", ")}`;
}

function rowsOf(table: SqlNode): readonly (readonly SqlNode[])[] {
  if (!Array.isArray(table.values)) throw new Unprintable("VALUES");
  return table.values.map((row: unknown) => (Array.isArray(row) ? row.filter(isSqlNode) : []));
}

function tableAlias(table: SqlNode): string {
  const alias = textUnder(table, "alias");
  const columns = textsUnder(table, "column_name_alias").map(quoteName).join(", ");
  if (alias === "") return "";
  return ` AS ${quoteName(alias)}${columns === "" ? "" : `(${columns})`}`;
}

const JOINS: Readonly<Record<string, string>> = {
  INNER: "JOIN",
  LEFT: "LEFT JOIN",
  RIGHT: "RIGHT JOIN",
  FULL: "FULL JOIN",
  OUTER: "FULL JOIN",
  SEMI: "SEMI JOIN",
  ANTI: "ANTI JOIN",
};

function joinText(join: SqlNode): string {
  const [left, right] = [needed(partOf(join, "left"), "left"), needed(partOf(join, "right"), "right")];
  const word = JOINS[textUnder(join, "join_type")];
  if (word === undefined) throw new Unprintable(String(join.join_type));
  const sides = (keyword: string) =>
    `${tableText(left)} ${keyword} ${right.type === "JOIN" ? `(${tableText(right)})` : tableText(right)}`;
  const using = textsUnder(join, "using_columns").map(quoteName).join(", ");
  const condition = using === "" ? ` ON ${expressionText(partOf(join, "condition") ?? ALWAYS)}` : ` USING (${using})`;
  switch (join.ref_type) {
    case "CROSS":
      return sides("CROSS JOIN");
    case "NATURAL":
      return sides(`NATURAL ${word}`);
    case "REGULAR":
      return sides(word) + condition;
    case "ASOF":
      return sides(`ASOF ${word}`) + condition;
    default:
      throw new Unprintable(String(join.ref_type));
  }
}

const ALWAYS: SqlNode = {
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  value: { type: { id: "BOOLEAN" }, is_null: false, value: true },
};
