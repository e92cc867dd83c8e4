import { createServer, Server } from "node:http";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import { UsageError } from "../core/errors.js";
import { createApp, type ServiceParts } from "./app.js";
import { PROBLEM_TYPE, type ProblemCode, problem } from "./problem.js";

export interface Service {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  /**
   * Takes no more connections, answers what is in hand within the limits, then lets go of the rest. Returns how many requests were cut off. Once
   * it has begun, further calls await the same end.
   */
  stop(): Promise<number>;
}

/** Listens at `host` and `port`, 0 for a free one. Throws UsageError where that cannot be had. */
export async function startService(
  { host, port }: { readonly host: string; readonly port: number },
  parts: Omit<ServiceParts, "stopping">,
): Promise<Service> {
  const overdue = new AbortController();
  const app = createApp({ ...parts, stopping: overdue.signal });
  const { receive_ms } = parts.limits;
  const made = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    createServer,
    serverOptions: {
      // The body's time is the app's business, which can say more; this is for whatever escapes it.
      requestTimeout: 2 * receive_ms,
      headersTimeout: receive_ms,
      connectionsCheckingInterval: Math.min(1000, receive_ms),
      maxHeaderSize: 16 * 1024,
    },
  });
  if (!isPlainServer(made)) throw new Error("the adapter made another kind of server");
  const server = made;
  const inHand = openRequests(server);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // The request that is open on it tells of its end itself.
    if (inHand.isOn(socket)) socket.destroy();
    else refuse(error, socket, parts);
  });
  await listening(server, host, port);
  let stopped: Promise<number> | null = null;
  return {
    url: urlOf(server, host),
    stop: () => {
      stopped ??= stop(server, inHand, overdue, parts.limits.shutdown_ms);
      return stopped;
    },
  };
}

const isPlainServer = (server: object): server is Server => server instanceof Server;

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "the port is in use; give another with --port" : error.message;
      reject(new UsageError(`cannot listen on ${host}:${port}: ${why}`));
    });
    server.listen(port, host, resolve);
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the service listens on no port");
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

interface OpenRequests {
  count(): number;
  isOn(socket: Duplex): boolean;
}

/** Requests that are being answered. While the service stops, connections are closed as soon as they are idle. */
function openRequests(server: Server): OpenRequests {
  let open = 0;
  const sockets = new WeakSet<Duplex>();
  server.on("request", ({ socket }, response) => {
    open++;
    sockets.add(socket);
    response.once("close", () => {
      open--;
      sockets.delete(socket);
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  return { count: () => open, isOn: (socket) => sockets.has(socket) };
}

async function stop(server: Server, inHand: OpenRequests, overdue: AbortController, patience: number): Promise<number> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  let cutOff = 0;
  const late = setTimeout(() => {
    cutOff = inHand.count();
    overdue.abort(new Error("the service stops"));
    // Those who wait are told; whoever does not take the answer is let go.
    setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS);
  }, patience);
  await closed;
  clearTimeout(late);
  return cutOff;
}

const LAST_WORDS_MS = 200;

/** What never became a request: too slow, too large a head, or not HTTP. It is answered and logged like any other. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, { onAnswered }: Pick<ServiceParts, "onAnswered">): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const code: ProblemCode =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "request-timeout"
      : error.code === "HPE_HEADER_OVERFLOW"
        ? "headers-too-large"
        : "bad-request";
  const { status, title, ...rest } = problem(code, "The connection is closed.");
  const body = JSON.stringify({ status, title, ...rest });
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  onAnswered({ method: "?", path: "?", status, ms: 0 });
}
