import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ModelRequest, ModelResponse } from "../../core/message.js";
import type { PortAddress } from "../../core/ports/agent-program.js";
import {
  readServedRequest,
  type ServedDefaults,
  servedChunk,
  servedError,
  servedFailure,
  servedResponse,
} from "../../models/served-chat.js";

/** What comes of one request: an answer, or an error as the API tells it. */
export type Served =
  | { readonly ok: true; readonly response: ModelResponse }
  | { readonly ok: false; readonly status: number; readonly body: unknown };

export interface PortOptions {
  readonly model: string;
  readonly defaults: ServedDefaults;
  /** `socket`: for a sandbox that has no network; `loopback`: for a program that has ours. */
  readonly kind: PortAddress["kind"];
  /** Rejects only once `signal` is aborted: whoever asked is gone, or the port is closed. */
  readonly serve: (request: ModelRequest, signal: AbortSignal) => Promise<Served>;
}

export interface ModelPort {
  readonly address: PortAddress;
  /** What a request has to bring; no key of anything. */
  readonly token: string;
  /** Ends all requests; nothing is served after it. */
  close(): Promise<void>;
}

/** Of a request's body: a long conversation, not a memory bomb. */
const MOST_BODY_BYTES = 64 * 2 ** 20;
const SOCKET = "model.sock";

/** An endpoint of the chat-completions API for one trial's program. The key of the model behind it never passes through. */
export async function openModelPort(options: PortOptions): Promise<ModelPort> {
  const token = `daw-eval-${randomBytes(16).toString("hex")}`;
  const closed = new AbortController();
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, token, options, closed.signal).catch((error: unknown) => {
      if (closed.signal.aborted || outgoing.destroyed) outgoing.destroy();
      else send(outgoing, 500, servedError("server", error instanceof Error ? error.message : String(error)));
    });
  });
  const folder = options.kind === "socket" ? await mkdtemp(path.join(tmpdir(), "daw-eval-port-")) : null;
  const address = folder === null ? await onLoopback(server) : await onSocket(server, folder);
  return {
    address,
    token,
    close: async () => {
      closed.abort(new Error("the model port is closed"));
      const over = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await over;
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function onLoopback(server: Server): Promise<PortAddress> {
  await listening(server, () => server.listen(0, "127.0.0.1"));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("a port without a number");
  return { kind: "loopback", port: bound.port };
}

/** Whoever can see the socket may ask; the folder is shown to one sandbox. */
async function onSocket(server: Server, folder: string): Promise<PortAddress> {
  await chmod(folder, 0o755);
  const file = path.join(folder, SOCKET);
  await listening(server, () => server.listen(file));
  await chmod(file, 0o666);
  return { kind: "socket", folder, name: SOCKET };
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", resolve);
    listen();
  });
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  token: string,
  { model, defaults, serve }: PortOptions,
  closed: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort(new Error("the program hung up")));
  const route = `${incoming.method} ${(incoming.url ?? "").replace(/\?.*$/, "").replace(/^\/v1(?=\/)/, "")}`;
  if (!hasToken(incoming, token))
    return send(outgoing, 401, servedError("auth", "not the key that the program was given"));
  if (route === "GET /models") return send(outgoing, 200, { object: "list", data: [{ id: model, object: "model" }] });
  if (route !== "POST /chat/completions") {
    return send(
      outgoing,
      404,
      servedError("not-found", `${route}: only POST /chat/completions and GET /models are served`),
    );
  }
  const body = await readBody(incoming);
  if (body === undefined) return send(outgoing, 400, servedError("bad-request", "the body is no JSON, or too large"));
  const read = readServedRequest(body, defaults);
  if (!read.ok)
    return send(outgoing, 400, servedError("bad-request", `the model port does not serve this: ${read.problem}`));
  const served = await serve(read.request, AbortSignal.any([closed, gone.signal]));
  if (!served.ok) return send(outgoing, served.status, served.body);
  const about = [`chatcmpl-${randomBytes(8).toString("hex")}`, Math.floor(Date.now() / 1000)] as const;
  if (read.stream) sendStream(outgoing, servedChunk(served.response, ...about));
  else send(outgoing, 200, servedResponse(served.response, ...about));
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Undefined where it is no JSON, or more than a request may be. */
async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of incoming) {
    if (!Buffer.isBuffer(piece)) throw new Error("a stream of bytes gave something else");
    length += piece.length;
    if (length <= MOST_BODY_BYTES) pieces.push(piece);
  }
  if (length > MOST_BODY_BYTES) return undefined;
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A client of the API would try again on its own what we have tried again already. */
const NO_RETRY = { "x-should-retry": "false" };

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, { "content-type": "application/json", ...NO_RETRY }).end(JSON.stringify(body));
}

/** The whole answer as one event. */
function sendStream(outgoing: ServerResponse, chunk: unknown): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(200, { "content-type": "text/event-stream", ...NO_RETRY });
  outgoing.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}

/** A failure of the model, as the program gets it. */
export function refused(failure: Parameters<typeof servedFailure>[0]): Served {
  return { ok: false, ...servedFailure(failure) };
}
