import { type DuckDBConnection, type DuckDBResult, StatementType } from "@duckdb/node-api";
import type { OverlayTable } from "../core/overlay.js";
import { createOverlay } from "./overlay-tables.js";
import { cellText } from "./query-cell.js";
import { openLocked } from "./query-database.js";
import type { ChildReply, Row } from "./query-protocol.js";
import { type Gated, type GateTable, oneSelect, refusalOf } from "./sql-gate.js";

/** DuckDB on one compiled context, locked: what runs inside the query child. One call at a time. */
export interface QueryEngine {
  /** Sends the rows in pieces as they come, then returns what ends the answer. `overlay` is there for this query only. Never rejects. */
  query(sql: string, asked: AskedRows, send: (reply: ChildReply) => void): Promise<ChildReply>;
  parse(sql: string): Promise<ChildReply>;
  /** Stops the query in progress, which then fails as `interrupted`. */
  interrupt(): void;
}

interface AskedRows {
  readonly max_rows: number;
  readonly overlay: readonly OverlayTable[];
}

/** All text of one answer together; more would not fit into the parent's memory several times over. */
const MAX_ANSWER_CHARACTERS = 256 * 2 ** 20;
/** Text of one line to the parent. */
const PIECE_CHARACTERS = 2 ** 20;
const MAX_MESSAGE_CHARACTERS = 2000;

/** Opens a compiled context with all locks on. Rejects if the file cannot be opened. */
export async function openEngine(database: string, tables: readonly GateTable[]): Promise<QueryEngine> {
  const db = await openLocked(database);
  let running: DuckDBConnection | null = null;
  let interrupted = false;
  const guarded = async (work: (connection: DuckDBConnection) => Promise<ChildReply>): Promise<ChildReply> => {
    interrupted = false;
    const connection = await db.connect();
    running = connection;
    try {
      return await work(connection);
    } catch (error) {
      if (interrupted) return { kind: "failed", code: "interrupted", message: "interrupted" };
      return { kind: "failed", code: "sql-error", message: shortMessage(error) };
    } finally {
      running = null;
      connection.closeSync();
    }
  };
  const stopIfInterrupted = () => {
    if (interrupted) throw new Error("interrupted");
  };
  return {
    query: (sql, { max_rows, overlay }, send) =>
      guarded(async (connection) => {
        const gated = await gate(connection, sql, [...tables, ...overlay.map(gateTableOf)]);
        if (!gated.ok) return { kind: "failed", code: gated.code, message: gated.message };
        await createOverlay(connection, overlay);
        stopIfInterrupted();
        const result = await start(connection, sql);
        if (result === null) return { kind: "failed", code: "refused", message: "only one SELECT may run here" };
        return await sendRows(result, max_rows, send, stopIfInterrupted);
      }),
    parse: (sql) =>
      guarded(async (connection) => {
        const select = oneSelect(await serialized(connection, sql), sql);
        return select.ok
          ? { kind: "tree", tree: select.tree }
          : { kind: "failed", code: select.code, message: select.message };
      }),
    interrupt: () => {
      interrupted = true;
      running?.interrupt();
    },
  };
}

function gateTableOf({ name, columns }: OverlayTable): GateTable {
  return { name, columns: columns.map((column) => column.name) };
}

async function gate(connection: DuckDBConnection, sql: string, tables: readonly GateTable[]): Promise<Gated> {
  const select = oneSelect(await serialized(connection, sql), sql);
  if (!select.ok) return select;
  const refusal = refusalOf(select.tree, tables);
  return refusal === null ? select : { ok: false, code: "refused", message: refusal };
}

/** What `json_serialize_sql` says about a text: its parse, bound to nothing. */
async function serialized(connection: DuckDBConnection, sql: string): Promise<unknown> {
  // DuckDB would end the statement at a NUL, so that another text would run than was looked at.
  if (sql.includes("\0")) return { error: true, error_type: "parser", error_message: "the text has a NUL character" };
  const reader = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  return JSON.parse(String(reader.value(0, 0)));
}

/** Null when DuckDB itself, asked a second way, does not see one SELECT. */
async function start(connection: DuckDBConnection, sql: string): Promise<DuckDBResult | null> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) return null;
  const prepared = await statements.prepare(0);
  return prepared.statementType === StatementType.SELECT ? await prepared.stream() : null;
}

async function sendRows(
  result: DuckDBResult,
  maxRows: number,
  send: (reply: ChildReply) => void,
  stopIfInterrupted: () => void,
): Promise<ChildReply> {
  const types = result.columnTypes();
  let [count, characters, pieceStart] = [0, 0, 0];
  let piece: Row[] = [];
  const flush = () => {
    if (piece.length > 0) send({ kind: "rows", rows: piece });
    piece = [];
    pieceStart = characters;
  };
  for await (const chunk of result) {
    for (const values of chunk.getRows()) {
      stopIfInterrupted();
      if (count === maxRows) {
        flush();
        return done(result, true);
      }
      const row = values.map((value, column) => cellText(value, types[column]));
      characters += row.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
      if (characters > MAX_ANSWER_CHARACTERS) throw new Error(tooLarge(count));
      piece.push(row);
      count += 1;
      if (characters - pieceStart > PIECE_CHARACTERS) flush();
    }
    flush();
  }
  return done(result, false);
}

function done(result: DuckDBResult, truncated: boolean): ChildReply {
  return { kind: "done", columns: result.columnNames(), types: result.columnTypes().map(String), truncated };
}

function tooLarge(rows: number): string {
  const megabytes = MAX_ANSWER_CHARACTERS / 2 ** 20;
  return `Result too large: more than ${megabytes} million characters after ${rows} rows; select fewer or shorter columns, or aggregate`;
}

/** DuckDB quotes values in its messages, and values may be of any length. Its advice on memory is for whoever may change settings. */
function shortMessage(error: unknown): string {
  const whole = error instanceof Error ? error.message : String(error);
  const message = whole.startsWith("Out of Memory") ? (whole.split("\n")[0] ?? whole) : whole;
  const more = message.length - MAX_MESSAGE_CHARACTERS;
  return more > 0 ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)} … (${more} more characters)` : message;
}
