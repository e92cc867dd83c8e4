import type { Duplex } from "node:stream";
import { z } from "zod";
import type { QueryResult } from "../../core/ports/query-worker.js";
import type { IssuedQuery } from "../../core/ports/sandbox.js";
import { boundedLines } from "./python-output.js";

/** What Python said over its channel so far. */
export interface ChannelState {
  /** Python itself is up, and the code begins. */
  ready: boolean;
  /** How the code ended by its own account; null before. */
  end: { readonly error: { readonly message: string; readonly line: number | null } | null } | null;
  /** Something came that is no message: the code wrote to the channel itself. */
  garbled: boolean;
  readonly queries: IssuedQuery[];
}

/** Queries of one run, and text of all of them together: they go into the log. */
const MOST_QUERIES = 200;
const MOST_SQL_CHARACTERS = 2 ** 20;
/** JSON may write a character as six or, where it takes two units, twelve bytes. */
const MOST_LINE_BYTES = 16 * MOST_SQL_CHARACTERS;
/** Text of one line of rows. */
const PIECE_CHARACTERS = 2 ** 20;
const MOST_MESSAGE_CHARACTERS = 2000;

const messageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("query"), sql: z.string() }),
  z.object({
    kind: z.literal("end"),
    error: z.object({ message: z.string(), line: z.int().nullable() }).nullable(),
  }),
]);

/**
 * Serves the channel until it closes or is garbled: one query at a time, each answered before the next is read. Rejects only as
 * `query` does.
 */
export async function serveChannel(
  channel: Duplex,
  state: ChannelState,
  query: (sql: string) => Promise<QueryResult>,
): Promise<void> {
  const lines = boundedLines(channel, MOST_LINE_BYTES);
  let characters = 0;
  for (let message = await next(lines, state); message !== null; message = await next(lines, state)) {
    if (message.kind === "ready") state.ready = true;
    else if (message.kind === "end") {
      const { error } = message;
      state.end = { error: error && { ...error, message: error.message.slice(0, MOST_MESSAGE_CHARACTERS) } };
    } else {
      const { sql } = message;
      characters += sql.length;
      const allowed = state.queries.length < MOST_QUERIES && characters <= MOST_SQL_CHARACTERS;
      const result = allowed ? await query(sql) : null;
      if (result !== null) state.queries.push({ sql, rows: rowsOf(result) });
      await write(channel, result === null ? [refusal()] : replyLines(result));
    }
  }
}

/** Null at the end of the channel, and where it is garbled. */
async function next(lines: AsyncGenerator<string>, state: ChannelState): Promise<z.infer<typeof messageSchema> | null> {
  try {
    const { done, value } = await lines.next();
    return done === true ? null : messageSchema.parse(JSON.parse(value));
  } catch {
    state.garbled = true;
    return null;
  }
}

function rowsOf(result: QueryResult): number | null {
  return result.ok && !result.truncated ? result.table.rows.length : null;
}

function refusal(): string {
  const most = `${MOST_QUERIES} queries, of ${MOST_SQL_CHARACTERS} characters together`;
  return JSON.stringify({ error: `too-many-queries: a run may ask ${most}; ask for more rows at once` });
}

function* replyLines(result: QueryResult): Generator<string> {
  if (!result.ok) return yield JSON.stringify({ error: `${result.error.code}: ${result.error.message}` });
  const { columns, types, rows } = result.table;
  if (result.truncated) {
    const more = `the query has more than ${rows.length} rows`;
    return yield JSON.stringify({ error: `too-many-rows: ${more}; select fewer, or aggregate in SQL` });
  }
  const pieces = [...piecesOf(rows)];
  yield JSON.stringify({ columns, types, pieces: pieces.length });
  for (const [start, end] of pieces) yield JSON.stringify(rows.slice(start, end));
}

/** Ranges of rows, each of little more than a line's text: one text of all rows could be longer than any that JavaScript holds. */
function* piecesOf(rows: readonly (readonly (string | null)[])[]): Generator<readonly [start: number, end: number]> {
  let [start, characters] = [0, 0];
  for (const [index, row] of rows.entries()) {
    characters += row.reduce((sum, cell) => sum + (cell?.length ?? 0) + 4, 0);
    if (characters < PIECE_CHARACTERS) continue;
    yield [start, index + 1];
    [start, characters] = [index + 1, 0];
  }
  if (start < rows.length) yield [start, rows.length];
}

/** Writes lines, each when the one before has been taken. A channel that has closed takes nothing more. */
async function write(channel: Duplex, lines: Iterable<string>): Promise<void> {
  for (const line of lines) {
    if (channel.destroyed) return;
    await new Promise<void>((resolve) => channel.write(`${line}\n`, () => resolve()));
  }
}
