import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { sha256 } from "../core/digest.js";
import { type ContextFile, type ContextListing, listContextFiles } from "./context-files.js";

const SMALL_BYTES = 256 * 1024;

/**
 * SHA-256 (lower-case hex) over the relative paths and bytes of a folder's files: equal on every machine for equal
 * content, whatever the order on disk, the times and the owners. Files are streamed. Links that are not followed count by their path
 * and the reason, empty folders and desktop junk not at all. Throws UsageError when `dir` is not a folder.
 */
export async function digestFolder(dir: string): Promise<string> {
  return digestListing(await listContextFiles(dir));
}

/** As `digestFolder`, for a listing that is already there. */
export async function digestListing(listing: ContextListing, signal?: AbortSignal): Promise<string> {
  const lines: string[] = [];
  for (const file of listing.files) {
    signal?.throwIfAborted();
    lines.push(JSON.stringify([file.path, await digestFile(file)]));
  }
  for (const { source, code } of listing.refused) lines.push(JSON.stringify([source, code]));
  return sha256(lines.join("\n"));
}

/**
 * SHA-256 of a file's bytes; `unreadable` where the system does not let us read it. A small file is read at once: a stream costs more than
 * its hash, and its buffer is held until the next collection.
 */
async function digestFile({ absolute, bytes }: ContextFile): Promise<string> {
  try {
    if (bytes <= SMALL_BYTES) return sha256(readFileSync(absolute));
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(absolute, { highWaterMark: 1 << 20 })) hash.update(chunk);
    return hash.digest("hex");
  } catch (error) {
    if (isDenied(error)) return "unreadable";
    throw error;
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM");
}
