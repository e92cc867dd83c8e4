import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/** The database that a compile writes: one connection, SQL of our own only. */
export interface CompileDatabase {
  /** Runs statements that return nothing of interest. */
  run(sql: string): Promise<void>;
  /** Runs one query whose columns are VARCHAR or integers; integers come as decimal text. */
  texts(sql: string): Promise<readonly (readonly (string | null)[])[]>;
  /** As `texts`, a chunk of rows at a time, for results of any size. */
  chunks(sql: string): AsyncIterable<readonly (readonly (string | null)[])[]>;
  close(): void;
}

/**
 * Opens (creates) a database file for compiling, with a second one for staging attached as `staging`. Nothing is fetched, queries
 * spill to `spill` instead of taking all memory, and an abort interrupts the query that runs, which then throws the signal's reason.
 */
export async function openCompileDatabase(
  file: string,
  stagingFile: string,
  spill: string,
  signal?: AbortSignal,
): Promise<CompileDatabase> {
  const database = await DuckDBInstance.create(file, {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    memory_limit: "2GB",
    temp_directory: spill,
  });
  const connection = await database.connect();
  // Instants are shown as the query child shows them, whatever the zone of this machine.
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`ATTACH '${stagingFile.replaceAll("'", "''")}' AS staging`);
  const interrupt = () => connection.interrupt();
  signal?.addEventListener("abort", interrupt);
  return {
    async run(sql) {
      await unlessAborted(() => connection.run(sql), signal);
    },
    texts: (sql) => unlessAborted(() => readTexts(connection, sql), signal),
    async *chunks(sql) {
      const result = await unlessAborted(() => connection.stream(sql), signal);
      for (;;) {
        const chunk = await unlessAborted(() => result.fetchChunk(), signal);
        if (chunk === null || chunk.rowCount === 0) return;
        yield chunk.getRows().map((row) => row.map((value) => textOf(value, sql)));
      }
    },
    close() {
      signal?.removeEventListener("abort", interrupt);
      connection.closeSync();
      database.closeSync();
    },
  };
}

/** What `query` gives. Throws the signal's reason once that is aborted, also where the engine calls it an interrupted query. */
async function unlessAborted<T>(query: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await query();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

async function readTexts(connection: DuckDBConnection, sql: string): Promise<(string | null)[][]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map((row) => row.map((value) => textOf(value, sql)));
}

function textOf(value: unknown, sql: string): string | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  throw new Error(`a compile query returned a value that is neither text nor integer: ${sql}`);
}
