import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { killGroup } from "../kill-group.js";

/** What the child is asked for: the rows of a view, as a file of cells. */
export const viewRequestSchema = z.strictObject({
  file: z.string(),
  view: z.string(),
  path: z.string(),
  source: z.string(),
  max_rows: z.int(),
});

const stagedViewSchema = z.strictObject({
  select: z.string(),
  cells: z.enum(["plain", "tagged"]),
  expected: z.strictObject({ rows: z.int(), filled: z.array(z.int()), bytes: z.array(z.int()).nullable() }),
  columns: z.array(z.string()),
  uncertainties: z.array(z.strictObject({ source: z.string(), code: z.string(), detail: z.string() })),
});
type StagedView = z.infer<typeof stagedViewSchema>;

/** Children run compiled code, also when their parent runs from the TypeScript sources: both trees have the same depth. */
const ENTRY = fileURLToPath(new URL("../../../dist/context/read/sqlite-child.js", import.meta.url));

/** A view is a query, and a query may never end: it gets so long and so many rows. */
const VIEW_MS = 20_000;
const VIEW_ROWS = 2_000_000;

/** Reads a view in a child process, which alone can be stopped. Rejects with what SQLite says, or when the time is over. */
export async function readSqliteView(
  file: string,
  view: string,
  path: string,
  source: string,
  signal?: AbortSignal,
  milliseconds = VIEW_MS,
): Promise<StagedView> {
  const request = JSON.stringify({ file, view, path, source, max_rows: VIEW_ROWS });
  // A process group of its own: Ctrl-C in the terminal is for us.
  const child = spawn(process.execPath, [ENTRY, request, String(process.pid)], {
    env: {},
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = () => killGroup(child);
  const timer = setTimeout(kill, milliseconds);
  signal?.addEventListener("abort", kill);
  try {
    const exit = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("exit", resolve));
    const [code, out, complaint] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
    signal?.throwIfAborted();
    if (code === null) throw new Error(`it did not end within ${milliseconds / 1000} seconds`);
    if (code !== 0) throw new Error(complaint.trim());
    return stagedViewSchema.parse(JSON.parse(out));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", kill);
  }
}
