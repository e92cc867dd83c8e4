import type { DomainReply } from "../../core/ports/domain-query.js";
import { endWithParent } from "../end-with-parent.js";

/**
 * Entry of the connection child: reads one query from stdin, writes one reply to stdout and ends; its argument is the parent's process
 * id. It is a process of its own because an endless query in SQLite cannot be stopped in any other way than by ending its process.
 */
endWithParent(Number(process.argv[2]));
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);

const reply = await answer(JSON.parse(Buffer.concat(chunks).toString("utf8")));
// DuckDB's threads would keep a polite end waiting.
process.stdout.write(JSON.stringify(reply), () => process.exit(0));

/** Only the engine that is asked for is loaded. */
async function answer(request: unknown): Promise<DomainReply> {
  const { type, path, sql } = Object(request);
  try {
    if (type === "sqlite") return (await import("./sqlite-query.js")).querySqlite(String(path), String(sql));
    return await (await import("./duckdb-query.js")).queryDuckdb(String(path), String(sql));
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
