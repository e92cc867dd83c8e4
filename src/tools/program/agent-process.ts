import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { Duplex } from "node:stream";
import { z } from "zod";
import { killGroup } from "../../context/kill-group.js";
import type { ProgramRun } from "../../core/ports/agent-program.js";
import { SandboxError } from "../../core/ports/query-worker.js";
import type { PythonCommand } from "../python/python-command.js";
import { withinMs } from "../within-ms.js";
import { HANDED_BACK, MARK } from "./agent-command.js";

/** Kept of a stream: its end, where errors are told. */
const TAIL_BYTES = 4000;
/** From the end of the process to that of its pipes, which a process below it might hold open. */
const PIPES_MS = 500;
const MOST_BYTES = Object.values(HANDED_BACK).reduce((sum, most) => sum + most, 2 ** 16);

const ready = z.object({ kind: z.literal("ready") });
const end = z.object({
  kind: z.literal("end"),
  start_error: z.string().nullable(),
  code: z.int().nullable(),
  sizes: z.record(z.string(), z.int().min(0).nullable()),
});

/**
 * Starts the launcher, gives it `input`, and waits until all of the program is gone. When `signal` is aborted the whole process group is
 * killed; in a bubble the kernel then ends every process of its process space, without one those that carry `mark` are looked for.
 */
export async function runProgram(
  command: PythonCommand,
  input: string,
  mark: string | null,
  signal: AbortSignal,
): Promise<ProgramRun> {
  signal.throwIfAborted();
  const { file, args, cwd, env } = command;
  // A process group of its own: Ctrl-C in the terminal is for us, and one signal ends the child with its wrappers.
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"] });
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) throw new Error("file descriptor 3 of a child is no duplex stream");
  const [stdout, stderr, handed] = [tail(child.stdout), tail(child.stderr), whole(channel)];
  // Written to a child that has just died: its exit says so.
  child.stdin.on("error", () => undefined);
  const [exit, closed] = [exitOf(child), new Promise<void>((resolve) => child.once("close", () => resolve()))];
  child.stdin.end(input);
  const kill = () => killGroup(child);
  signal.addEventListener("abort", kill, { once: true });
  const how = await exit;
  signal.removeEventListener("abort", kill);
  // What the program left running dies with it, also where it ended well.
  kill();
  if (mark !== null) await killMarked(mark);
  await withinMs(PIPES_MS, closed);
  for (const stream of child.stdio) stream?.destroy();
  signal.throwIfAborted();
  const said = { stdout: stdout(), stderr: stderr() };
  return { ...readHanded(handed(), how, said.stderr), ...said };
}

function readHanded(bytes: Buffer, how: string | null, stderr: string): Omit<ProgramRun, "stdout" | "stderr"> {
  const first = bytes.indexOf(10);
  if (first === -1 || !ready.safeParse(json(bytes.subarray(0, first))).success) {
    throw new SandboxError(`the agent's program does not start: ${stderr.trim() || how || "it ended"}`);
  }
  const second = bytes.indexOf(10, first + 1);
  const read = end.safeParse(json(bytes.subarray(first + 1, Math.max(second, first + 1))));
  const nothing = { prediction: null, trace: null, conclusion: null };
  if (!read.success) return { failure: how ?? "it ended without a word", ...nothing };
  const { start_error, code, sizes } = read.data;
  if (start_error !== null) throw new SandboxError(`the agent's program cannot be started: ${start_error}`);
  let start = second + 1;
  const files = new Map<string, Uint8Array | null>();
  for (const [name, size] of Object.entries(sizes)) {
    files.set(name, size === null ? null : bytes.subarray(start, start + size));
    start += size ?? 0;
  }
  const of = (name: keyof typeof HANDED_BACK) => files.get(name) ?? null;
  return {
    failure: code === 0 ? null : exitText(code === null || code < 0 ? null : code, code === null ? 0 : -code),
    prediction: of("prediction.csv"),
    trace: of("trace.json"),
    conclusion: of("conclusion.md"),
  };
}

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}

function exitText(code: number | null, signal: number): string {
  if (code !== null) return `it ended with exit code ${code}`;
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return `it was ended by ${name ?? `signal ${signal}`}`;
}

/** How the launcher ended, in words; null for exit code 0. */
function exitOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) =>
      resolve(code === 0 ? null : signal === null ? exitText(code, 0) : `it was ended by ${signal}`),
    );
  });
}

/** Reads a stream to its end without ever stopping it, and keeps its last bytes. */
function tail(stream: Readable): () => string {
  let kept: Buffer = Buffer.alloc(0);
  let left = 0;
  stream.on("data", (data: Buffer) => {
    const joined = Buffer.concat([kept, data]);
    kept = joined.subarray(Math.max(0, joined.length - TAIL_BYTES));
    left += joined.length - kept.length;
  });
  stream.on("error", () => undefined);
  return () => `${left > 0 ? `(${left} bytes before) ` : ""}${kept.toString("utf8")}`;
}

/** All of a stream, up to what an honest launcher can send. */
function whole(stream: Readable): () => Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  stream.on("data", (data: Buffer) => {
    length += data.length;
    if (length <= MOST_BYTES) pieces.push(data);
  });
  stream.on("error", () => undefined);
  return () => Buffer.concat(pieces);
}

/** Without a bubble a process can leave its group; its environment still says whose it is. Looks twice, for what was born meanwhile. */
async function killMarked(mark: string): Promise<void> {
  for (let look = 0; look < 2; look++) {
    for (const pid of await readdir("/proc").catch((): string[] => [])) {
      if (!/^\d+$/.test(pid)) continue;
      const environ = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      if (!environ.split("\0").includes(`${MARK}=${mark}`)) continue;
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It is gone already.
      }
    }
  }
}
