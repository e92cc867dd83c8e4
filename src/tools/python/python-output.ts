import type { Readable } from "node:stream";
import type { CapturedText } from "../../core/ports/sandbox.js";

/** Reads a stream to its end without ever stopping it, and keeps its first `most` bytes. */
export function capture(stream: Readable, most: number): () => CapturedText {
  const pieces: Buffer[] = [];
  let [kept, overflowed] = [0, false];
  stream.on("data", (data: Buffer) => {
    const piece = data.subarray(0, most - kept);
    if (piece.length > 0) pieces.push(piece);
    kept += piece.length;
    overflowed ||= piece.length < data.length;
  });
  // A pipe that breaks ends the text; how the process ended says the rest.
  stream.on("error", () => undefined);
  return () => ({ text: Buffer.concat(pieces).toString("utf8"), overflowed });
}

/** The lines of a stream, one at a time: the stream stands still while a line is worked on. Throws on a line of more than `most` bytes. */
export async function* boundedLines(stream: Readable, most: number): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const data of stream) {
    if (!Buffer.isBuffer(data)) throw new Error("a stream of bytes gave something else");
    let start = 0;
    for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10, start)) {
      pieces.push(data.subarray(start, end));
      yield Buffer.concat(pieces).toString("utf8");
      [pieces, length, start] = [[], 0, end + 1];
    }
    pieces.push(data.subarray(start));
    length += data.length - start;
    if (length > most) throw new Error(`a line of more than ${most} bytes`);
  }
}
