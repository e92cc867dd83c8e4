import {
  CLOCK_COLUMNS,
  EXPRESSION_CLASSES,
  FILE_READERS,
  QUERY_NODES,
  REFUSED_FUNCTIONS,
  SYSTEM_NAMES,
  TABLE_FUNCTIONS,
  TABLE_REFERENCES,
} from "./sql-gate-lists.js";

/** What SQL may read: the tables of one context. */
export interface GateTable {
  readonly name: string;
  readonly columns: readonly string[];
}

export type Gated =
  /** `tree` is the root query node, `{"type": "SELECT_NODE", …}`. */
  | { readonly ok: true; readonly tree: unknown }
  | { readonly ok: false; readonly code: "refused" | "sql-error"; readonly message: string };

/**
 * Reads what `json_serialize_sql` said about a text and takes the tree of its one SELECT. DuckDB serializes nothing but SELECT
 * statements, so that everything which writes, attaches, installs, sets or explains ends here.
 */
export function oneSelect(serialized: unknown, sql: string): Gated {
  if (!isRecord(serialized)) return refused("DuckDB gave no syntax tree for this text");
  if (serialized.error === true) {
    if (serialized.error_type === "not implemented") return refused(notSelect(sql));
    return { ok: false, code: "sql-error", message: `Parser Error: ${String(serialized.error_message)}` };
  }
  const statements = Array.isArray(serialized.statements) ? serialized.statements : [];
  const [statement] = statements;
  if (statements.length === 0) return refused("there is no statement in this text: write one SELECT");
  if (statements.length > 1) return refused(`one SELECT at a time: this text has ${statements.length} statements`);
  return { ok: true, tree: isRecord(statement) ? statement.node : undefined };
}

function notSelect(sql: string): string {
  if (/\bpivot\b/i.test(sql)) {
    return "PIVOT is allowed only with its values listed: PIVOT t ON column IN ('a', 'b') USING sum(x)";
  }
  const bare = sql.replace(/--.*|\/\*[\s\S]*?\*\//g, " ");
  const first = /[a-z_]+/i.exec(bare)?.[0].toUpperCase() ?? "";
  if (first === "EXPLAIN") return "EXPLAIN is refused: only one SELECT (or VALUES, FROM, WITH … SELECT) may run here";
  const what = ["SELECT", "WITH", "FROM", "VALUES", "TABLE", ""].includes(first) ? "what follows it" : first;
  return `${what} is refused: only one SELECT (or VALUES, FROM, WITH … SELECT) may run here, nothing that changes or configures anything`;
}

type Node = Readonly<Record<string, unknown>>;

/** A part of the tree and the CTE names that it sees, lower case. */
interface Visit {
  readonly value: unknown;
  readonly ctes: ReadonlySet<string>;
}

/**
 * Null when a syntax tree may run on these tables, else one line that says what is refused and what is allowed. Reads the whole
 * tree: base tables must be in the catalog or a CTE in scope, table functions on the allow list, scalar functions free of
 * clock, chance and the outside, samples seeded, and every node of a kind that we know.
 */
export function refusalOf(tree: unknown, tables: readonly GateTable[]): string | null {
  // A list of its own instead of recursion: a deep tree must not exhaust the stack.
  const open: Visit[] = [{ value: tree, ctes: new Set() }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, ctes } = visit;
    if (Array.isArray(value)) {
      for (const item of value) open.push({ value: item, ctes });
    } else if (isRecord(value)) {
      const refusal = nodeRefusal(value, ctes, tables);
      if (refusal !== null) return refusal;
      open.push(...inside(value, ctes));
    }
  }
  return null;
}

function nodeRefusal(node: Node, ctes: ReadonlySet<string>, tables: readonly GateTable[]): string | null {
  if ("class" in node) return expressionRefusal(node, tables);
  if ("cte_map" in node) return unknownKind(node.type, QUERY_NODES) ?? sampleRefusal(node.sample);
  if ("alias" in node && "sample" in node) {
    return tableRefusal(node, ctes, tables) ?? sampleRefusal(node.sample);
  }
  return null;
}

function tableRefusal(node: Node, ctes: ReadonlySet<string>, tables: readonly GateTable[]): string | null {
  switch (node.type) {
    case "BASE_TABLE":
      return baseTableRefusal(node, ctes, tables);
    case "TABLE_FUNCTION":
      return tableFunctionRefusal(node.function, tables);
    case "SHOW_REF":
      return "DESCRIBE, SHOW and SUMMARIZE are refused: list_context and get_table_profile show tables and columns";
    default:
      return unknownKind(node.type, TABLE_REFERENCES);
  }
}

function baseTableRefusal(node: Node, ctes: ReadonlySet<string>, tables: readonly GateTable[]): string | null {
  const [catalog, schema, table] = [text(node.catalog_name), text(node.schema_name), text(node.table_name)];
  const written = [catalog, schema, table].filter((part) => part !== "").join(".");
  if (SYSTEM_NAMES.test(schema.toLowerCase()) || SYSTEM_NAMES.test(table.toLowerCase())) {
    return `${written} is refused: list_context and get_table_profile show tables and columns`;
  }
  if (catalog === "" && schema === "" && ctes.has(table.toLowerCase())) return null;
  const known = tables.some(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (known && catalog === "" && (schema === "" || schema.toLowerCase() === "main")) return null;
  if (known) return `${written} is refused: write the table's name alone, ${quoted(table)}`;
  return /[/\\]|\.\w{2,7}$/.test(table)
    ? `'${table}' is refused: files cannot be read, only the tables of this context: ${listed(tables)}`
    : `there is no table ${quoted(table)} here; the tables are: ${listed(tables)}`;
}

function tableFunctionRefusal(call: unknown, tables: readonly GateTable[]): string | null {
  const name = isRecord(call) ? text(call.function_name).toLowerCase() : "";
  if (TABLE_FUNCTIONS.includes(name)) return null;
  if (FILE_READERS.test(name)) {
    return `${name}() is refused: files cannot be read, only the tables of this context: ${listed(tables)}`;
  }
  return `${name}() is refused: of table functions only ${TABLE_FUNCTIONS.join(", ")} are allowed`;
}

function expressionRefusal(node: Node, tables: readonly GateTable[]): string | null {
  if (node.class === "PARAMETER") return "parameters (?, $1) are refused: nothing is bound to them; write the value";
  if (typeof node.function_name === "string") {
    const name = node.function_name.toLowerCase();
    const reason = REFUSED_FUNCTIONS.get(name);
    if (reason !== undefined) return `${name}() is refused: ${reason}`;
    if (name === "age" && Array.isArray(node.children) && node.children.length === 1) {
      return "age() with one argument is refused: it counts from today; give both dates";
    }
  }
  return clockColumnRefusal(node, tables) ?? unknownKind(node.class, EXPRESSION_CLASSES);
}

/** `current_date` is a function unless a column has that name; a catalog column is given the benefit of the doubt. */
function clockColumnRefusal(node: Node, tables: readonly GateTable[]): string | null {
  if (node.class !== "COLUMN_REF" || !Array.isArray(node.column_names) || node.column_names.length !== 1) return null;
  const name = text(node.column_names[0]).toLowerCase();
  if (!CLOCK_COLUMNS.includes(name)) return null;
  const isColumn = tables.some(({ columns }) => columns.some((column) => column.toLowerCase() === name));
  return isColumn ? null : `${name} is refused: ${REFUSED_FUNCTIONS.get(name)}`;
}

function sampleRefusal(sample: unknown): string | null {
  if (!isRecord(sample)) return null;
  const seeded = typeof sample.seed === "number" && sample.seed >= 0;
  return seeded
    ? null
    : "a sample without a seed is refused: add REPEATABLE (1), so that the rows are the same on every run";
}

function unknownKind(kind: unknown, known: readonly string[]): string | null {
  return typeof kind === "string" && known.includes(kind)
    ? null
    : `this SQL has a part that is not allowed here: ${kind}`;
}

/** The parts below a node. A CTE sees those before it; a recursive one sees itself; the node's other parts see all of them. */
function inside(node: Node, outer: ReadonlySet<string>): Visit[] {
  const visits: Visit[] = [];
  let ctes = outer;
  const entries = isRecord(node.cte_map) && Array.isArray(node.cte_map.map) ? node.cte_map.map : [];
  for (const entry of entries) {
    if (!isRecord(entry)) continue;
    visits.push({ value: entry.value, ctes });
    ctes = new Set([...ctes, text(entry.key).toLowerCase()]);
  }
  if (typeof node.cte_name === "string") ctes = new Set([...ctes, node.cte_name.toLowerCase()]);
  for (const [key, value] of Object.entries(node)) {
    if (key !== "cte_map") visits.push({ value, ctes });
  }
  return visits;
}

function isRecord(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string): Gated {
  return { ok: false, code: "refused", message };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const LISTED_TABLES = 20;

function listed(tables: readonly GateTable[]): string {
  const names = tables.slice(0, LISTED_TABLES).map(({ name }) => quoted(name));
  if (tables.length > LISTED_TABLES) names.push(`… ${tables.length - LISTED_TABLES} more`);
  return names.join(", ") || "(none)";
}
