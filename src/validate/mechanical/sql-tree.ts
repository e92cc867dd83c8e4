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
