import { innerQuery, isSqlNode, partOf, partsUnder, type SqlNode, textsUnder, textUnder } from "../sql-tree.js";
import { constantLiteral } from "./literal.js";
import { queryText } from "./print-query.js";
import { needed, printed, Unprintable } from "./printing.js";
import { quoteName, quoteText } from "./quote.js";

/** As `printQuery`, of an expression. */
export function printExpression(expression: SqlNode): string | null {
  return printed(() => expressionText(expression));
}

/** A clause with its word; "" where it is not there. */
export function clause(word: string, node: SqlNode | null, print: (node: SqlNode) => string): string {
  return node === null || node.type === "EMPTY" ? "" : `${word} ${print(node)}`;
}

/** ORDER BY of a query or of a function's arguments; "" where there is none. */
export function orderText(holder: SqlNode): string {
  const orders = partsUnder(holder, "orders").map((order) => {
    const expression = needed(partOf(order, "expression"), "an order");
    const text = expression.class === "STAR" ? "ALL" : expressionText(expression);
    const direction = order.type === "DESCENDING" ? " DESC" : order.type === "ASCENDING" ? " ASC" : "";
    const nulls = order.null_order === "ORDER_DEFAULT" ? "" : ` ${textUnder(order, "null_order")}`;
    return text + direction + nulls;
  });
  return orders.length === 0 ? "" : `ORDER BY ${orders.join(", ")}`;
}

/** Always with its own brackets, so that it may stand anywhere. */
export function expressionText(node: SqlNode): string {
  switch (node.class) {
    case "COLUMN_REF":
      return textsUnder(node, "column_names").map(quoteName).join(".");
    case "CONSTANT":
      return constantText(needed(partOf(node, "value"), "a constant"));
    case "STAR":
      return starText(node);
    case "CAST":
      return `${node.try_cast === true ? "TRY_CAST" : "CAST"}(${childText(node, "child")} AS ${typeText(needed(partOf(node, "cast_type"), "a type"))})`;
    case "COMPARISON":
      return comparisonText(node);
    case "CONJUNCTION":
      return `(${partsUnder(node, "children")
        .map(expressionText)
        .join(node.type === "CONJUNCTION_OR" ? " OR " : " AND ")})`;
    case "BETWEEN":
      return `(${childText(node, "input")} BETWEEN ${childText(node, "lower")} AND ${childText(node, "upper")})`;
    case "CASE":
      return caseText(node);
    case "OPERATOR":
      return operatorText(node);
    case "FUNCTION":
      return functionText(node);
    case "WINDOW":
      return windowText(node);
    case "SUBQUERY":
      return subqueryText(node);
    case "COLLATE":
      return `(${childText(node, "child")} COLLATE ${textUnder(node, "collation")})`;
    case "POSITIONAL_REFERENCE":
      return `#${node.index}`;
    default:
      throw new Unprintable(String(node.class));
  }
}

function childText(node: SqlNode, key: string): string {
  return expressionText(needed(partOf(node, key), key));
}

function constantText(constant: SqlNode): string {
  const literal = constantLiteral(constant);
  switch (literal?.kind) {
    case "text":
      return quoteText(literal.text);
    case "number":
      return literal.text;
    case "boolean":
      return literal.value ? "true" : "false";
    case "null":
      return "NULL";
    default:
      throw new Unprintable("a constant");
  }
}

function starText(node: SqlNode): string {
  const plain =
    node.columns !== true &&
    !isSqlNode(node.expr) &&
    [node.replace_list, node.rename_list].every((part) => !Array.isArray(part) || part.length === 0);
  const excluded = Array.isArray(node.exclude_list) ? node.exclude_list : [];
  if (!plain || excluded.some((name: unknown) => typeof name !== "string")) throw new Unprintable("a star");
  const relation = textUnder(node, "relation_name");
  const names = textsUnder(node, "exclude_list").map(quoteName).join(", ");
  return `${relation === "" ? "" : `${quoteName(relation)}.`}*${names === "" ? "" : ` EXCLUDE (${names})`}`;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  COMPARE_EQUAL: "=",
  COMPARE_NOTEQUAL: "<>",
  COMPARE_LESSTHAN: "<",
  COMPARE_GREATERTHAN: ">",
  COMPARE_LESSTHANOREQUALTO: "<=",
  COMPARE_GREATERTHANOREQUALTO: ">=",
  COMPARE_DISTINCT_FROM: "IS DISTINCT FROM",
  COMPARE_NOT_DISTINCT_FROM: "IS NOT DISTINCT FROM",
};

function comparisonWord(type: unknown): string {
  const word = typeof type === "string" ? COMPARISONS[type] : undefined;
  if (word === undefined) throw new Unprintable(String(type));
  return word;
}

function comparisonText(node: SqlNode): string {
  return `(${childText(node, "left")} ${comparisonWord(node.type)} ${childText(node, "right")})`;
}

function caseText(node: SqlNode): string {
  const checks = partsUnder(node, "case_checks").map(
    (check) => `WHEN ${childText(check, "when_expr")} THEN ${childText(check, "then_expr")}`,
  );
  return `CASE ${checks.join(" ")} ELSE ${childText(node, "else_expr")} END`;
}

function operatorText(node: SqlNode): string {
  const children = partsUnder(node, "children").map(expressionText);
  const [first = "", ...rest] = children;
  switch (node.type) {
    case "OPERATOR_NOT":
      return `(NOT ${first})`;
    case "OPERATOR_IS_NULL":
      return `(${first} IS NULL)`;
    case "OPERATOR_IS_NOT_NULL":
      return `(${first} IS NOT NULL)`;
    case "COMPARE_IN":
      return `(${first} IN (${rest.join(", ")}))`;
    case "COMPARE_NOT_IN":
      return `(${first} NOT IN (${rest.join(", ")}))`;
    case "OPERATOR_COALESCE":
      return `COALESCE(${children.join(", ")})`;
    case "OPERATOR_TRY":
      return `TRY(${first})`;
    case "ARRAY_EXTRACT":
      return `(${first})[${rest.join(", ")}]`;
    case "ARRAY_SLICE":
      return `(${first})[${rest.join(":")}]`;
    default:
      throw new Unprintable(String(node.type));
  }
}

const FUNCTION_NAME = /^[a-z_][a-z0-9_]*$/i;
const OPERATOR = /^[-+*/%^|&<>=~!@#]+$/;

function functionText(node: SqlNode): string {
  const name = textUnder(node, "function_name");
  const schema = textUnder(node, "schema");
  const children = partsUnder(node, "children");
  if (node.is_operator === true) return operationText(name, children.map(expressionText));
  if (!FUNCTION_NAME.test(name) || (schema !== "" && schema !== "main")) throw new Unprintable(name);
  if (node.export_state === true) throw new Unprintable("EXPORT_STATE");
  const order = orderText(partOf(node, "order_bys") ?? {});
  const filter = clause("FILTER (WHERE", partOf(node, "filter"), (condition) => `${expressionText(condition)})`);
  const values = children.map((child) => {
    const key = textUnder(child, "alias");
    return key === "" ? expressionText(child) : `${quoteName(key)} := ${expressionText(child)}`;
  });
  const within = order !== "" && values.length === 0;
  const inside = [
    node.distinct === true ? "DISTINCT" : "",
    name === "count_star" ? "*" : values.join(", "),
    within ? "" : order,
  ];
  const call = `${schema === "" ? "" : `${schema}.`}${name === "count_star" ? "count" : name}(${inside.filter((part) => part !== "").join(" ")})`;
  return [call, within ? `WITHIN GROUP (${order})` : "", filter].filter((part) => part !== "").join(" ");
}

function operationText(operator: string, [first, second, ...more]: readonly string[]): string {
  if (!OPERATOR.test(operator) || first === undefined || more.length > 0) throw new Unprintable(operator);
  return second === undefined ? `(${operator} ${first})` : `(${first} ${operator} ${second})`;
}

function windowText(node: SqlNode): string {
  const name = textUnder(node, "function_name");
  if (!FUNCTION_NAME.test(name) || partsUnder(node, "arg_orders").length > 0) throw new Unprintable(name);
  if (node.exclude_clause !== "NO_OTHER") throw new Unprintable("EXCLUDE");
  const values = [...partsUnder(node, "children"), partOf(node, "offset_expr"), partOf(node, "default_expr")];
  const args = values.flatMap((value) => (value === null ? [] : [expressionText(value)])).join(", ");
  const star = ["count", "count_star"].includes(name) && args === "";
  const inside = `${node.distinct === true ? "DISTINCT " : ""}${star ? "*" : args}${node.ignore_nulls === true ? " IGNORE NULLS" : ""}`;
  const filter = clause("FILTER (WHERE", partOf(node, "filter_expr"), (condition) => `${expressionText(condition)}) `);
  const partitions = partsUnder(node, "partitions").map(expressionText).join(", ");
  const over = [partitions === "" ? "" : `PARTITION BY ${partitions}`, orderText(node), frameText(node)];
  return `${star ? "count" : name}(${inside}) ${filter}OVER (${over.filter((part) => part !== "").join(" ")})`;
}

function frameText(node: SqlNode): string {
  const [start, end] = [textUnder(node, "start"), textUnder(node, "end")];
  if (start === "UNBOUNDED_PRECEDING" && end === "CURRENT_ROW_RANGE") return "";
  const unit = /(?:ROWS|RANGE|GROUPS)$/.exec(start)?.[0] ?? /(?:ROWS|RANGE|GROUPS)$/.exec(end)?.[0] ?? "ROWS";
  return `${unit} BETWEEN ${boundText(node, start, "start_expr")} AND ${boundText(node, end, "end_expr")}`;
}

function boundText(node: SqlNode, bound: string, key: string): string {
  const words = /^(UNBOUNDED|CURRENT|EXPR)_(PRECEDING|FOLLOWING|ROW)/.exec(bound);
  if (words === null) throw new Unprintable(bound);
  const [, what, where] = words;
  return what === "EXPR" ? `${childText(node, key)} ${where}` : `${what} ${where}`;
}

function subqueryText(node: SqlNode): string {
  const query = `(${queryText(needed(innerQuery(node, "subquery"), "a subquery"))})`;
  switch (node.subquery_type) {
    case "SCALAR":
      return query;
    case "EXISTS":
      return `EXISTS ${query}`;
    case "ANY":
      return `(${childText(node, "child")} ${comparisonWord(node.comparison_type)} ANY ${query})`;
    default:
      throw new Unprintable(String(node.subquery_type));
  }
}

function typeText(type: SqlNode): string {
  const id = textUnder(type, "id");
  const info = partOf(type, "type_info");
  if (info === null) return id;
  if (id === "DECIMAL") return `DECIMAL(${info.width}, ${info.scale})`;
  const child = partOf(info, "child_type");
  if (id === "LIST" && child !== null) return `${typeText(child)}[]`;
  throw new Unprintable(id);
}
