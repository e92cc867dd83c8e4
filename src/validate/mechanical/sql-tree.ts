/** An object of DuckDB's syntax tree, as `json_serialize_sql` writes it. */
export type SqlNode = Readonly<Record<string, unknown>>;

/** Every object of a syntax tree, parents before their children. A list of its own instead of recursion: trees may be deep. */
export function* nodesOf(tree: unknown): Generator<SqlNode> {
  const open = [tree];
  while (open.length > 0) {
    const value = open.pop();
    if (isSqlNode(value)) yield value;
    for (const part of partsOf(value).toReversed()) open.push(part);
  }
}

function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isSqlNode(value) ? Object.values(value) : [];
}

export function isSqlNode(value: unknown): value is SqlNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of the tables that a tree reads from, as written, CTEs among them. */
export function tableNames(tree: unknown): string[] {
  return [...nodesOf(tree)].flatMap((node) =>
    node.type === "BASE_TABLE" && typeof node.table_name === "string" ? [node.table_name] : [],
  );
}

/** The object under a key; null where there is none. */
export function partOf(node: SqlNode, key: string): SqlNode | null {
  const value = node[key];
  return isSqlNode(value) ? value : null;
}

/** The objects of the list under a key. */
export function partsUnder(node: SqlNode, key: string): readonly SqlNode[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isSqlNode) : [];
}

/** The text under a key; "" where there is none. */
export function textUnder(node: SqlNode, key: string): string {
  const value = node[key];
  return typeof value === "string" ? value : "";
}

/** The texts of the list under a key. */
export function textsUnder(node: SqlNode, key: string): readonly string[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter((member) => typeof member === "string") : [];
}

/** The query that a subquery, a CTE or a derived table holds. */
export function innerQuery(node: SqlNode, key: string): SqlNode | null {
  const holder = partOf(node, key);
  return holder === null ? null : partOf(holder, "node");
}

/** The CTEs of a query node: name and definition, in the order in which they are written. */
export function ctesOf(
  node: SqlNode,
): readonly { readonly name: string; readonly entry: SqlNode; readonly value: SqlNode }[] {
  const map = partOf(node, "cte_map");
  return (map === null ? [] : partsUnder(map, "map")).flatMap((entry) => {
    const value = partOf(entry, "value");
    return value === null ? [] : [{ name: textUnder(entry, "key"), entry, value }];
  });
}
