import { isUtf8 } from "node:buffer";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Uncertainty } from "../../core/catalog.js";
import type { ContextFile } from "../context-files.js";

/** A text file as UTF-8: the file itself where it is UTF-8 already, else a decoded copy. */
export interface Utf8File {
  readonly absolute: string;
  /** Bytes of a byte order mark at the start, 0 or 3: not part of the text. */
  readonly skip: number;
  readonly uncertainties: readonly Uncertainty[];
}

const CHUNK = 1 << 20;

/**
 * Makes a text file readable as UTF-8. A byte order mark decides; without one, text that is valid UTF-8 is UTF-8, and anything
 * else is guessed (UTF-16 by its zero bytes, then UTF-8 with damage, GB18030, Windows-1252 by the shape of the bytes) and said
 * to be guessed. `copy` is where a decoded copy goes.
 */
export async function toUtf8File(file: ContextFile, copy: string): Promise<Utf8File> {
  const head = await readHead(file.absolute, 1 << 16);
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf && (await isUtf8Throughout(file.absolute))) {
    return { absolute: file.absolute, skip: 3, uncertainties: [] };
  }
  if (head[0] === 0xff && head[1] === 0xfe) return decode(file, copy, "utf-16le", null);
  if (head[0] === 0xfe && head[1] === 0xff) return decode(file, copy, "utf-16be", null);
  const wide = guessWide(head);
  if (wide !== null) return decode(file, copy, wide, "by the zero bytes between its letters");
  if (await isUtf8Throughout(file.absolute)) return { absolute: file.absolute, skip: 0, uncertainties: [] };
  const { encoding, why } = await guessNarrow(file.absolute);
  return decode(file, copy, encoding, why);
}

/** The first bytes of a file, at most `length`. */
export async function readHead(absolute: string, length: number): Promise<Buffer> {
  const handle = await open(absolute);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** All bytes of a file, a megabyte at a time. */
export async function* readChunks(absolute: string, start = 0): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(absolute, { highWaterMark: CHUNK, start })) {
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
}

async function isUtf8Throughout(absolute: string): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(absolute)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - unfinishedTail(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return false;
    rest = Buffer.from(bytes.subarray(whole));
  }
  return rest.length === 0;
}

/** How many bytes at the end begin a UTF-8 sequence that goes on in the next chunk, 0 … 3. */
function unfinishedTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
}

/** UTF-16 text of a European or mixed kind has zeros in every second byte; other text has none. */
export function guessWide(head: Uint8Array): "utf-16le" | "utf-16be" | null {
  const pairs = head.length >> 1;
  if (pairs < 2) return null;
  const zeros = [0, 0];
  for (let i = 0; i < pairs * 2; i++) if (head[i] === 0) zeros[i & 1] = (zeros[i & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > pairs * 0.3 && even < pairs * 0.05) return "utf-16le";
  if (even > pairs * 0.3 && odd < pairs * 0.05) return "utf-16be";
  return null;
}

/** For bytes that are not UTF-8: damaged UTF-8, Chinese (GB18030) or Western (Windows-1252), by what most of the high bytes look like. */
async function guessNarrow(absolute: string): Promise<{ encoding: string; why: string }> {
  const seen = { sequences: 0, broken: 0, chinese: 0, high: 0 };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(absolute)) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = Math.max(0, bytes.length - 4);
    countHighBytes(bytes, whole, seen);
    rest = Buffer.from(bytes.subarray(whole));
  }
  countHighBytes(Buffer.concat([rest, Buffer.alloc(4)]), rest.length, seen);
  if (seen.sequences > 10 * seen.broken) {
    return { encoding: "utf-8", why: `though ${seen.broken} bytes in it are not` };
  }
  if (seen.chinese * 2 >= seen.high * 0.6) {
    return { encoding: "gb18030", why: "by its pairs of high bytes" };
  }
  return { encoding: "windows-1252", why: "by its single high bytes among plain letters" };
}

/** Counts in `bytes[0 … whole)`, looking at most 3 bytes further. */
function countHighBytes(
  bytes: Uint8Array,
  whole: number,
  seen: { sequences: number; broken: number; chinese: number; high: number },
): void {
  for (let i = 0; i < whole; ) {
    const byte = bytes[i] ?? 0;
    const length = sequenceLength(byte);
    if (byte < 0x80) i += 1;
    else if (length > 1 && isUtf8(bytes.subarray(i, i + length))) {
      seen.sequences += 1;
      i += length;
    } else {
      seen.broken += 1;
      i += 1;
    }
  }
  for (let i = 0; i < whole; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) continue;
    seen.high += 1;
    const next = bytes[i + 1] ?? 0;
    if (byte >= 0xa1 && byte <= 0xf7 && next >= 0xa1 && next <= 0xfe) {
      seen.chinese += 1;
      seen.high += 1;
      i += 1;
    }
  }
}

async function decode(file: ContextFile, copy: string, encoding: string, guessedBy: string | null): Promise<Utf8File> {
  const decoder = new TextDecoder(encoding);
  let replaced = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const chunk of readChunks(file.absolute)) yield counted(decoder.decode(chunk, { stream: true }));
    yield counted(decoder.decode());
  }
  function counted(text: string): string {
    for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) replaced += 1;
    return text;
  }
  await pipeline(Readable.from(texts()), createWriteStream(copy));
  const uncertainties: Uncertainty[] = [];
  if (guessedBy !== null) {
    const detail = `The text has no byte order mark and is not UTF-8; it was read as ${encoding}, ${guessedBy}.`;
    uncertainties.push({
      source: file.path,
      code: "encoding-guessed",
      detail: encoding === "utf-8" ? `The text was read as UTF-8, ${guessedBy}.` : detail,
    });
  }
  if (replaced > 0) {
    const detail = `${replaced} places are not valid ${encoding}; each was read as the replacement character U+FFFD.`;
    uncertainties.push({ source: file.path, code: "invalid-bytes", detail });
  }
  return { absolute: copy, skip: 0, uncertainties };
}
