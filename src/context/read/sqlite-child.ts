import { endWithParent } from "../end-with-parent.js";
import { openSqlite, writeSqliteRows } from "./sqlite-rows.js";
import { viewRequestSchema } from "./sqlite-view.js";

/** Entry of the child process that reads one view. Arguments: the request, the parent's process id. The outcome is one line of JSON on stdout. */
async function main(): Promise<void> {
  endWithParent(Number(process.argv[3]));
  const request = viewRequestSchema.parse(JSON.parse(process.argv[2] ?? ""));
  const database = openSqlite(request.file);
  const staged = await writeSqliteRows(database, request.view, request.path, request.source, request.max_rows);
  database.close();
  process.stdout.write(`${JSON.stringify(staged)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
