import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { RunLogError } from "../core/errors.js";

/** A file of JSON lines to which whole lines are appended, each on disk before `append` returns. */
export interface JsonLinesFile {
  append(value: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Opens for appending. What a kill left behind the last newline is cut off first: half a line is no record. */
export async function openJsonLines(file: string): Promise<JsonLinesFile> {
  const handle = await open(file, "a+");
  await dropTornTail(handle);
  return {
    append: async (value) => {
      await handle.appendFile(`${JSON.stringify(value)}\n`);
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}

async function dropTornTail(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  let end = size;
  const chunk = Buffer.alloc(64 * 1024);
  while (end > 0) {
    const start = Math.max(0, end - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    const newline = chunk.subarray(0, bytesRead).lastIndexOf(10);
    if (newline >= 0) {
      end = start + newline + 1;
      break;
    }
    end = start;
  }
  if (end < size) await handle.truncate(end);
}

export interface JsonLine {
  /** From 1. */
  readonly line: number;
  readonly value: unknown;
}

/**
 * Streams the lines of a file; nothing where it does not exist. A last line without a newline is torn: dropped, and `onTorn` is told. Any
 * other line that is not JSON throws a RunLogError which names file and line.
 */
export async function* readJsonLines(file: string, onTorn: (message: string) => void): AsyncGenerator<JsonLine> {
  const complete = await endsWithNewline(file);
  if (complete === null) return;
  let line = 0;
  let held: string | null = null;
  for await (const text of createInterface({
    input: createReadStream(file, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (held !== null) yield parseLine(file, ++line, held);
    held = text;
  }
  if (held === null) return;
  if (complete) yield parseLine(file, ++line, held);
  else onTorn(`${file}:${line + 1}: the last line is torn (the writer was killed); it is left out`);
}

async function endsWithNewline(file: string): Promise<boolean | null> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    const { size } = await handle.stat();
    if (size === 0) return true;
    const last = Buffer.alloc(1);
    await handle.read(last, 0, 1, size - 1);
    return last[0] === 10;
  } finally {
    await handle.close();
  }
}

function parseLine(file: string, line: number, text: string): JsonLine {
  try {
    return { line, value: JSON.parse(text) };
  } catch (error) {
    throw new RunLogError(`${file}:${line}: not a line of JSON (${error instanceof Error ? error.message : error})`);
  }
}
