import type { ImageReader } from "../../src/core/ports/image-reader.js";

/** A context that has none. */
export const NO_IMAGES: ImageReader = {
  read: async (path) => ({ ok: false, error: "unknown-image", message: `there is no image "${path}"` }),
};

/** A PNG of one pixel: red, or blue. */
export const RED_PIXEL = png(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
);
export const BLUE_PIXEL = png(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
);

function png(base64: string): Buffer {
  return Buffer.from(base64, "base64");
}
