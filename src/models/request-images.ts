import type { ModelRequest } from "../core/message.js";
import type { ImageReader } from "../core/ports/image-reader.js";
import type { ImageContents } from "./chat-request.js";

/**
 * The bytes of the images that a request shows. They must be those that it names, or the request would not be what its digest says: where one
 * has changed or gone since it was read, `problem` says so.
 */
export async function readImages(
  { messages }: ModelRequest,
  reader: ImageReader,
): Promise<{ readonly contents: ImageContents } | { readonly problem: string }> {
  const contents = new Map<string, Uint8Array>();
  for (const { content } of messages) {
    for (const part of content === null || typeof content === "string" ? [] : content) {
      if (part.type !== "image") continue;
      const read = await reader.read(part.image.path);
      if (!read.ok) return { problem: `an image of the request cannot be sent: ${read.message}` };
      if (read.image.digest !== part.image.digest) {
        return { problem: `an image of the request cannot be sent: ${part.image.path} changed after it was read` };
      }
      contents.set(part.image.digest, read.content);
    }
  }
  return { contents };
}
