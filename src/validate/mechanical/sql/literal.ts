import { partOf, type SqlNode, textUnder } from "../sql-tree.js";

/** A constant of a syntax tree. A number's text is exact: `5.50`, `-3`, `1e+21`. */
export type Literal =
  | { readonly kind: "text" | "number"; readonly text: string }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "null" };

const WHOLE = /^U?(?:TINYINT|SMALLINT|INTEGER|BIGINT)$/;

/**
 * The constant that a node is, casts around it taken off (`DATE '2024-03-01'` is its text). Null for anything else, and for a number
 * that the tree does not hold exactly: above 2^53 it was rounded when the tree was read as JSON.
 */
export function literalOf(node: SqlNode): Literal | null {
  if (node.class === "CAST") {
    const child = partOf(node, "child");
    return child === null ? null : literalOf(child);
  }
  const value = node.class === "CONSTANT" ? partOf(node, "value") : null;
  return value === null ? null : constantLiteral(value);
}

/** As `literalOf`, of a CONSTANT's value. */
export function constantLiteral(constant: SqlNode): Literal | null {
  const type = partOf(constant, "type");
  const { value } = constant;
  if (type === null) return null;
  if (constant.is_null === true) return { kind: "null" };
  if (typeof value === "string") return type.id === "VARCHAR" ? { kind: "text", text: value } : null;
  if (typeof value === "boolean") return { kind: "boolean", value };
  if (typeof value !== "number") return null;
  const id = textUnder(type, "id");
  if (WHOLE.test(id)) return Number.isSafeInteger(value) ? { kind: "number", text: String(value) } : null;
  if (id === "DOUBLE") return Number.isFinite(value) ? { kind: "number", text: value.toExponential() } : null;
  return id === "DECIMAL" ? decimal(value, partOf(type, "type_info")) : null;
}

/** A decimal stands in the tree as a whole number without its point. */
function decimal(unscaled: number, info: SqlNode | null): Literal | null {
  const scale = info?.scale;
  if (typeof scale !== "number" || !Number.isSafeInteger(unscaled)) return null;
  const digits = String(Math.abs(unscaled)).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const fraction = digits.slice(point);
  const text = `${unscaled < 0 ? "-" : ""}${digits.slice(0, point)}${fraction === "" ? "" : `.${fraction}`}`;
  return { kind: "number", text };
}
