import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { DomainReply } from "../../core/ports/domain-query.js";
import { killGroup } from "../kill-group.js";

/** Children run compiled code, also when their parent runs from the TypeScript sources: both trees have the same depth. */
const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const ENTRY = path.join(PACKAGE, "dist/context/connections/connection-child.js");
const STDERR_CHARACTERS = 500;

/** A query on a database file. */
interface FileQuery {
  readonly type: "sqlite" | "duckdb";
  /** Absolute. */
  readonly path: string;
  readonly sql: string;
}

const replySchema: z.ZodType<DomainReply> = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), values: z.array(z.string()) }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

/** Asks a database file in a child process with an empty environment, which is killed at the timeout. */
export function queryInChild(query: FileQuery, timeoutMs: number): Promise<DomainReply> {
  return new Promise((resolve) => {
    // A process group of its own: Ctrl-C in the terminal is for us.
    const args = [ENTRY, String(process.pid)];
    const child = spawn(process.execPath, args, { env: {}, cwd: "/", detached: true, stdio: "pipe" });
    const output: Buffer[] = [];
    let stderr = "";
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child);
    }, timeoutMs);
    child.stdout.on("data", (data: Buffer) => output.push(data));
    child.stderr.on("data", (data: Buffer) => {
      stderr = `${stderr}${data.toString()}`.slice(-STDERR_CHARACTERS);
    });
    // Writing to a child that has just died: `close` reports it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(query));
    const settle = (reply: DomainReply) => {
      clearTimeout(timer);
      resolve(reply);
    };
    child.once("error", (error) => settle({ ok: false, message: error.message }));
    child.once("close", (code, signal) => {
      if (timedOut) return settle({ ok: false, message: `the query ran longer than ${timeoutMs / 1000} s` });
      const lost = `the query process ended with ${signal ?? `exit code ${code}`} ${stderr.trim()}`.trimEnd();
      settle(parseReply(Buffer.concat(output).toString("utf8")) ?? { ok: false, message: lost });
    });
  });
}

/** Null for what no child of ours writes. */
function parseReply(text: string): DomainReply | null {
  try {
    return replySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
