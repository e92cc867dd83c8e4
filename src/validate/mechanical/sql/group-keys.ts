import { partsUnder, type SqlNode, textsUnder, textUnder } from "../sql-tree.js";
import { named } from "./build.js";
import { literalOf } from "./literal.js";
import { sameName } from "./resolve.js";
import { hasAggregate } from "./row-identity.js";

/** The parts of a SELECT that group it. */
interface Grouping {
  readonly group_expressions: readonly SqlNode[];
  readonly group_sets: readonly (readonly number[])[];
  readonly aggregate_handling: "STANDARD_HANDLING";
}

/**
 * What a SELECT groups by, without reference to its list: positions and names given there are replaced by what they stand for. Null
 * for several grouping sets.
 */
export function groupKeys(node: SqlNode): Grouping | null {
  const items = partsUnder(node, "select_list");
  const written = partsUnder(node, "group_expressions");
  if (Array.isArray(node.group_sets) && node.group_sets.length > 1) return null;
  const all = node.aggregate_handling === "FORCE_AGGREGATES" ? items.filter((item) => !hasAggregate(item)) : written;
  const keys = all.map((key) => named(meant(key, items), ""));
  const group_sets = keys.length === 0 ? [] : [keys.map((_, index) => index)];
  return { group_expressions: keys, group_sets, aggregate_handling: "STANDARD_HANDLING" };
}

function meant(key: SqlNode, items: readonly SqlNode[]): SqlNode {
  const literal = literalOf(key);
  if (literal?.kind === "number") return items[Number(literal.text) - 1] ?? key;
  const [name, ...more] = key.class === "COLUMN_REF" ? textsUnder(key, "column_names") : [];
  if (name === undefined || more.length > 0) return key;
  // A column of that name would come first, and then the item is mostly that column itself.
  return items.find((item) => sameName(textUnder(item, "alias"), name)) ?? key;
}
