import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { rootCertificates, connect as tlsConnect } from "node:tls";
import { bareHost, type HttpProxy } from "./proxy.js";

/** A reply that is bigger is not one of a language model. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Network {
  /** Null: straight to the endpoint. */
  readonly proxy: HttpProxy | null;
  /** PEM text of authorities to trust beside the usual ones. */
  readonly ca: string | null;
}

/** The endpoint answered, but not with something that can be read as its answer. */
export class ReplyError extends Error {
  readonly code = "reply";
}

/**
 * `fetch` for one endpoint over node:http. The built-in one gives up after 300 s of silence, which a reasoning model may
 * need, follows redirects with the key in hand, and knows neither proxy nor CA file. Whole replies only: the promise
 * resolves when the body is here, so that a time limit covers it. Redirects are not followed.
 */
export function httpFetch(network: Network): Fetch {
  const connect = connector(network);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const signal = init.signal ?? undefined;
    const headers = Object.fromEntries(new Headers(init.headers));
    const way = await connect(url, signal);
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        method: init.method ?? "GET",
        ...way,
        headers: { ...headers, ...way.headers },
        ...(signal && { signal }),
      };
      const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options);
      outgoing.once("response", resolve).on("error", reject);
      // As bytes, since a text would be copied to stand behind the headers.
      outgoing.end(typeof init.body === "string" ? Buffer.from(init.body) : undefined);
    });
    const body = await readWhole(incoming).catch((error: unknown) => {
      // An aborted reply ends as a broken connection would: the abort is the cause.
      signal?.throwIfAborted();
      throw error;
    });
    return new WholeReply(body, { status: incoming.statusCode ?? 500, headers: headersOf(incoming) });
  };
}

/** A response whose text is here already. Through the web stream of a plain Response it would cost more than the request. */
class WholeReply extends Response {
  override readonly text: () => Promise<string>;

  constructor(body: Buffer, init: ResponseInit) {
    super(null, init);
    this.text = async () => new TextDecoder().decode(body);
  }
}

type Way = Pick<RequestOptions, "agent" | "host" | "port" | "path" | "createConnection"> & {
  readonly headers?: Record<string, string>;
};

/** How to reach a URL: straight, by the proxy, or through a tunnel that the proxy makes. All but tunnels are kept alive. */
function connector({ proxy, ca }: Network): (url: URL, signal: AbortSignal | undefined) => Promise<Way> {
  const trust = ca === null ? {} : { ca: [...rootCertificates, ca] };
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true, ...trust });
  return async (url, signal) => {
    const secure = url.protocol === "https:";
    if (proxy === null) return { agent: secure ? https : http };
    if (!secure) {
      const { host, port } = proxy;
      return { agent: http, host, port, path: url.href, headers: { host: url.host, ...authorization(proxy) } };
    }
    const socket = await tunnel(proxy, url, signal);
    const host = bareHost(url);
    const servername = isIP(host) === 0 ? host : "";
    return { createConnection: () => tlsConnect({ socket, host, servername, ...trust }) };
  };
}

/** A connection to the host of `url` that the proxy relays. */
function tunnel(proxy: HttpProxy, url: URL, signal: AbortSignal | undefined): Promise<Socket> {
  const target = `${url.hostname}:${url.port || 443}`;
  return new Promise((resolve, reject) => {
    const asking = httpRequest({
      host: proxy.host,
      port: proxy.port,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...authorization(proxy) },
      agent: false,
      ...(signal && { signal }),
    });
    asking.on("error", reject).once("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy answered ${response.statusCode} to CONNECT ${target}`));
    });
    asking.end();
  });
}

const authorization = (proxy: HttpProxy): Record<string, string> =>
  proxy.authorization === null ? {} : { "proxy-authorization": proxy.authorization };

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_REPLY_BYTES) {
        incoming.destroy(new ReplyError(`the reply is bigger than ${MAX_REPLY_BYTES} bytes`));
      }
    });
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", reject);
    incoming.once("close", () => reject(new Error("the connection closed before the reply was whole")));
  });
}
