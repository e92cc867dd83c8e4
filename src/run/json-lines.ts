import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { RunLogError } from "../core/errors.js";

const NEWLINE = 10;
const CHUNK_BYTES = 256 * 1024;

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
    const newline = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE);
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
  let line = 0;
  let tail: Buffer[] = [];
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks) {
      // Newline bytes alone part lines: a reader that also splits at U+2028 or a lone CR would tear texts apart.
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const bytes = Buffer.concat([...tail, chunk.subarray(start, end)]);
        tail = [];
        start = end + 1;
        yield parseLine(file, ++line, bytes.toString("utf8"));
      }
      if (start < chunk.length) tail.push(chunk.subarray(start));
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  if (tail.length > 0) onTorn(`${file}:${line + 1}: the last line is torn (the writer was killed); it is left out`);
}

function parseLine(file: string, line: number, text: string): JsonLine {
  try {
    return { line, value: JSON.parse(text) };
  } catch (error) {
    throw new RunLogError(`${file}:${line}: not a line of JSON (${error instanceof Error ? error.message : error})`);
  }
}
