import { closeSync, constants, createReadStream, fstatSync, ftruncateSync, openSync, readSync, write } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { RunLogError, StorageError } from "../../core/errors.js";

const NEWLINE = 10;
const CHUNK_BYTES = 256 * 1024;

/** A file of JSON lines to which whole lines are appended. */
export interface JsonLinesFile {
  /**
   * Returns when the line is on disk. Calls may overlap: lines keep the order of the calls, and those that wait for the disk at the same
   * time share one write. After a failure (a full disk) nothing is appended any more, so that nothing follows half a line.
   */
  append(value: unknown): Promise<void>;
  /** Waits for what was appended. */
  close(): Promise<void>;
}

/** Every write is on disk when it returns: one system call for what would be two. */
const APPEND_DURABLY = constants.O_CREAT | constants.O_APPEND | constants.O_RDWR | constants.O_DSYNC;

const writeBytes = promisify(write);

/**
 * Opens for appending. What a kill left behind the last newline is cut off first: half a line is no record. Only the writes wait for the disk;
 * the rest is done synchronously, which for a trial of one turn saves more time than the turn takes.
 */
export function openJsonLines(file: string): JsonLinesFile {
  const descriptor = openSync(file, APPEND_DURABLY);
  dropTornTail(descriptor);
  let waiting: string[] = [];
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();
  const flush = async () => {
    // What is appended in the same turn of the event loop is decided together and goes together.
    await setImmediate();
    let rest = bytesOf(waiting);
    waiting = [];
    next = null;
    try {
      while (rest.length > 0) rest = rest.subarray((await writeBytes(descriptor, rest)).bytesWritten);
    } catch (error) {
      throw new StorageError(file, error);
    }
  };
  return {
    append: (value) => {
      waiting.push(JSON.stringify(value));
      if (next === null) {
        next = last.then(flush);
        last = next;
      }
      return next;
    },
    close: async () => {
      await last.catch(() => {});
      closeSync(descriptor);
    },
  };
}

/** The lines as they go to disk, written once: texts that are put together first would be copied for each step. */
function bytesOf(lines: readonly string[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0));
  let at = 0;
  for (const line of lines) {
    at += bytes.write(line, at);
    at = bytes.writeUInt8(NEWLINE, at);
  }
  return bytes;
}

function dropTornTail(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  if (size === 0) return;
  let end = size;
  const chunk = Buffer.alloc(64 * 1024);
  while (end > 0) {
    const start = Math.max(0, end - chunk.length);
    const bytesRead = readSync(descriptor, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (newline >= 0) {
      end = start + newline + 1;
      break;
    }
    end = start;
  }
  if (end < size) ftruncateSync(descriptor, end);
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
  for await (const lines of readLinesByChunk(file, onTorn)) yield* lines;
}

/** As `readJsonLines`, the lines of each chunk of the file together: where there are very many, waiting for each by itself costs more than reading it. */
export async function* readLinesByChunk(
  file: string,
  onTorn: (message: string) => void,
): AsyncGenerator<Iterable<JsonLine>> {
  let line = 0;
  let tail: Buffer[] = [];
  /** Lines are parsed as they are asked for, so that one of a chunk is in memory at a time. */
  function* linesOf(chunk: Buffer): Generator<JsonLine> {
    // Newline bytes alone part lines: a reader that also splits at U+2028 or a lone CR would tear texts apart.
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const text =
        tail.length === 0
          ? chunk.toString("utf8", start, end)
          : Buffer.concat([...tail, chunk.subarray(start, end)]).toString("utf8");
      tail = [];
      start = end + 1;
      yield parseLine(file, ++line, text);
    }
    if (start < chunk.length) tail.push(chunk.subarray(start));
  }
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks) yield linesOf(chunk);
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
