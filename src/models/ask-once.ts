import { linkedSignal } from "../core/linked-signal.js";
import type { ModelRequest } from "../core/message.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { ImageReader } from "../core/ports/image-reader.js";

/** What a judge said outside of any trial; failures in words. */
export type Said =
  | { readonly ok: true; readonly content: string | null }
  | { readonly ok: false; readonly error: string };

const NO_IMAGES: ImageReader = {
  read: async (path) => ({ ok: false, error: "unknown-image", message: `there is no image ${path}` }),
};

/**
 * Asks a model one thing outside of any trial: no images, no log. `asked_before` says how often the same was asked, so that a cache does not give
 * the same words again. Rejects as ChatModel does.
 */
export async function askOnce(
  model: ChatModel,
  request: ModelRequest,
  { signal, asked_before }: { readonly signal: AbortSignal; readonly asked_before: number },
): Promise<Said> {
  // One of its own: what a request leaves behind at a signal must not pile up at one that outlives it.
  const own = linkedSignal([signal]);
  try {
    const call = { signal: own.signal, asked_before, images: NO_IMAGES, on_retry: async () => {}, on_wait: () => {} };
    const reply = await model.respond(request, call);
    if (reply.ok) return { ok: true, content: reply.response.content };
    return { ok: false, error: `${reply.failure.class}: ${reply.failure.message}` };
  } finally {
    own.release();
  }
}
