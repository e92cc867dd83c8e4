import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CompiledContext, compileContext } from "../../src/context/compile.js";
import { createQueryPool, type QueryPool } from "../../src/context/query-pool.js";
import type { ToolsConfig } from "../../src/core/profile.js";
import { runTool, type ToolResult } from "../../src/tools/registry.js";
import type { PythonRoom } from "../../src/tools/tool.js";

const LIMITS: ToolsConfig = {
  max_result_characters: 20_000,
  query_timeout_seconds: 30,
  max_answer_rows: 100_000,
  python: { sandbox: "auto", timeout_seconds: 30, memory_mb: 2048 },
};

/** Compiles files (path → text) as a task's context. */
export async function compiled(files: Readonly<Record<string, string>>): Promise<CompiledContext> {
  return (await compiledIn(files)).context;
}

/** As `compiled`, with the folder that the files are in. */
export async function compiledIn(
  files: Readonly<Record<string, string>>,
): Promise<{ context: CompiledContext; folder: string }> {
  const root = await mkdtemp(path.join(tmpdir(), "daw-tools-"));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, "context", name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const folder = path.join(root, "context");
  return { folder, context: await compileContext(folder, { cache_dir: path.join(root, "cache") }) };
}

/** Calls tools on one context through real query children. */
export interface Caller {
  readonly context: CompiledContext;
  readonly pool: QueryPool;
  call(name: string, args: unknown, changes?: Partial<ToolsConfig> & { signal?: AbortSignal }): Promise<ToolResult>;
  /** As `call`, and reads the content of a call that must be ok. */
  read(name: string, args: unknown): Promise<unknown>;
}

export function callerOf(context: CompiledContext, python: PythonRoom | null = null): Caller {
  const pool = createQueryPool({ max_children: 1 });
  const call: Caller["call"] = (name, args, { signal = new AbortController().signal, ...limits } = {}) =>
    runTool(
      { call: { id: "call-1", name, arguments: JSON.stringify(args) }, args },
      { context, worker: pool.worker(context), python, signal, limits: { ...LIMITS, ...limits } },
    );
  return {
    context,
    pool,
    call,
    read: async (name, args) => {
      const result = await call(name, args);
      if (!result.ok) throw new Error(result.content);
      return JSON.parse(result.content);
    },
  };
}

/** A CSV of these rows. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",")}\n`).join("");
}
