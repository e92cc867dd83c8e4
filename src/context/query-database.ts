import { DuckDBInstance } from "@duckdb/node-api";

/**
 * Opens a compiled context read-only and takes away everything that a SELECT does not need: threads (row order and float sums
 * would vary), the file system, extensions, spilling to disk, and at last the right to change any of this. Rejects if the file
 * cannot be opened.
 */
export async function openLocked(database: string): Promise<DuckDBInstance> {
  const db = await DuckDBInstance.create(database, {
    access_mode: "READ_ONLY",
    threads: "1",
    memory_limit: "1GB",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
  });
  const connection = await db.connect();
  // The order matters: without external access temp_directory can no longer be changed, and after the lock nothing can.
  for (const setting of ["temp_directory = ''", "TimeZone = 'UTC'", "enable_external_access = false"]) {
    await connection.run(`SET ${setting}`);
  }
  await connection.run("SET lock_configuration = true");
  connection.closeSync();
  return db;
}
