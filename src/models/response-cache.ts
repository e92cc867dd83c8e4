import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { digestOf } from "../core/digest.js";
import type { ModelRequest, ModelResponse } from "../core/message.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { ModelConfig } from "../core/profile.js";
import { digestOfRequest } from "../core/request-digest.js";
import { responseSchema } from "./response-schema.js";

function responsesFolder(cacheDir: string): string {
  return path.join(cacheDir, "responses");
}

interface StoredResponse {
  readonly file: string;
  readonly bytes: number;
  /** When it was written, milliseconds since 1970. */
  readonly written: number;
}

/** Every stored response, oldest first. */
export async function storedResponses(cacheDir: string): Promise<readonly StoredResponse[]> {
  const entries = await readdir(responsesFolder(cacheDir), { recursive: true, withFileTypes: true }).catch(() => []);
  const stored: StoredResponse[] = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const found = entry.isFile() ? await stat(file).catch(() => null) : null;
    if (found !== null) stored.push({ file, bytes: found.size, written: found.mtimeMs });
  }
  return stored.sort((a, b) => a.written - b.written);
}

/** Removes the oldest responses until at most `maxBytes` are left; returns what was removed. */
export async function trimResponses(cacheDir: string, maxBytes: number): Promise<readonly StoredResponse[]> {
  const stored = await storedResponses(cacheDir);
  let total = stored.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: StoredResponse[] = [];
  for (const response of stored) {
    if (total <= maxBytes) break;
    await rm(response.file, { force: true });
    total -= response.bytes;
    removed.push(response);
  }
  return removed;
}

/**
 * A model that answers from disk what it was asked before, by an earlier run or process; what it answers now is kept, failures are not. A
 * key is the request, the trial's seed in it, with the model that is asked: so each repeat of a task has keys of its own. A cache that
 * cannot be read or written is passed over.
 */
export function withResponseCache(model: ChatModel, config: ModelConfig, cacheDir: string): ChatModel {
  const identity = identityOf(config);
  return {
    respond: async (request, call) => {
      const file = fileOf(cacheDir, identity, request, call.asked_before);
      const stored = await readResponse(file);
      call.signal.throwIfAborted();
      if (stored !== null) return { ok: true, response: stored, request_ms: 0, cached: true };
      const reply = await model.respond(request, call);
      if (reply.ok) await keep(file, reply.response).catch(() => {});
      return reply;
    },
  };
}

/** What of a configuration tells which model answers, and how: not the key, nor patience and prices. */
function identityOf({ provider, name, base_url, headers, extra_body, send_seed }: ModelConfig): object {
  return { provider, name, base_url, headers, extra_body, send_seed };
}

function fileOf(cacheDir: string, identity: object, request: ModelRequest, askedBefore: number): string {
  const key = digestOf([identity, digestOfRequest(request).digest, askedBefore]);
  return path.join(responsesFolder(cacheDir), key.slice(0, 2), `${key}.json`);
}

async function readResponse(file: string): Promise<ModelResponse | null> {
  try {
    return responseSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

/** Renamed into place, so that nobody reads half of it. */
async function keep(file: string, response: ModelResponse): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(response));
  await rename(draft, file);
}
