import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { IMAGE_TYPES, type ImageType } from "../core/message.js";
import { nearest } from "../core/nearest.js";
import type { ImageFault, ImageRead, ImageReader } from "../core/ports/image-reader.js";
import { type ContextFile, listContextFiles } from "./context-files.js";
import { signedMediaType } from "./file-kind.js";

/** What common endpoints take in one image. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** The images below a context folder: only files that its listing has, so that no path and no link leads out of it. */
export function contextImages(dir: string): ImageReader {
  return {
    read: async (path) => {
      const { files } = await listContextFiles(dir);
      const wanted = path.normalize("NFC");
      const file = files.find((one) => one.path === wanted);
      if (file !== undefined) return readImage(file).catch((error: unknown) => unreadable(path, error));
      const near = nearest(path, files.map((one) => one.path).filter(isNamedAsImage), 3);
      const meant = near.length === 0 ? "" : `; did you mean ${near.map((one) => `"${one}"`).join(", ")}?`;
      return fault("unknown-image", `there is no image "${path}" in this task's data${meant}`);
    },
  };
}

/** Whether a catalog's media type is of an image that can be shown. */
export function isImageType(type: string): type is ImageType {
  return IMAGE_TYPES.some((known) => known === type);
}

async function readImage(file: ContextFile): Promise<ImageRead> {
  if (file.bytes > MAX_IMAGE_BYTES) return tooLarge(file);
  const content = await bytesOf(file);
  if (content.length > MAX_IMAGE_BYTES) return tooLarge(file);
  const type = signedMediaType(content);
  if (type === null || !isImageType(type)) {
    const found = type === null ? "" : ` but ${type}`;
    return fault("not-an-image", `${file.path} is by its content none of ${IMAGE_TYPES.join(", ")}${found}`);
  }
  const digest = createHash("sha256").update(content).digest("hex");
  return { ok: true, image: { path: file.path, digest, type, bytes: content.length }, content };
}

/** Not through a link that was put in the file's place meanwhile, and never more than one byte above what is allowed. */
async function bytesOf({ absolute }: ContextFile): Promise<Buffer> {
  const handle = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of handle.createReadStream({ end: MAX_IMAGE_BYTES, autoClose: false })) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}

const isNamedAsImage = (path: string) => /\.(?:png|jpe?g|gif|webp)$/i.test(path);

function tooLarge({ path, bytes }: ContextFile): ImageRead {
  return fault("image-too-large", `${path} has ${bytes} bytes; an image may have at most ${MAX_IMAGE_BYTES}`);
}

function unreadable(path: string, error: unknown): ImageRead {
  return fault("unreadable-image", `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}

function fault(error: ImageFault, message: string): ImageRead {
  return { ok: false, error, message };
}
