import { readOverlay } from "./overlay-tables.js";
import { openEngine, type QueryEngine } from "./query-engine.js";
import { type ChildReply, onLines } from "./query-protocol.js";
import type { GateTable } from "./sql-gate.js";

/**
 * Entry of the query child: reads requests from stdin and answers on stdout, a line of JSON each, one request at a time. Started
 * only by query-process, with an empty environment. Ends when stdin does, so that no child outlives its parent.
 */
let engine: QueryEngine | null = null;
let busy = false;

function reply(message: ChildReply): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function serve(line: string): Promise<void> {
  const request: unknown = JSON.parse(line);
  if (typeof request !== "object" || request === null || !("kind" in request)) throw new Error("not a request");
  if (request.kind === "interrupt") return engine?.interrupt();
  busy = true;
  reply(await answer(request));
  busy = false;
}

async function answer(request: object): Promise<ChildReply> {
  if ("database" in request && "tables" in request) return await open(String(request.database), request.tables);
  if (engine === null || !("sql" in request)) throw new Error("not a request");
  const sql = String(request.sql);
  if ("max_rows" in request && "overlay" in request) {
    return await engine.query(
      sql,
      { max_rows: Number(request.max_rows), overlay: readOverlay(request.overlay) },
      reply,
    );
  }
  return await engine.parse(sql);
}

async function open(database: string, tables: unknown): Promise<ChildReply> {
  try {
    engine = await openEngine(database, gateTables(tables));
    return { kind: "ready" };
  } catch (error) {
    return { kind: "failed", code: "cannot-open", message: error instanceof Error ? error.message : String(error) };
  }
}

function gateTables(value: unknown): GateTable[] {
  return list(value).map((table) => {
    if (typeof table !== "object" || table === null || !("name" in table) || !("columns" in table)) {
      throw new Error("not a table");
    }
    return { name: String(table.name), columns: list(table.columns).map(String) };
  });
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}

onLines(process.stdin, (line) => void serve(line));
process.stdin.on("end", () => {
  // A query in a native thread would keep a polite exit waiting.
  if (busy) process.kill(process.pid, "SIGKILL");
  else process.exit(0);
});
