import type { ImageReference } from "../message.js";

export type ImageRead =
  | { readonly ok: true; readonly image: ImageReference; readonly content: Uint8Array }
  /** `error`: kebab-case kind of failure; `message`: one sentence for the model. */
  | { readonly ok: false; readonly error: ImageFault; readonly message: string };

export type ImageFault = "unknown-image" | "not-an-image" | "image-too-large" | "unreadable-image";

/** The images of one task's context. */
export interface ImageReader {
  /** Reads one by its path in the context, `/`-separated. Whatever is wrong with it is a value. */
  read(path: string): Promise<ImageRead>;
}
