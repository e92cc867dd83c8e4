import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CompiledContext, compileContext } from "../../src/context/compile.js";
import { createQueryPool, type QueryPool } from "../../src/context/query-pool.js";
import type { ImageReference } from "../../src/core/message.js";
import type { OverlayTable } from "../../src/core/overlay.js";
import type { ImageReader } from "../../src/core/ports/image-reader.js";
import type { ToolsConfig } from "../../src/core/profile.js";
import { runTool, type ToolResult } from "../../src/tools/registry.js";
import type { PythonRoom } from "../../src/tools/tool.js";
import { NO_IMAGES } from "../support/images.js";

const LIMITS: ToolsConfig = {
  max_result_characters: 20_000,
  query_timeout_seconds: 30,
  max_answer_rows: 100_000,
  max_images: 8,
  python: { sandbox: "auto", timeout_seconds: 30, memory_mb: 2048 },
  extractor: { max_calls: 20, max_tokens: 200_000 },
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

type Changes = Partial<ToolsConfig> & {
  signal?: AbortSignal;
  shown_images?: readonly ImageReference[];
  images_before?: number;
};

/** Calls tools on one context through real query children, as one trial: a table that a call makes is there for the next. */
export interface Caller {
  readonly context: CompiledContext;
  readonly pool: QueryPool;
  call(name: string, args: unknown, changes?: Changes): Promise<ToolResult>;
  /** As `call`, and reads the content of a call that must be ok. */
  read(name: string, args: unknown): Promise<unknown>;
}

export function callerOf(
  context: CompiledContext,
  python: PythonRoom | null = null,
  images: ImageReader = NO_IMAGES,
): Caller {
  const pool = createQueryPool({ max_children: 1 });
  let overlay: readonly OverlayTable[] = [];
  const call: Caller["call"] = async (
    name,
    args,
    { signal = new AbortController().signal, shown_images = [], images_before = 0, ...limits } = {},
  ) => {
    const worker = pool.worker(context, () => {}, overlay);
    const result = await runTool(
      { call: { id: "call-1", name, arguments: JSON.stringify(args) }, args },
      {
        ...{ context, worker, overlay, python, images, shown_images, images_before, signal },
        ...{ extractor: { asked: [], calls: 0, tokens: 0 }, limits: { ...LIMITS, ...limits } },
      },
    );
    if ("ask" in result) throw new Error(`${name} asks the extractor`);
    if (result.table !== undefined) overlay = [...overlay, result.table];
    return result;
  };
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
