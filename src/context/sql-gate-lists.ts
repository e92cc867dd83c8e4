/** Table functions that make rows out of their own arguments. Every other one, known or future, is refused. */
export const TABLE_FUNCTIONS: readonly string[] = [
  "range",
  "generate_series",
  "unnest",
  "repeat",
  "json_each",
  "json_tree",
];

/** Table functions that read files: refused like all others, but with words that help. */
export const FILE_READERS = /^(read_|parquet_|glob$|sniff_csv$|arrow_scan|seq_scan$)/;

/** Names under which engines keep their own tables. */
export const SYSTEM_NAMES = /^(duckdb_|pragma_|pg_|sqlite_(master|schema|temp)|information_schema$)/;

const CHANGES = "its value differs from run to run, and the same SQL must give the same rows";
const CLOCK = `${CHANGES}; write the date or time as a literal`;
const CHANCE = `${CHANGES}; order by hash(column) for a fixed shuffle`;
const OUTSIDE = "it reads the engine or the machine, not the data";
const SQL_IN_TEXT = "it works on SQL in a text; write the SELECT itself";
const WAITS = "it only waits";

/** Scalar functions that are refused, with the reason. Everything else computes from its arguments alone. */
export const REFUSED_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["now", CLOCK],
  ["today", CLOCK],
  ["ago", CLOCK],
  ["current_date", CLOCK],
  ["current_time", CLOCK],
  ["current_timestamp", CLOCK],
  ["current_localtime", CLOCK],
  ["current_localtimestamp", CLOCK],
  ["localtime", CLOCK],
  ["localtimestamp", CLOCK],
  ["get_current_time", CLOCK],
  ["get_current_timestamp", CLOCK],
  ["transaction_timestamp", CLOCK],
  ["pg_conf_load_time", CLOCK],
  ["pg_postmaster_start_time", CLOCK],
  ["random", CHANCE],
  ["setseed", CHANCE],
  ["uuid", CHANCE],
  ["uuidv4", CHANCE],
  ["uuidv7", CHANCE],
  ["gen_random_uuid", CHANCE],
  ["txid_current", CHANGES],
  ["current_transaction_id", CHANGES],
  ["current_connection_id", CHANGES],
  ["current_query_id", CHANGES],
  ["nextval", CHANGES],
  ["currval", CHANGES],
  ["current_query", OUTSIDE],
  ["current_setting", OUTSIDE],
  ["getenv", OUTSIDE],
  ["getvariable", OUTSIDE],
  ["stats", OUTSIDE],
  ["write_log", OUTSIDE],
  ["json_serialize_sql", SQL_IN_TEXT],
  ["json_serialize_plan", SQL_IN_TEXT],
  ["json_deserialize_sql", SQL_IN_TEXT],
  ["json_execute_serialized_sql", SQL_IN_TEXT],
  ["query", SQL_IN_TEXT],
  ["query_table", SQL_IN_TEXT],
  ["sleep_ms", WAITS],
  ["pg_sleep", WAITS],
]);

/** Names that SQL reads as a function though they are written like a column. */
export const CLOCK_COLUMNS: readonly string[] = [
  "current_date",
  "current_time",
  "current_timestamp",
  "localtime",
  "localtimestamp",
];

/** Nodes of DuckDB's syntax tree that we know. A tree with any other is refused: a new engine's new node must be looked at first. */
export const QUERY_NODES: readonly string[] = ["SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"];

export const TABLE_REFERENCES: readonly string[] = [
  "BASE_TABLE",
  "SUBQUERY",
  "JOIN",
  "TABLE_FUNCTION",
  "EXPRESSION_LIST",
  "EMPTY",
  "PIVOT",
  "SHOW_REF",
];

export const EXPRESSION_CLASSES: readonly string[] = [
  "BETWEEN",
  "CASE",
  "CAST",
  "COLLATE",
  "COLUMN_REF",
  "COMPARISON",
  "CONJUNCTION",
  "CONSTANT",
  "DEFAULT",
  "FUNCTION",
  "LAMBDA",
  "LAMBDA_REF",
  "OPERATOR",
  "PARAMETER",
  "POSITIONAL_REFERENCE",
  "STAR",
  "SUBQUERY",
  "TYPE",
  "WINDOW",
];
